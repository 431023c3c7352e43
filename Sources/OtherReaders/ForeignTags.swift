internal import Text

/// The tags of a document in XML that a program has written, with their attributes, in the order of the document.
struct ForeignTags {
  struct Tag: Hashable {
    /// Without its prefix, as attributes are.
    var name: String
    var isEnd: Bool
    /// Whether it is an empty element.
    var closesItself: Bool
    /// Values with their references decoded.
    var attributes: [String: String]
    /// From 1.
    var line: Int
  }

  static func all(of text: String) -> [Tag] {
    text.withBytes { bytes in
      var tokenizer = MarkupTokenizer(bytes, skipsRawText: false)
      var tags: [Tag] = []
      var (line, counted) = (1, 0)
      while let tag = tokenizer.nextTag() {
        guard tag.kind != .other else { continue }
        line += bytes[counted..<tag.start].count { $0 == 0x0A }
        counted = tag.start
        var attributes: [String: String] = [:]
        for attribute in MarkupAttributes(bytes, of: tag) {
          let value = CharacterReference.decoded(bytes.string(attribute.value))
          attributes[local(bytes.string(attribute.name))] = value
        }
        let closesItself = tag.attributes.count > 0 && bytes[tag.attributes.upperBound - 1] == 0x2F
        tags.append(
          Tag(
            name: local(bytes.string(tag.name)), isEnd: tag.kind == .close,
            closesItself: closesItself, attributes: attributes, line: line))
      }
      return tags
    }
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
  }
}
