internal import Text

extension MarkupTokenizer.Tag {
  /// The first 32 attributes by their names in lower case, with references decoded; of several of one name,
  /// the first.
  func values(in bytes: ByteBuffer) -> [String: String] {
    var values: [String: String] = [:]
    for attribute in MarkupAttributes(bytes, of: self) where values.count < 32 {
      let name = bytes.string(attribute.name).lowercased()
      if values[name] == nil {
        values[name] = CharacterReference.decoded(bytes.string(attribute.value))
      }
    }
    return values
  }
}

extension String {
  var lowercasedWords: [String] {
    lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The media type that a text begins with, in lower case and without parameters.
  var mediaType: String? {
    lowercased().split(separator: ";").first.map { PlainText.sanitized(String($0)) }
  }
}
