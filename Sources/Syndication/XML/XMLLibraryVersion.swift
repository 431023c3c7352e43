internal import CXML2

/// The library that reads XML.
package enum XMLLibrary {
  /// Its name with the version of its headers, as in `libxml2 2.9.14`.
  package static var version: String { "libxml2 \(LIBXML_DOTTED_VERSION)" }
}
