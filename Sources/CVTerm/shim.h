// What the terminal tests need in C: cells of libvterm without unions and bit fields, and a child
// on a pseudo-terminal, for no Swift may run between fork() and exec().
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>

// MARK: - Cells

typedef struct {
  uint32_t scalars[VTERM_MAX_CHARS_PER_CELL];
  int count;
  int width;
  bool bold, italic, underline, reverse;
  /// An index of the palette, −1 for the terminal's own colour, −2 for a colour outside it.
  int foreground, background;
} telex_vterm_cell;

static inline int telex_vterm_color(const VTermColor *color) {
  if (color->type & VTERM_COLOR_DEFAULT_MASK) return -1;
  return VTERM_COLOR_IS_INDEXED(color) ? color->indexed.idx : -2;
}

static inline telex_vterm_cell telex_vterm_cell_at(const VTermScreen *screen, int x, int y) {
  telex_vterm_cell flat = {.width = 1};
  VTermScreenCell cell;
  if (!vterm_screen_get_cell(screen, (VTermPos){.row = y, .col = x}, &cell)) return flat;
  // The cell that a wide character covers holds −1.
  if (cell.chars[0] == UINT32_MAX) {
    flat.width = 0;
  } else {
    while (flat.count < VTERM_MAX_CHARS_PER_CELL && cell.chars[flat.count]) {
      flat.scalars[flat.count] = cell.chars[flat.count];
      flat.count++;
    }
    flat.width = cell.width;
  }
  flat.bold = cell.attrs.bold;
  flat.italic = cell.attrs.italic;
  flat.underline = cell.attrs.underline != VTERM_UNDERLINE_OFF;
  flat.reverse = cell.attrs.reverse;
  flat.foreground = telex_vterm_color(&cell.fg);
  flat.background = telex_vterm_color(&cell.bg);
  return flat;
}

// MARK: - Child

/// Cells, and pixels where the terminal tells them, else 0.
static inline int telex_pty_resize(int master, int width, int height, int x_pixels,
                                   int y_pixels) {
  struct winsize size = {.ws_row = (unsigned short)height,
                         .ws_col = (unsigned short)width,
                         .ws_xpixel = (unsigned short)x_pixels,
                         .ws_ypixel = (unsigned short)y_pixels};
  return ioctl(master, TIOCSWINSZ, &size);
}

/// The child's part after fork(): async-signal-safe calls only. Returns when it fails.
static inline void telex_pty_become(int slave, const char *path, char *const arguments[],
                                    char *const environment[]) {
  if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0) return;
  for (int fd = 0; fd < 3; fd++)
    if (dup2(slave, fd) < 0) return;
  // Ignored signals and the mask outlive exec(), and Dispatch's threads block every signal.
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, arguments, environment);
}

/// Runs a program as the leader of a session whose terminal is new, with no other descriptors than
/// the three standard ones. Returns its id, or −1 with errno set; `master` is the other end of the
/// terminal, non-blocking.
static inline pid_t telex_pty_spawn(const char *path, char *const arguments[],
                                    char *const environment[], int width, int height,
                                    int *master) {
  int slave = -1, report[2] = {-1, -1}, failure = 0;
  pid_t child = -1;
  // Closed on exec() from the first moment: other tests start children at any time.
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0) return -1;
  char name[128];
  if (grantpt(*master) < 0 || unlockpt(*master) < 0 ||
      ptsname_r(*master, name, sizeof name) != 0 ||
      (slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0 ||
      telex_pty_resize(*master, width, height, 0, 0) < 0)
    goto failed;
#ifdef __linux__
  if (pipe2(report, O_CLOEXEC) < 0) goto failed;
#else
  if (pipe(report) < 0) goto failed;
  fcntl(report[0], F_SETFD, FD_CLOEXEC);
  fcntl(report[1], F_SETFD, FD_CLOEXEC);
#endif
  child = fork();
  if (child < 0) goto failed;
  if (child == 0) {
#ifdef SYS_close_range
    // Not even what was opened this moment; 4 is CLOSE_RANGE_CLOEXEC.
    (void)!syscall(SYS_close_range, 3, ~0U, 4);
#endif
    telex_pty_become(slave, path, arguments, environment);
    failure = errno;
    (void)!write(report[1], &failure, sizeof failure);
    _exit(127);
  }
  close(slave);
  close(report[1]);
  slave = report[1] = -1;
  // exec() closes the pipe; only a failure comes through it.
  while (read(report[0], &failure, sizeof failure) < 0 && errno == EINTR) continue;
  if (failure != 0) {
    waitpid(child, NULL, 0);
    errno = failure;
    goto failed;
  }
  close(report[0]);
  fcntl(*master, F_SETFL, fcntl(*master, F_GETFL) | O_NONBLOCK);
  return child;

failed:
  failure = errno;
  if (slave >= 0) close(slave);
  if (report[0] >= 0) close(report[0]);
  if (report[1] >= 0) close(report[1]);
  close(*master);
  errno = failure;
  return -1;
}

/// A second descriptor for the same file, closed on exec().
static inline int telex_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

/// What the program has written, waiting up to `milliseconds` for it. 0 when it has written nothing,
/// −1 when nothing will follow.
static inline ssize_t telex_pty_read(int fd, void *buffer, size_t capacity, int milliseconds) {
  struct pollfd state = {.fd = fd, .events = POLLIN};
  int ready = poll(&state, 1, milliseconds);
  if (ready <= 0) return ready == 0 || errno == EINTR ? 0 : -1;
  ssize_t count = read(fd, buffer, capacity);
  if (count > 0) return count;
  // Linux says EIO once the other side is closed, macOS ends the file.
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/// Writes all of it; false when the program does not read for ten seconds, or has gone.
static inline bool telex_pty_write(int fd, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd state = {.fd = fd, .events = POLLOUT};
      if (poll(&state, 1, 10000) <= 0) return false;
    } else if (written == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Closes this end of the terminal, which hangs the program's end up; the number stays taken, so
/// that no other file gets it.
static inline void telex_pty_hang_up(int master) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  dup2(nothing, master);
  fcntl(master, F_SETFD, FD_CLOEXEC);
  close(nothing);
}

/// The text of errno.
static inline const char *telex_last_error(void) { return strerror(errno); }

/// How a child ended: 0 while it runs, 1 with its exit code, 2 with the signal that ended it. Reaps
/// it. −1 when there is no such child.
static inline int telex_wait(pid_t child, bool wait, int *value) {
  int status = 0;
  pid_t ended;
  do ended = waitpid(child, &status, wait ? 0 : WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return 0;
  if (ended < 0) return -1;
  *value = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return WIFEXITED(status) ? 1 : 2;
}
