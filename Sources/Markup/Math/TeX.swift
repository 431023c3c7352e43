internal import Text

/// Reads the mathematics of TeX, as pages have it for MathJax and KaTeX, as a formula on one line.
struct TeX {
  /// Bytes of a formula; what is longer stays as it is.
  private static let longest = 16 << 10

  private var rest: Substring
  private var depth = 0

  static func text(_ tex: String) -> String {
    let plain = PlainText.sanitized(tex)
    guard plain.utf8.count <= longest else { return plain }
    var reader = TeX(rest: plain[...])
    var parts: [Formula] = []
    // A brace that closes nothing does not end the formula.
    repeat {
      parts += reader.row(until: { $0 == "}" })
    } while reader.rest.popFirst() != nil
    return Formula.row(parts).text
  }

  /// Whether what stands between MathJax's signs is a formula, and not words whose brackets were escaped: it has a command,
  /// a script or an equals sign, or is a letter.
  static func isFormula(_ text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    if text.count == 1 { return text.first?.isLetter == true }
    var before: Character = " "
    for character in text {
      if "^=".contains(character) || before == "\\" && character.isLetter
        || before == "_" && (character == "{" || character.isLetter || character.isNumber)
      {
        return true
      }
      before = character
    }
    return false
  }

  // MARK: Rows and tables

  /// Reads up to a character, which stays, or up to the end.
  private mutating func row(until isEnd: (Character) -> Bool) -> [Formula] {
    var parts: [Formula] = []
    while let next = rest.first, !isEnd(next) {
      if next == "\\",
        rest.hasPrefix("\\\\") || rest.hasPrefix("\\end")
          || rest.hasPrefix("\\right")
            && !rest.hasPrefix("\\rightarrow") && !rest.hasPrefix("\\rightharpoon")
      {
        if depth > 0 { return parts }
        // Outside of a table lines are separated, and what ends nothing shows nothing.
        if rest.hasPrefix("\\\\") {
          rest.removeFirst(2)
          parts.append(.text("; "))
        } else {
          rest.removeFirst()
          _ = command()
        }
        continue
      }
      if next == "&" {
        if depth > 0 { return parts }
        rest.removeFirst()
        continue
      }
      readPart(into: &parts)
    }
    return parts
  }

  /// Reads one thing, and adds it to a row.
  private mutating func readPart(into parts: inout [Formula]) {
    guard let next = rest.first else { return }
    switch next {
    case "^", "_":
      rest.removeFirst()
      let script = argument()
      let (below, above) = (next == "_" ? script : nil, next == "^" ? script : nil)
      let base = parts.popLast() ?? .row([])
      guard case .scripts(let inner, let ownBelow, let ownAbove) = base else {
        return parts.append(.scripts(base, below: below, above: above))
      }
      if next == "^" ? ownAbove == nil : ownBelow == nil {
        parts.append(.scripts(inner, below: below ?? ownBelow, above: above ?? ownAbove))
      } else {
        // A second one stands at nothing: scripts of scripts need braces.
        parts += [base, .scripts(.row([]), below: below, above: above)]
      }
    case "'":
      var primes = 0
      while rest.first == "'" {
        rest.removeFirst()
        primes += 1
      }
      parts.append(.text(primes == 2 ? "″" : String(repeating: "′", count: primes)))
    default: if let formula = one() { parts.append(formula) }
    }
  }

  /// A letter, a number, a group or a command; nil for what shows nothing.
  private mutating func one() -> Formula? {
    guard let next = rest.first else { return nil }
    if next.isNumber {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      let number = digits.last == "." ? digits.dropLast() : digits
      rest.removeFirst(number.count)
      return .text(String(number))
    }
    if next == "{" { return group() }
    rest.removeFirst()
    switch next {
    case "\\": return command().flatMap { formula(of: $0) }
    case " ", "$": return nil
    case "~": return .text(" ")
    case "-": return .text("−")
    case "*": return .text("∗")
    default: return .text(String(next))
    }
  }

