#ifndef TELEX_CBUILD_H
#define TELEX_CBUILD_H

/// The commit that was built, as `git describe` names it; an empty text where that is not known.
const char *telex_build_commit(void);

#endif
