#pragma once
#include <errno.h>
#include <iconv.h>

// What became of the bytes given to iconv.
typedef enum {
  TELEX_ICONV_ALL,
  // There is no room for what comes next.
  TELEX_ICONV_FULL,
  // What comes next is no character.
  TELEX_ICONV_INVALID,
  // What comes next is the beginning of a character.
  TELEX_ICONV_CUT
} telex_iconv_outcome;

// iconv asks for a pointer it may write through, and does not.
static inline telex_iconv_outcome telex_iconv(iconv_t converter, const char **input, size_t *left,
                                              char **output, size_t *room) {
  errno = 0;
  if (iconv(converter, (char **)input, left, output, room) != (size_t)-1) return TELEX_ICONV_ALL;
  if (errno == E2BIG) return TELEX_ICONV_FULL;
  return errno == EINVAL ? TELEX_ICONV_CUT : TELEX_ICONV_INVALID;
}
