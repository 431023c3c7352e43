#include "CBuild.h"

// A definition of the compiler's command line, which Swift has none of: see Package.swift.
#ifndef TELEX_COMMIT
#define TELEX_COMMIT
#endif
#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

const char *telex_build_commit(void) { return TEXT(TELEX_COMMIT); }
