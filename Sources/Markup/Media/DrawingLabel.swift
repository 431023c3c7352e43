internal import Text

/// The words that stand for an `<svg>`: its label or its title.
enum DrawingLabel {
  /// In pixels: a drawing that is as small stands for a word beside it.
  private static let largestIcon = 48.0

  /// - Parameter end: where its end tag begins.
  /// - Returns: nil for a drawing without a name, one that is hidden, and an icon.
  static func label(
    of token: MarkupTokenizer.Tag, in input: ByteBuffer, upTo end: Int
  ) -> String? {
    let sizes =
      ["width", "height"].compactMap { token.value($0, in: input) }
      + (token.value("viewbox", in: input)?.split(separator: " ").suffix(2).map(String.init) ?? [])
    guard token.value("aria-hidden", in: input) != "true",
      !["none", "presentation"].contains(token.value("role", in: input) ?? ""),
      !sizes.contains(where: { size in
        Double(size.prefix { $0.isNumber || $0 == "." }).map { $0 <= largestIcon } == true
      })
    else { return nil }
    let label = token.value("aria-label", in: input) ?? title(in: input, from: token.end, upTo: end)
    return label.flatMap { WebAddress.isBlank($0) ? nil : $0 }
  }

  /// The `<title>` that a drawing begins with.
  private static func title(in input: ByteBuffer, from start: Int, upTo end: Int) -> String? {
    var tokenizer = MarkupTokenizer(input)
    tokenizer.move(to: start)
    guard let tag = tokenizer.nextTag(), tag.end <= end, input.isWord("title", in: tag.name),
      let close = input.firstIndex(of: UInt8(ascii: "<"), from: tag.end), close <= end
    else { return nil }
    return CharacterReference.decoded(input.string(tag.end..<close))
  }
}
