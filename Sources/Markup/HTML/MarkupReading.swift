internal import Text

/// The reading of an HTML document, in either of two ways that come to the same.
package struct MarkupReading {
  private let normal: HTMLNormalizer.Result
  private let isCut: Bool
  private let lengths: [String: Double]
  private let resolve: ((String) -> String?)?

  /// - Parameters: those of `Markup.document(html:lengths:resolve:)`.
  package init(
    html: String, lengths: [String: Double] = [:], resolve: ((String) -> String?)? = nil
  ) {
    let (text, isCut) = Markup.capped(html)
    // Once for what stands in the bytes, and again in the builder for what entities decode to.
    normal = HTMLNormalizer.normalize(PlainText.sanitizedBlock(text))
    self.isCut = isCut
    self.lengths = lengths
    self.resolve = resolve
  }

  package var document: Document { nestedDocument ?? treeDocument }

  /// The document as it is where elements nest as they are written; nil where they do not.
  package var nestedDocument: Document? {
    var builder = builder
    return NestedHTML.read(normal.html, into: &builder) ? builder.finish(warnings: warnings) : nil
  }

  /// The document by the rules for any HTML.
  package var treeDocument: Document {
    var builder = builder
    HTMLTree.read(normal.html, into: &builder)
    return builder.finish(warnings: warnings)
  }

  private var builder: DocumentBuilder {
    DocumentBuilder(
      addresses: AddressFilter(resolve: resolve), lengths: lengths, formulas: normal.formulas,
      places: normal.places)
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if normal.losses.contains(.nesting) { warnings.append(Markup.nestingNote) }
    if normal.losses.contains(.elements) { warnings.append(Markup.elementsNote) }
    if isCut { warnings.append(Markup.cutNote) }
    return warnings
  }
}