  /// The argument in braces, or the one token that comes next.
  private mutating func argument() -> Formula {
    while rest.first == " " { rest.removeFirst() }
    // Of a number without braces the first digit is meant.
    if let digit = rest.first, digit.isNumber {
      rest.removeFirst()
      return .text(String(digit))
    }
    if rest.first == "}" || rest.first == "&" { return .row([]) }
    return one() ?? .row([])
  }

  private mutating func group() -> Formula {
    rest.removeFirst()
    guard depth < Formula.deepest else { return .row([]) }
    depth += 1
    let parts = row { $0 == "}" }
    depth -= 1
    if rest.first == "}" { rest.removeFirst() }
    return .row(parts)
  }

  /// The text in braces, as it is.
  private mutating func words() -> String {
    while rest.first == " " { rest.removeFirst() }
    guard rest.first == "{" else { return rest.popFirst().map(String.init) ?? "" }
    rest.removeFirst()
    var level = 1
    var words = ""
    while let next = rest.popFirst() {
      if next == "{" { level += 1 }
      if next == "}" { level -= 1 }
      if level == 0 { break }
      if next != "{", next != "}", next != "$" { words.append(next) }
    }
    return words
  }

  private mutating func optional() -> Formula? {
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    let parts = row { $0 == "]" || $0 == "}" }
    if rest.first == "]" { rest.removeFirst() }
    return .row(parts)
  }

  // MARK: Commands

  /// The name behind a backslash; nil at the end.
  private mutating func command() -> String? {
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    if !name.isEmpty {
      rest.removeFirst(name.count)
      return String(name)
    }
    return rest.popFirst().map(String.init)
  }

  private mutating func formula(of command: String) -> Formula? {
    guard depth < Formula.deepest else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch command {
    case "frac", "dfrac", "tfrac", "cfrac":
      let above = argument()
      return .fraction(above, argument())
    case "binom", "dbinom", "tbinom":
      let above = argument()
      return .row([.text("("), .table([[above], [argument()]]), .text(")")])
    case "sqrt":
      let index = optional()
      return .root(argument(), index: index)
    case "text", "mbox", "textrm", "textit", "textbf", "textsf", "hbox", "textnormal":
      return .text(words())
    case "operatorname", "mathrm", "rm", "mathop":
      return .text(words().filter { $0 != " " && $0 != "\\" && $0 != "," })
    case "mathbb": return .text(words().map { String(TeX.doubled[$0] ?? $0) }.joined())
    case "mathbf", "mathcal", "mathit", "mathsf", "mathfrak", "mathscr", "boldsymbol", "bm",
      "underline", "overbrace", "underbrace", "boxed", "pmb", "mathtt":
      return argument()
    case "hat", "widehat": return .accented(argument(), "\u{302}")
    case "tilde", "widetilde": return .accented(argument(), "\u{303}")
    case "bar", "overline": return .accented(argument(), "\u{304}")
    case "dot": return .accented(argument(), "\u{307}")
    case "ddot": return .accented(argument(), "\u{308}")
    case "vec", "overrightarrow": return .accented(argument(), "\u{20D7}")
    case "overset", "stackrel":
      let above = argument()
      return .scripts(argument(), below: nil, above: above)
    case "underset":
      let below = argument()
      return .scripts(argument(), below: below, above: nil)
    case "left":
      let open = delimiter()
      let parts = row { $0 == "}" }
      var close = ""
      if rest.hasPrefix("\\right") {
        rest.removeFirst("\\right".count)
        close = delimiter()
      }
      return .row([.text(open)] + parts + [.text(close)])
    case "middle": return .text(delimiter())
    case "begin": return environment()
    case "phantom":
      _ = argument()
      return nil
    case "color", "label", "ref", "hspace", "vspace":
      _ = words()
      return nil
    case "tag": return .text(" (\(words()))")
    case ",", ";", ":", ">", " ", "quad", "qquad", "enspace": return .text(" ")
    case "pmod": return .row([.text(" (mod "), argument(), .text(")")])
    default:
      if TeX.silent.contains(command) { return nil }
      return .text(TeX.signs[command] ?? command)
    }
  }

