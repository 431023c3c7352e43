#pragma once
#include <zlib.h>

// A macro in zlib. 32 is added to the largest window so that gzip's and zlib's header are both known.
static inline int telex_inflate_begin(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
