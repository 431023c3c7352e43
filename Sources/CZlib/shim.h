#pragma once
#include <zlib.h>

// A macro in zlib. 32 is added to the largest window so that gzip's and zlib's header are both known.
static inline int telex_inflate_begin(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

// The same for one format: 15 for zlib, 15 + 16 for gzip, -15 for neither's frame.
static inline int telex_inflate_begin_as(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

// A macro in zlib, too: deflate without a frame, as ZIP has it.
static inline int telex_deflate_begin(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
