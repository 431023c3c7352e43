// What of ncurses, termios and signals Swift cannot import by itself: macros, globals, variadic
// functions, and the handler that must run without Swift.
#pragma once
// Wide characters first, or curses.h declares none of its wide functions.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// Pairs beyond what fits a short came with ncurses 6.1; macOS bears an older one.
#if defined(NCURSES_EXT_COLORS) && NCURSES_VERSION_PATCH >= 20180127
#define TELEX_EXTENDED_PAIRS 1
#else
#define TELEX_EXTENDED_PAIRS 0
#endif

// MARK: - Screen

/// A stream to the terminal with a descriptor that no other program gets. NULL where there is none left.
static inline FILE *telex_open_output(void) {
  int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd < 0) return NULL;
  FILE *stream = fdopen(fd, "w");
  if (stream == NULL) close(fd);
  return stream;
}

/// newterm() on standard input and a stream, which is standard output for NULL, without the signal handlers that it would
/// install: they draw and exit inside a handler.
static inline SCREEN *telex_newterm(const char *type, FILE *output) {
  const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
  struct sigaction before[4];
  for (int i = 0; i < 4; i++) sigaction(signals[i], NULL, &before[i]);
  SCREEN *screen = newterm(type, output == NULL ? stdout : output, stdin);
  for (int i = 0; i < 4; i++) sigaction(signals[i], &before[i], NULL);
  return screen;
}

/// Whether the terminal that newterm() claimed can move its cursor.
static inline bool telex_has_cursor_address(void) {
  const char *address = tigetstr("cup");
  return address != NULL && address != (const char *)-1 && *address != 0;
}

/// Where getch() reads: a pad, for it redraws any other window that it is called for. NULL when
/// there is no memory.
static inline void *telex_open_keyboard(void) {
  WINDOW *pad = newpad(1, 1);
  if (pad == NULL) return NULL;
  nodelay(pad, true);
  keypad(pad, true);
  return pad;
}

/// A byte, a code above them, or ERR when there is nothing.
static inline int telex_read_key(void *keyboard) { return wgetch((WINDOW *)keyboard); }

static inline WINDOW *telex_stdscr(void) { return stdscr; }

static inline int telex_colors(void) { return has_colors() ? COLORS : 0; }

static inline int telex_color_pairs(void) {
#if TELEX_EXTENDED_PAIRS
  return COLOR_PAIRS;
#else
  return COLOR_PAIRS < 32767 ? COLOR_PAIRS : 32767;
#endif
}

static inline bool telex_init_pair(int pair, int foreground, int background) {
#if TELEX_EXTENDED_PAIRS
  return init_extended_pair(pair, foreground, background) == OK;
#else
  return init_pair((short)pair, (short)foreground, (short)background) == OK;
#endif
}

static inline attr_t telex_attributes(bool bold, bool dim, bool italic, bool underline,
                                      bool reverse) {
  attr_t all = A_NORMAL;
  if (bold) all |= A_BOLD;
  if (dim) all |= A_DIM;
#ifdef A_ITALIC
  if (italic) all |= A_ITALIC;
#endif
  if (underline) all |= A_UNDERLINE;
  if (reverse) all |= A_REVERSE;
  return all;
}

/// A base and its combining marks, as ncurses keeps them. `count` is 1 to CCHARW_MAX.
static inline cchar_t telex_cell(const uint32_t *scalars, int count, attr_t attributes, int pair) {
  wchar_t text[CCHARW_MAX + 1] = {0};
  for (int i = 0; i < count && i < CCHARW_MAX; i++) text[i] = (wchar_t)scalars[i];
  cchar_t cell;
  memset(&cell, 0, sizeof cell);
#if TELEX_EXTENDED_PAIRS
  setcchar(&cell, text, attributes, 0, &pair);
#else
  setcchar(&cell, text, attributes, (short)pair, NULL);
#endif
  return cell;
}

/// The columns that ncurses will reckon with: −1 for what the C library cannot print.
static inline int telex_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

/// Makes LC_CTYPE a UTF-8 one: the user's own, or the C library's. False when there is none.
static inline bool telex_claim_utf8(void) {
  const char *names[] = {"", "C.UTF-8", "en_US.UTF-8", "UTF-8"};
  for (int i = 0; i < 4; i++)
    if (setlocale(LC_CTYPE, names[i]) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return true;
  return false;
}

// MARK: - Terminal line

/// The size that the kernel knows; false when it knows none.
static inline bool telex_window_size(int fd, int *width, int *height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *width = size.ws_col;
  *height = size.ws_row;
  return true;
}

/// The size of the window in pixels, where the terminal tells it.
static inline bool telex_window_pixels(int fd, int *width, int *height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_xpixel == 0 || size.ws_ypixel == 0) return false;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
  return true;
}

/// Whether the line is gone: nothing more can ever be read from it. Never waits.
static inline bool telex_is_hung_up(int fd) {
  struct pollfd state = {.fd = fd, .events = POLLIN};
  if (poll(&state, 1, 0) <= 0) return false;
  if (state.revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
  int waiting = 0;
  return ioctl(fd, FIONREAD, &waiting) != 0 || waiting == 0;
}

/// Whether there is something to read within so many milliseconds.
static inline bool telex_wait_for_input(int fd, int milliseconds) {
  struct pollfd state = {.fd = fd, .events = POLLIN};
  return poll(&state, 1, milliseconds) > 0 && (state.revents & POLLIN);
}

/// Whether some bytes can be written within so many milliseconds.
static inline bool telex_is_writable(int fd, int milliseconds) {
  struct pollfd state = {.fd = fd, .events = POLLOUT};
  return poll(&state, 1, milliseconds) > 0 && (state.revents & POLLOUT);
}

/// Writes all of it, unless the line fails. False where the line took nothing for a second before the end.
static inline bool telex_write(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd state = {.fd = fd, .events = POLLOUT};
      int ready = poll(&state, 1, 1000);
      if (ready == 0) return false;
      if (ready < 0 && errno != EINTR) return true;
    } else if (written == 0 || errno != EINTR) {
      return true;
    }
  }
  return true;
}

