// A disk on which writing fails now and then, loaded before the program's own libraries (LD_PRELOAD).
//
// FAULTY_DISK is "FOLDER:SEED:ONE_IN": of the calls that write to files under FOLDER, about one in so
// many fails with "no space left" or an input/output error, or writes only a part. Reading works.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[PATH_MAX];
static size_t folder_length;
static uint64_t seed, one_in;
static _Atomic uint64_t calls;

__attribute__((constructor)) static void read_settings(void) {
  const char *settings = getenv("FAULTY_DISK");
  if (settings && sscanf(settings, "%4095[^:]:%lu:%lu", folder, &seed, &one_in) == 3)
    folder_length = strlen(folder);
}

// The n-th number of the seed's row (splitmix64): no lock, and no state but the count.
static uint64_t number(uint64_t n) {
  uint64_t z = seed + n * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static int is_on_disk(int descriptor) {
  if (!folder_length || !one_in) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < (ssize_t)folder_length) return 0;
  return !memcmp(path, folder, folder_length);
}

// Zero lets the call go through; else it fails with that errno. `share` is set where only a part of
// what is to be written gets there.
static int fault(int descriptor, int *share) {
  int before = errno;
  int hit = is_on_disk(descriptor);
  errno = before;
  if (!hit) return 0;
  uint64_t draw = number(atomic_fetch_add(&calls, 1));
  if (draw % one_in) return 0;
  switch (draw / one_in % 4) {
  case 0: return EIO;
  case 1:
    if (share) {
      *share = 1;
      return 0;
    }
    return ENOSPC;
  default: return ENOSPC;
  }
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, name)

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  int share = 0, error = fault(descriptor, &share);
  if (error) return errno = error, -1;
  return real(descriptor, bytes, share && count > 1 ? count / 2 : count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  int share = 0, error = fault(descriptor, &share);
  if (error) return errno = error, -1;
  return real(descriptor, bytes, share && count > 1 ? count / 2 : count, at);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  int share = 0, error = fault(descriptor, &share);
  if (error) return errno = error, -1;
  return real(descriptor, bytes, share && count > 1 ? count / 2 : count, at);
}

int fsync(int descriptor) {
  REAL(int, "fsync", int);
  int error = fault(descriptor, NULL);
  if (error) return errno = error, -1;
  return real(descriptor);
}

int fdatasync(int descriptor) {
  REAL(int, "fdatasync", int);
  int error = fault(descriptor, NULL);
  if (error) return errno = error, -1;
  return real(descriptor);
}

int ftruncate(int descriptor, off_t length) {
  REAL(int, "ftruncate", int, off_t);
  int error = fault(descriptor, NULL);
  if (error) return errno = error, -1;
  return real(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
  REAL(int, "ftruncate64", int, off64_t);
  int error = fault(descriptor, NULL);
  if (error) return errno = error, -1;
  return real(descriptor, length);
}