  private mutating func delimiter() -> String {
    while rest.first == " " { rest.removeFirst() }
    guard let sign = rest.popFirst() else { return "" }
    switch sign {
    case ".": return ""
    case "\\": return command().map { TeX.signs[$0] ?? $0 } ?? ""
    default: return String(sign)
    }
  }

  private mutating func environment() -> Formula {
    let name = words()
    // The columns of an array.
    if name == "array" { _ = words() }
    var rows: [[Formula]] = [[]]
    while !rest.isEmpty, !rest.hasPrefix("\\end") {
      let before = rest.utf8.count
      rows[rows.count - 1].append(.row(row { $0 == "}" }))
      if rest.hasPrefix("\\\\") {
        rest.removeFirst(2)
        rows.append([])
      } else if rest.first == "&" || rest.first == "}" || rest.hasPrefix("\\right") {
        rest.removeFirst()
      }
      if rest.utf8.count == before { break }
    }
    if rest.hasPrefix("\\end") {
      rest.removeFirst("\\end".count)
      _ = words()
    }
    let (open, close): (String, String) =
      switch name {
      case "pmatrix", "psmallmatrix": ("(", ")")
      case "bmatrix", "Bmatrix", "bsmallmatrix": ("[", "]")
      case "vmatrix": ("|", "|")
      case "Vmatrix": ("‖", "‖")
      case "cases": ("{", "")
      default: ("", "")
      }
    return open.isEmpty
      ? .table(rows) : .row([.text(open), .table(rows), .text(close)])
  }

  // MARK: Names

  private static let silent: Set<String> = [
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "big", "Big", "bigg", "Bigg",
    "bigl",
    "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "!", "mathrel", "mathbin",
    "nonumber",
    "notag", "bf", "it", "hline", "relax", "left", "right", "end", "strut", "bigm", "Bigm",
  ]

  private static let doubled: [Character: Character] = [
    "C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ", "E": "𝔼", "F": "𝔽",
    "1": "𝟙",
  ]

  private static let signs: [String: String] = {
    let names = """
      alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ \
      lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ \
      chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω \
      times × div ÷ cdot · pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ odot ⊙ wedge ∧ land ∧ \
      vee ∨ lor ∨ cap ∩ cup ∪ setminus ∖ le ≤ leq ≤ ge ≥ geq ≥ leqslant ≤ geqslant ≥ ne ≠ neq ≠ ll ≪ gg ≫ \
      approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ \
      supseteq ⊇ subsetneq ⊊ emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ to → \
      rightarrow → longrightarrow ⟶ leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ \
      Leftrightarrow ⇔ implies ⟹ iff ⟺ mapsto ↦ uparrow ↑ downarrow ↓ hookrightarrow ↪ infty ∞ partial ∂ \
      nabla ∇ sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ \
      bigoplus ⨁ bigotimes ⨂ ldots … cdots ⋯ dots … dotsc … dotsb ⋯ vdots ⋮ ddots ⋱ prime ′ angle ∠ \
      perp ⟂ parallel ∥ mid | vert | Vert ‖ lVert ‖ rVert ‖ lvert | rvert | langle ⟨ rangle ⟩ lfloor ⌊ \
      rfloor ⌋ lceil ⌈ rceil ⌉ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ wp ℘ degree ° colon : coloneqq ≔ vdash ⊢ \
      models ⊨ top ⊤ bot ⊥ therefore ∴ because ∵ triangle △ square □ blacksquare ■ checkmark ✓ dagger † \
      lbrace { rbrace } lbrack [ rbrack ] backslash \\ { { } } | ‖ % % $ $ # # & & _ _ bmod mod mod mod
      """
    let words = names.split(separator: " ").map(String.init)
    return Dictionary(
      stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) },
      uniquingKeysWith: { first, _ in first })
  }()
}
