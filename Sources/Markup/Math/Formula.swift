/// A mathematical formula, from MathML or TeX, to be written on one line.
indirect enum Formula {
  /// A name, a number, an operator or words.
  case text(String)
  case row([Formula])
  case fraction(Formula, Formula)
  /// A square root, or that of the index.
  case root(Formula, index: Formula?)
  case scripts(Formula, below: Formula?, above: Formula?)
  /// A letter and a combining mark.
  case accented(Formula, Unicode.Scalar)
  /// Rows of a matrix; without brackets, those of equations one below the other.
  case table([[Formula]])

  /// Levels of formulas in formulas; what is nested deeper is a row of its parts.
  static let deepest = 32

  /// The formula as text: `x² = (a+b)/2`. Operators have spaces at the top level alone.
  var text: String {
    let text = text(isSpaced: true)
    return Formula.tidied(text.split(separator: " ").joined(separator: " "))
  }

  /// Words stand between spaces, of which brackets and commas need none within.
  private static func tidied(_ text: String) -> String {
    guard text.contains(" ") else { return text }
    var tidied = ""
    for sign in text {
      if ")],".contains(sign), tidied.last == " " { tidied.removeLast() }
      if sign == " ", let last = tidied.last, "([".contains(last) { continue }
      tidied.append(sign)
    }
    return tidied
  }

  private func text(isSpaced: Bool = false) -> String { written(isSpaced: isSpaced).text }

  /// The text, and whether it ends with a script that is written in letters of the line, without brackets.
  ///
  /// Recursive: formulas nest at most `deepest` levels deep, and each level writes what is in it once.
  private func written(isSpaced: Bool) -> (text: String, endsInScript: Bool) {
    switch self {
    case .text(let text): return (text, false)
    case .row(let parts): return Formula.joined(parts, isSpaced: isSpaced)
    case .fraction(let above, let below):
      let (dividend, divisor) = (
        above.inBrackets(unless: \.isProduct), below.inBrackets(unless: \.isSingle)
      )
      return (dividend + "/" + divisor, false)
    case .root(let inner, let index):
      let sign = Formula.sign(ofRoot: index?.text() ?? "")
      return (sign + inner.inBrackets(unless: \.isSingle), false)
    case .scripts(let base, let below, let above):
      let lowered = ScriptText.lowered.text(below?.text() ?? "", isWhole: below?.isWhole ?? true)
      let raised = Formula.raised(above?.text() ?? "", isWhole: above?.isWhole ?? true)
      let script = above == nil ? lowered : raised
      let isInLine = (script.first == "^" || script.first == "_") && script.last != ")"
      return (base.inBrackets(unless: \.isBase) + lowered + raised, isInLine)
    case .accented(let base, let mark):
      let text = base.text()
      // A mark over several letters would stand on the last of them.
      return (text.count == 1 ? text + String(mark) : text, false)
    case .table(let rows):
      return (Formula.text(of: rows, separator: " ", isSpaced: isSpaced), false)
    }
  }

  private static func raised(_ text: String, isWhole: Bool) -> String {
    switch text {
    // Primes and degrees stand above the line by themselves.
    case "′", "″", "‴": text
    case "'": "′"
    case "∘": "°"
    default: ScriptText.raised.text(text, isWhole: isWhole)
    }
  }

  private static func sign(ofRoot index: String) -> String {
    switch index {
    case "", "2": "√"
    case "3": "∛"
    case "4": "∜"
    default: (ScriptText.raised.signs(for: index) ?? "(\(index))") + "√"
    }
  }

  private static func text(
    of rows: [[Formula]], separator: String, isSpaced: Bool
  ) -> String {
    rows.map { row in
      // Equations are aligned at an operator.
      if separator == " ", row.dropFirst().contains(where: \.beginsWithOperator) {
        return joined(row.flatMap(\.parts), isSpaced: isSpaced).text
      }
      return row.map { $0.text(isSpaced: isSpaced) }.filter { !$0.isEmpty }
        .joined(separator: separator)
    }
    .filter { !$0.isEmpty }.joined(separator: "; ")
  }

  // MARK: Brackets

  private func inBrackets(unless isClear: (Formula) -> Bool) -> String {
    let text = text()
    return isClear(self) || text.isEmpty ? text : "(\(text))"
  }

  /// Without rows of one part.
  private var core: Formula {
    var formula = self
    while case .row(let parts) = formula, parts.count == 1 { formula = parts[0] }
    return formula
  }

  /// A name or a number, with or without scripts, or what is in brackets.
  private var isSingle: Bool {
    switch core {
    case .text(let text): ScriptText.isWord(text) || text.count == 1
    case .scripts, .accented: true
    case .row(let parts): Formula.isBracketed(parts) || parts.isEmpty
    case .fraction, .root, .table: false
    }
  }

  /// One name or number.
  private var isWhole: Bool { if case .text = core { true } else { false } }

  /// Whether scripts may be attached.
  private var isBase: Bool {
    switch core {
    case .text, .accented: true
    case .row(let parts): Formula.isBracketed(parts) || parts.isEmpty
    case .fraction, .root, .scripts, .table: false
    }
  }

  /// Names, numbers and brackets in a row, which a stroke below divides as a whole.
  private var isProduct: Bool {
    guard case .row(let parts) = core else { return isSingle }
    var depth = 0
    return parts.allSatisfy { part in
      guard case .text(let text) = part.core else { return depth > 0 || part.isSingle }
      if "([{".contains(text) { depth += 1 }
      if ")]}".contains(text) { depth -= 1 }
      return depth > 0 || ScriptText.isWord(text) || ")]}".contains(text)
    }
  }

  private static func isBracketed(_ parts: [Formula]) -> Bool {
    guard parts.count > 1, case .text(let first) = parts[0],
      case .text(let last) = parts[parts.count - 1],
      let pair = pairs[first], pair == last
    else { return false }
    // "(a)(b)" is in no brackets.
    return !parts.dropFirst().dropLast().contains {
      if case .text(let text) = $0 { text == first || text == last } else { false }
    }
  }

  private static let pairs = ["(": ")", "[": "]", "{": "}", "|": "|", "⟨": "⟩", "‖": "‖"]

  // MARK: Rows

  private var parts: [Formula] {
    if case .row(let parts) = self { parts } else { [self] }
  }

  private var beginsWithOperator: Bool {
    guard case .text(let sign)? = parts.first else { return false }
    return Formula.operators.contains(sign)
  }

  private static func joined(
    _ parts: [Formula], isSpaced: Bool
  ) -> (text: String, endsInScript: Bool) {
    var output = ""
    /// Whether a sign that comes now is that of a number, as in "= −1".
    var isPrefix = true
    var isBehindName = false
    /// Whether what comes now would be read as a part of a script: "ω_i t" must not become "ω_it".
    var isBehindScript = false
    for (index, part) in parts.enumerated() {
      if case .table(let rows) = part.core {
        // In brackets it is a matrix.
        let isMatrix = output.last.map { "([{|‖".contains($0) } ?? false
        output += text(of: rows, separator: isMatrix ? ", " : " ", isSpaced: isSpaced && !isMatrix)
        (isPrefix, isBehindName, isBehindScript) = (false, false, false)
        continue
      }
      let (text, endsInScript) = part.written(isSpaced: isSpaced)
      guard !text.isEmpty else { continue }
      if case .text(let sign) = part.core, operators.contains(sign) {
        output += isSpaced && !isPrefix ? " \(sign) " : sign
        (isPrefix, isBehindName, isBehindScript) = (true, false, false)
        continue
      }
      let begins = text.first.map { $0.isLetter || $0.isNumber || $0 == "√" } ?? false
      let isName = part.isName
      // "sin x", "2 sin x", but "2x".
      if begins,
        isBehindName || isBehindScript
          || isName && (output.last?.isLetter ?? false || output.last?.isNumber ?? false)
      {
        output += " "
      }
      output += text
      if text == ",", isSpaced, index + 1 < parts.count { output += " " }
      isPrefix = text.last.map { "([{,|".contains($0) } ?? false
      isBehindName = isName
      isBehindScript = endsInScript
    }
    return (output, parts.count == 1 && isBehindScript)
  }

  /// The name of a function, or a sign like that of a sum, with its limits: a space parts it from its argument.
  private var isName: Bool {
    switch core {
    case .text(let text):
      Formula.largeOperators.contains(text) || text.count > 1 && text.allSatisfy(\.isLetter)
    case .scripts(let base, _, _): base.isName
    default: false
    }
  }

  private static let operators: Set<String> = [
    "+", "−", "-", "±", "∓", "=", "≠", "<", ">", "≤", "≥", "≪", "≫", "≈", "≡", "∼", "≃", "≅", "∝",
    "∈", "∉",
    "∋", "⊂", "⊃", "⊆", "⊇", "∪", "∩", "∖", "∧", "∨", "→", "←", "↔", "⇒", "⇐", "⇔", "↦", "⟶", "⟹",
    "⟺",
    "×", "÷", "⊕", "⊗", "≔", ":=", "⊢", "⊨", "⟂", "∥",
  ]
  private static let largeOperators: Set<String> = [
    "∑", "∏", "∐", "∫", "∬", "∭", "∮", "⋃", "⋂", "⋁", "⋀", "⨁", "⨂",
  ]
}
