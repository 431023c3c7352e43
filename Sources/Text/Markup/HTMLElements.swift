/// Names of HTML elements that several readers of markup ask for.
package enum HTMLElements {
  /// Elements without content and end tag (WHATWG HTML, "void elements"), with `param`, which earlier
  /// versions have. In lower case.
  package static let void = named(
    "area base br col embed hr img input link meta param source track wbr")

  /// A set of names, which are separated by spaces.
  package static func named(_ names: String) -> Set<PackedName> {
    Set(names.split(separator: " ").map { PackedName($0) })
  }
}