/// A file in memory, which no other program gets. Below 0 where the system has none.
static inline int telex_open_memory(void) {
#ifdef __linux__
  // MFD_CLOEXEC
  return (int)syscall(SYS_memfd_create, "telex-frame", 1u);
#else
  return -1;
#endif
}

/// Makes a descriptor another one for the file of the first. False where that fails.
static inline bool telex_point(int fd, int target) {
#ifdef __linux__
  long done;
  do done = syscall(SYS_dup3, target, fd, O_CLOEXEC); while (done < 0 && errno == EINTR);
  return done >= 0;
#else
  return false;
#endif
}

/// Stops the foreground job as the terminal's own Ctrl-Z would, and returns when it is continued in
/// the foreground. In a job that no shell waits for, the kernel drops the signal and this returns
/// at once.
static inline void telex_stop_job(int fd) {
  struct sigaction ignored = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL}, before;
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigaddset(&stop, SIGTTOU);
  // The others of the job first, for this process gets no further once it has stopped. kill() may
  // deliver its signal late and to another thread; raise() stops here and now.
  sigaction(SIGTSTP, &ignored, &before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &standard, NULL);
  // Dispatch's threads block every signal.
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  raise(SIGTSTP);
  // Continued in the background (`bg`): the terminal is not ours to claim. The bound is for a job
  // whose shell has gone, which nothing stops any more.
  for (int i = 0; i < 16 && tcgetpgrp(fd) != getpgrp(); i++) raise(SIGTTOU);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
}

// MARK: - Rescue

// The object file of each Swift file has its own copy of what is static here: only Rescue.swift may
// call the functions below.

#define TELEX_RESCUE_SIGNALS {SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGQUIT}
enum { telex_rescue_count = 7 };

struct telex_rescue {
  int fd;
  struct termios modes;
  const char *leave;
  size_t leave_length;
  volatile sig_atomic_t armed;
  struct sigaction before[telex_rescue_count];
  char stack[65536];
};

static inline struct telex_rescue *telex_rescue_state(void) {
  static struct telex_rescue state;
  return &state;
}

/// Gives the terminal back after a crash or SIGQUIT, then lets the crash go on to whoever handled it before.
/// Calls async-signal-safe functions only.
static inline void telex_terminal_rescue(int crash) {
  struct telex_rescue *rescue = telex_rescue_state();
  const int signals[] = TELEX_RESCUE_SIGNALS;
  if (rescue->armed) {
    rescue->armed = 0;
    // In the background the terminal belongs to another program.
    if (tcgetpgrp(rescue->fd) == getpgrp()) {
      telex_write(rescue->fd, rescue->leave, rescue->leave_length);
      tcsetattr(rescue->fd, TCSANOW, &rescue->modes);
    }
  }
  for (int i = 0; i < telex_rescue_count; i++)
    if (signals[i] == crash) sigaction(crash, &rescue->before[i], NULL);
  // Blocked until this handler returns: the handler before sees the place of the crash.
  raise(crash);
}

/// Lets the calling thread run the rescue on a stack of its own, so that a full stack is no obstacle.
/// All threads share the one: the first crash is the last. A thread that has such a stack keeps it.
static inline void telex_rescue_use_stack(void) {
  struct telex_rescue *rescue = telex_rescue_state();
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  stack_t stack = {.ss_sp = rescue->stack, .ss_size = sizeof rescue->stack};
  sigaltstack(&stack, NULL);
}

/// Installs the rescue. `leave` is kept, not copied.
static inline void telex_rescue_install(int fd, const struct termios *modes, const char *leave) {
  struct telex_rescue *rescue = telex_rescue_state();
  const int signals[] = TELEX_RESCUE_SIGNALS;
  rescue->fd = fd;
  rescue->modes = *modes;
  rescue->leave = leave;
  rescue->leave_length = strlen(leave);
  struct sigaction action = {.sa_handler = telex_terminal_rescue, .sa_flags = SA_ONSTACK};
  for (int i = 0; i < telex_rescue_count; i++) {
    sigaction(signals[i], &action, &rescue->before[i]);
    // Who started the program may have it ignored: then it goes on, and keeps the terminal.
    if (signals[i] == SIGQUIT && rescue->before[i].sa_handler == SIG_IGN)
      sigaction(SIGQUIT, &rescue->before[i], NULL);
  }
}

/// What a crash writes from now on. `leave` is kept, not copied.
static inline void telex_rescue_leave(const char *leave) {
  struct telex_rescue *rescue = telex_rescue_state();
  // Never longer than what it points to, whenever a signal comes.
  rescue->leave_length = 0;
  atomic_signal_fence(memory_order_seq_cst);
  rescue->leave = leave;
  atomic_signal_fence(memory_order_seq_cst);
  rescue->leave_length = strlen(leave);
}

static inline void telex_rescue_arm(bool armed) { telex_rescue_state()->armed = armed; }
