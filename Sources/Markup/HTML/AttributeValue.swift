internal import Text

extension MarkupTokenizer.Tag {
  /// The value of an attribute with its references decoded; nil for none, and for one that is too long.
  ///
  /// - Parameter name: in lower case.
  func value(_ name: String, in input: ByteBuffer) -> String? {
    MarkupAttributes(input, of: self).first { attribute in
      attribute.hasValue && attribute.value.count <= HTMLNormalizer.longestAttribute
        && attribute.name.count == name.utf8.count
        && zip(input[attribute.name], name.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }.map { CharacterReference.decoded(input.string($0.value)) }
  }
}
