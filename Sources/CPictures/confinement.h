#pragma once

// What a process gives up before it decodes a file that somebody else has made.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/// Closes every descriptor above 2, empties the environment and goes to `/`. Before libraries are
/// opened: none of them is then told by a variable to load or log anything.
static inline void picture_leave_surroundings(void) {
  extern char **environ;
  environ = NULL;
  if (chdir("/") != 0) {
    // The folder is of no use once files cannot be opened.
  }
#ifdef __NR_close_range
  if (syscall(__NR_close_range, 3, ~0U, 0) == 0) return;
#endif
  long count = sysconf(_SC_OPEN_MAX);
  if (count < 0 || count > 65536) count = 65536;
  for (int descriptor = 3; descriptor < count; descriptor++) close(descriptor);
}

static inline int picture_limit(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  // A hard limit only goes down.
  if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit);
}

/// Limits memory (address space in bytes), the processor (seconds; then SIGXCPU), what standard output
/// may become where it is a file (bytes), open files and core dumps. Returns NULL, or what failed.
static inline const char *picture_limit_resources(
    uint64_t memory, uint64_t seconds, uint64_t output) {
  struct stat status;
  int is_file = fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  // macOS knows the limit of memory and ignores it.
  if (picture_limit(RLIMIT_AS, memory, memory) != 0) {
#ifdef __linux__
    return "RLIMIT_AS";
#endif
  }
  if (picture_limit(RLIMIT_CPU, seconds, seconds + 1) != 0) return "RLIMIT_CPU";
  rlim_t size = is_file ? (rlim_t)status.st_size + output : 0;
  if (picture_limit(RLIMIT_FSIZE, size, size) != 0) return "RLIMIT_FSIZE";
  if (picture_limit(RLIMIT_NOFILE, 3, 3) != 0) return "RLIMIT_NOFILE";
  if (picture_limit(RLIMIT_CORE, 0, 0) != 0) return "RLIMIT_CORE";
  return NULL;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#define PICTURE_LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define PICTURE_RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define PICTURE_REFUSE(error) PICTURE_RETURN(SECCOMP_RET_ERRNO | (error))
#define PICTURE_ALLOW(call)                            \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), \
      PICTURE_RETURN(SECCOMP_RET_ALLOW)
/// Memory that no code runs in.
#define PICTURE_ALLOW_DATA(call)                             \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4),       \
      PICTURE_LOAD(args[2]),                                 \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),    \
      PICTURE_REFUSE(EPERM), PICTURE_RETURN(SECCOMP_RET_ALLOW)

/// Allows this process, with all its threads, a few calls for the rest of its life: memory that is not
/// executable, threads, the clock, writing to standard output and error, and its end. Every other call
/// fails with EPERM. Returns NULL, or what failed.
static inline const char *picture_filter_calls(void) {
  struct sock_filter filter[] = {
      PICTURE_LOAD(arch),
#ifdef __x86_64__
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
#else
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 1, 0),
#endif
      PICTURE_RETURN(SECCOMP_RET_KILL_PROCESS),
      // A number of the x32 interface is none of those below.
      PICTURE_LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 5),
      PICTURE_LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDOUT_FILENO, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 1, 0),
      PICTURE_REFUSE(EPERM),
      PICTURE_RETURN(SECCOMP_RET_ALLOW),
      PICTURE_ALLOW_DATA(mmap),
      PICTURE_ALLOW_DATA(mprotect),
      PICTURE_ALLOW(munmap),
      PICTURE_ALLOW(mremap),
      PICTURE_ALLOW(madvise),
      PICTURE_ALLOW(brk),
      PICTURE_ALLOW(futex),
      PICTURE_ALLOW(exit),
      PICTURE_ALLOW(exit_group),
      PICTURE_ALLOW(rt_sigreturn),
      PICTURE_ALLOW(rt_sigprocmask),
      PICTURE_ALLOW(sigaltstack),
      PICTURE_ALLOW(restart_syscall),
      PICTURE_ALLOW(clock_gettime),
      PICTURE_ALLOW(gettimeofday),
      PICTURE_ALLOW(getrandom),
      PICTURE_ALLOW(sched_yield),
      PICTURE_ALLOW(sched_getaffinity),
      PICTURE_ALLOW(gettid),
      PICTURE_ALLOW(getpid),
      PICTURE_ALLOW(set_robust_list),
#ifdef __NR_rseq
      PICTURE_ALLOW(rseq),
#endif
      // Decoders have threads; a process of their own they cannot make. The C library falls back to
      // `clone`, whose flags a filter can see.
#ifdef __NR_clone3
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
      PICTURE_REFUSE(ENOSYS),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
      PICTURE_LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
      PICTURE_RETURN(SECCOMP_RET_ALLOW),
      PICTURE_REFUSE(EPERM),
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    return "seccomp";
  return NULL;
}

#undef PICTURE_LOAD
#undef PICTURE_RETURN
#undef PICTURE_REFUSE
#undef PICTURE_ALLOW
#undef PICTURE_ALLOW_DATA

#else

static inline const char *picture_filter_calls(void) { return NULL; }

#endif

/// Takes the way to new rights, and from other processes of the user the way to look into this one.
/// Returns NULL, or what failed; on other systems than Linux nothing is done.
static inline const char *picture_drop_rights(void) {
#ifdef __linux__
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "PR_SET_NO_NEW_PRIVS";
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "PR_SET_DUMPABLE";
#endif
  return NULL;
}

/// Tries what a confined process cannot do, by number. Returns 0 where it could, or the error; -1 for
/// a number that is none.
static inline int picture_try(int number) {
  int descriptor;
  switch (number) {
  case 0:
    descriptor = open("/dev/null", O_RDONLY);
    break;
  case 1:
    descriptor = socket(AF_INET, SOCK_STREAM, 0);
    break;
  case 2: {
    pid_t process = fork();
    if (process == 0) _exit(0);
    if (process < 0) return errno;
    waitpid(process, NULL, 0);
    return 0;
  }
  case 3: {
    char *const words[] = {(char *)"true", NULL};
    execve("/bin/true", words, words + 1);
    return errno;
  }
  case 4:
    return kill(getppid(), 0) == 0 ? 0 : errno;
  default:
    return -1;
  }
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}
