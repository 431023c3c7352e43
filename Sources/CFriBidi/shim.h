#pragma once

// FriBidi is opened at run time: nobody needs it to build or to start. Its headers are not needed either, so
// what is used of it is declared here. Versions from 1.0 on have these functions.

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// FriBidiParType: FRIBIDI_PAR_LTR and FRIBIDI_PAR_RTL.
  telex_fribidi_left_to_right = 0x110,
  telex_fribidi_right_to_left = 0x111,
};

typedef struct telex_fribidi {
  void (*types)(const uint32_t *text, int length, uint32_t *types);
  void (*brackets)(const uint32_t *text, int length, const uint32_t *types, uint32_t *brackets);
  /// The highest level plus one; 0 where there was no memory.
  int8_t (*levels)(
      const uint32_t *types, const uint32_t *brackets, int length, uint32_t *direction,
      int8_t *levels);
  /// Moves the entries of `map` from the order of the text to that of the screen. Changes `levels` (rule L1).
  int8_t (*reorder)(
      uint32_t flags, const uint32_t *types, int length, int offset, uint32_t direction,
      int8_t *levels, uint32_t *text, int *map);
  int (*mirror)(uint32_t scalar, uint32_t *mirrored);
} telex_fribidi;

/// Opens `library` and fills `table`. The library stays open for the life of the process.
static inline bool telex_fribidi_open(const char *library, telex_fribidi *table) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  *(void **)&table->types = dlsym(handle, "fribidi_get_bidi_types");
  *(void **)&table->brackets = dlsym(handle, "fribidi_get_bracket_types");
  *(void **)&table->levels = dlsym(handle, "fribidi_get_par_embedding_levels_ex");
  *(void **)&table->reorder = dlsym(handle, "fribidi_reorder_line");
  *(void **)&table->mirror = dlsym(handle, "fribidi_get_mirror_char");
  return table->types && table->brackets && table->levels && table->reorder && table->mirror;
}
