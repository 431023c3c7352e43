/// A part of a paragraph that is set below the one before it.
package enum ParagraphPart: Hashable, Sendable {
  case text([Inline])
  /// Larger than a sign, so that it stands by itself.
  case picture(Image)
}

extension [Inline] {
  /// The parts of a paragraph, in their order: the pictures within its text that are no signs of it, and the text around
  /// them. Nil where all of it is text.
  package var partsAroundPictures: [ParagraphPart]? {
    let places = indices.filter(isPicture)
    guard !places.isEmpty else { return nil }
    var parts: [ParagraphPart] = []
    var start = startIndex
    // Places that links lead to, which go to the next text, else to the one before.
    var held: [Inline] = []
    func appendText(_ text: ArraySlice<Inline>) {
      let text = held + Self.trimmed(text)
      if text.contains(where: \.shows) {
        parts.append(.text(text))
        held = []
      } else {
        held = text.filter { !$0.isText }
      }
    }
    for place in places {
      appendText(self[start..<place])
      if case .image(let image) = self[place] { parts.append(.picture(image)) }
      start = place + 1
    }
    appendText(self[start...])
    if !held.isEmpty {
      let last = parts.lastIndex { if case .text = $0 { true } else { false } }
      if let last, case .text(let before) = parts[last] { parts[last] = .text(before + held) }
    }
    return parts
  }

  /// Whether this is a picture larger than 32 pixels each way; or one of unknown size that has its line for itself, which
  /// a smiley has not.
  private func isPicture(_ index: Int) -> Bool {
    guard case .image(let image) = self[index], let source = image.source,
      !image.isFormula(at: source)
    else { return false }
    if let size = image.size { return !Image.isSign(width: size.width, height: size.height) }
    return self[..<index].last(where: \.isText).map { $0 == .lineBreak } ?? true
      && self[(index + 1)...].first(where: \.isText).map { $0 == .lineBreak } ?? true
  }

  /// Without line breaks and spaces at its ends.
  private static func trimmed(_ inlines: ArraySlice<Inline>) -> [Inline] {
    var inlines = Array(inlines)
    while let first = inlines.firstIndex(where: \.isText) {
      if inlines[first] != .lineBreak {
        guard case .text(let text, let traits, let link) = inlines[first], text.utf8.first == 0x20
        else { break }
        inlines[first] = .text(String(text.dropFirst()), traits, link: link)
        if text.utf8.count > 1 { break }
      }
      inlines.remove(at: first)
    }
    while let last = inlines.lastIndex(where: \.isText) {
      if inlines[last] != .lineBreak {
        guard case .text(let text, let traits, let link) = inlines[last], text.utf8.last == 0x20
        else { break }
        inlines[last] = .text(String(text.dropLast()), traits, link: link)
        if text.utf8.count > 1 { break }
      }
      inlines.remove(at: last)
    }
    return inlines
  }
}

extension Image {
  /// Pixels of a side up to which a picture is a sign in the text: an icon, a smiley.
  static let longestSign = 32

  /// Whether a picture of this size is a sign in the text.
  static func isSign(width: Int, height: Int) -> Bool {
    width <= longestSign || height <= longestSign
  }

  /// Whether it comes from a server that sets formulas, whose description is the formula.
  fileprivate func isFormula(at source: String) -> Bool {
    guard !alt.isEmpty else { return false }
    return ["latex", "mimetex", "mathtex", "/math/render"].contains { source.contains($0) }
  }
}

extension Inline {
  fileprivate var isText: Bool {
    switch self {
    case .text(let text, _, _): !text.isEmpty
    case .lineBreak, .image: true
    case .anchor: false
    }
  }

  fileprivate var shows: Bool { isText && self != .lineBreak }
}
