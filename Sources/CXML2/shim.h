#pragma once
// libxml2's ICU types clash with Foundation's: leave them out before its parser is read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <errno.h>
#include <iconv.h>

// Without a handler libxml2 writes what it finds wrong to the terminal. Ours hands the message on to
// the function that the context carries. The handler's type differs between libxml2's versions by a
// const, which a cast in C sets aside.
typedef void (*telex_xml_report)(void *user, const char *message, int line);

static void telex_xml_hand_on_error(void *user, void *untyped) {
  const xmlError *error = (const xmlError *)untyped;
  if (error == NULL || error->ctxt == NULL) return;
  const xmlParserCtxt *context = (const xmlParserCtxt *)error->ctxt;
  telex_xml_report report = (telex_xml_report)context->_private;
  if (report != NULL) report(user, error->message, error->line);
}

static inline void telex_xml_report_errors(xmlSAXHandler *handler) {
  handler->initialized = XML_SAX2_MAGIC;
  handler->serror = (xmlStructuredErrorFunc)(void (*)(void))telex_xml_hand_on_error;
}

static inline void telex_xml_set_report(xmlParserCtxt *context, telex_xml_report report) {
  context->_private = (void *)report;
}

// In recovery libxml2 drops every reference (`&lt;` too) from the first error on, because the
// document is marked as not well-formed. This takes the mark away.
static inline void telex_xml_forgive(xmlParserCtxt *context) { context->wellFormed = 1; }

// The bytes that the parser has not come to yet.
static inline const xmlChar *telex_xml_rest(xmlParserCtxt *context, int *length) {
  *length = 0;
  if (context->input == NULL || context->input->cur == NULL) return NULL;
  *length = (int)(context->input->end - context->input->cur);
  return context->input->cur;
}

static inline int telex_xml_is_in_cdata(xmlParserCtxt *context) {
  return context->instate == XML_PARSER_CDATA_SECTION;
}

// SAX events make libxml2 keep declarations in a document of its own, which is ours to free.
static inline void telex_xml_free(xmlParserCtxt *context) {
  if (context->myDoc != NULL) xmlFreeDoc(context->myDoc);
  context->myDoc = NULL;
  xmlFreeParserCtxt(context);
}

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
