internal import Text

/// Reads MathML (MathML Core, and what MathML 3 has beside it) as a formula on one line.
struct MathML {
  private struct Open {
    var name: String
    var children: [Formula] = []
    /// The content of an element of text.
    var text = ""
    var attributes: [String: String] = [:]
  }

  private var open = [Open(name: "math")]
  private var tex: String?

  /// - Parameters:
  ///   - bytes: the document.
  ///   - content: what stands between `<math>` and `</math>`.
  ///   - alternative: its `alttext`, in TeX.
  /// - Returns: the formula as text; from its annotation or the alternative where it has no presentation.
  static func text(_ bytes: ByteBuffer, _ content: Range<Int>, alternative: String?) -> String {
    var reader = MathML()
    var tokenizer = MarkupTokenizer(bytes, skipsRawText: false)
    tokenizer.move(to: content.lowerBound)
    var position = content.lowerBound
    while position < content.upperBound, let tag = tokenizer.nextTag(),
      tag.start < content.upperBound
    {
      reader.append(bytes.string(position..<tag.start))
      position = tag.end
      let name = String(bytes.string(tag.name).lowercased().split(separator: ":").last ?? "")
      switch tag.kind {
      case .open:
        var attributes: [String: String] = [:]
        for attribute in MarkupAttributes(bytes, of: tag).prefix(16)
        where attribute.value.count < 64 {
          attributes[bytes.string(attribute.name).lowercased()] = bytes.string(attribute.value)
        }
        let isClosed = bytes[max(tag.start, tag.end - 2)] == UInt8(ascii: "/")
        reader.begin(name, attributes, isClosed: isClosed)
      case .close: reader.end(name)
      case .other: break
      }
    }
    if position < content.upperBound { reader.append(bytes.string(position..<content.upperBound)) }
    while reader.open.count > 1 { reader.end(reader.open[reader.open.count - 1].name) }
    let text = Formula.row(reader.open[0].children).text
    if !text.isEmpty { return text }
    return (reader.tex ?? alternative).map { TeX.text($0) } ?? ""
  }

  private mutating func append(_ raw: String) {
    guard MathML.isToken(open[open.count - 1].name) else { return }
    open[open.count - 1].text += CharacterReference.decoded(raw)
  }

  private mutating func begin(_ name: String, _ attributes: [String: String], isClosed: Bool) {
    // Elements inside of text, as HTML may have them, are text.
    guard !MathML.isToken(open[open.count - 1].name), open.count < Formula.deepest else { return }
    open.append(Open(name: name, attributes: attributes))
    if isClosed { end(name) }
  }

  private mutating func end(_ name: String) {
    guard let index = open.lastIndex(where: { $0.name == name }), index > 0 else { return }
    while open.count > index {
      let closed = open.removeLast()
      if let formula = formula(of: closed) { open[open.count - 1].children.append(formula) }
    }
  }

  private static func isToken(_ name: String) -> Bool {
    switch name {
    case "mi", "mn", "mo", "mtext", "ms", "annotation": true
    default: false
    }
  }

  private mutating func formula(of element: Open) -> Formula? {
    let parts = element.children
    switch element.name {
    case "mi", "mn", "ms": return .text(MathML.words(element.text))
    case "mtext":
      let text = MathML.words(element.text)
      return .text(text.allSatisfy(\.isLetter) ? " \(text) " : text)
    case "mo": return .text(MathML.sign(element.text))
    case "mspace": return .text(" ")
    case "annotation":
      if element.attributes["encoding"]?.lowercased().contains("tex") == true { tex = element.text }
      return nil
    case "annotation-xml", "mphantom", "none", "mprescripts": return nil
    case "semantics": return parts.first
    case "mfrac" where parts.count == 2: return .fraction(parts[0], parts[1])
    case "msqrt": return .root(.row(parts), index: nil)
    case "mroot" where parts.count == 2: return .root(parts[0], index: parts[1])
    case "msub" where parts.count == 2: return .scripts(parts[0], below: parts[1], above: nil)
    case "msup" where parts.count == 2: return .scripts(parts[0], below: nil, above: parts[1])
    case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
      return .scripts(parts[0], below: parts[1], above: parts[2])
    case "munder" where parts.count == 2:
      return MathML.isDecoration(parts[1])
        ? parts[0] : .scripts(parts[0], below: parts[1], above: nil)
    case "mover" where parts.count == 2:
      if let mark = MathML.accent(parts[1]) { return .accented(parts[0], mark) }
      return MathML.isDecoration(parts[1])
        ? parts[0] : .scripts(parts[0], below: nil, above: parts[1])
    case "mfenced":
      let separator = element.attributes["separators"]?.first.map(String.init) ?? ","
      let inner = parts.enumerated().flatMap { $0 == 0 ? [$1] : [.text(separator), $1] }
      return .row(
        [.text(element.attributes["open"] ?? "(")] + inner
          + [.text(element.attributes["close"] ?? ")")])
    case "mtd": return .row(parts)
    case "mtr", "mlabeledtr": return .table([parts])
    case "mtable":
      return .table(
        parts.flatMap { part -> [[Formula]] in
          if case .table(let rows) = part { rows } else { [[part]] }
        })
    default: return parts.isEmpty ? nil : .row(parts)
    }
  }

  private static func words(_ text: String) -> String {
    PlainText.sanitized(text.filter { !$0.isInvisibleOperator })
  }

  private static func sign(_ text: String) -> String {
    let sign = words(text)
    return sign == "-" ? "−" : sign
  }

  private static func accent(_ formula: Formula) -> Unicode.Scalar? {
    guard case .text(let sign) = formula else { return nil }
    return accents[sign]
  }

  private static let accents: [String: Unicode.Scalar] = [
    "^": "\u{302}", "ˆ": "\u{302}", "~": "\u{303}", "˜": "\u{303}", "¯": "\u{304}", "‾": "\u{304}",
    "―": "\u{304}", "ˉ": "\u{304}", "_": "\u{304}", "˙": "\u{307}", ".": "\u{307}", "¨": "\u{308}",
    "→": "\u{20D7}", "⃗": "\u{20D7}",
  ]

  /// Braces and lines that take the width of what they are beside.
  private static func isDecoration(_ formula: Formula) -> Bool {
    guard case .text(let sign) = formula else { return false }
    return ["⏞", "⏟", "⎴", "⎵", "_", "̲", "¯", "‾"].contains(sign)
  }
}

extension Character {
  /// Function application, invisible times, comma and plus.
  fileprivate var isInvisibleOperator: Bool {
    unicodeScalars.count == 1
      && unicodeScalars.first.map { (0x2061...0x2064).contains($0.value) } ?? false
  }
}
