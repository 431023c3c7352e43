internal import Text

extension MarkupTokenizer.Tag {
  /// The first 32 attributes by lower-case names; the first of several of a name.
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

  /// In lower case, without parameters.
  var mediaType: String? {
    lowercased().split(separator: ";").first.map { PlainText.sanitized(String($0)) }
  }
}
