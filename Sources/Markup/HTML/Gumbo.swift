internal import CGumbo

/// Gumbo's tree of HTML that a normalizer has been over, which bounds what gumbo does with it.
enum Gumbo {
  typealias Node = UnsafeMutablePointer<GumboNode>

  /// Reads the tree and frees it. Does nothing for an empty text.
  ///
  /// - Parameter isFragment: whether the text is the content of an element, and no whole document.
  static func read(_ html: [UInt8], isFragment: Bool, _ body: (_ root: Node) -> Void) {
    html.withUnsafeBytes { buffer in
      var options = kGumboDefaultOptions
      if isFragment { options.fragment_context = GUMBO_TAG_DIV }
      options.max_errors = 0
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let start, let output = gumbo_parse_with_options(&options, start, buffer.count) else {
        return
      }
      defer { gumbo_destroy_output(&options, output) }
      body(output.pointee.root)
    }
  }

  static func attributes(of node: Node) -> [(name: String, value: String)] {
    let vector = node.pointee.v.element.attributes
    guard vector.length > 0 else { return [] }
    return (0..<Int(vector.length)).compactMap { index in
      guard let attribute = vector.data[index]?.assumingMemoryBound(to: GumboAttribute.self) else {
        return nil
      }
      return (String(cString: attribute.pointee.name), String(cString: attribute.pointee.value))
    }
  }
}
