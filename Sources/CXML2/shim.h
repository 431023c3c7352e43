#pragma once
// libxml2's ICU types clash with Foundation's: leave them out before its parser is read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
