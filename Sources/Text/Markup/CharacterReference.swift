/// Decoder of HTML's character references: `&amp;`, `&#8217;`, `&#x1F600;`.
package enum CharacterReference {
  /// The character of the reference that begins with the `&` at `start`, and its length in bytes; nil where
  /// the ampersand is text.
  ///
  /// - Parameter strict: whether the semicolon is required, as in addresses (`?a=1&copy=2`). Otherwise
  ///   numbers and the five oldest names need none, nor do those of Latin-1 where no `=` follows.
  package static func decode(
    _ bytes: ByteBuffer, at start: Int, strict: Bool = false
  ) -> (scalar: UInt32, length: Int)? {
    let first = start + 1
    guard first < bytes.count else { return nil }
    if bytes[first] == 0x23 { return number(bytes, at: start, strict: strict) }
    var end = first
    while end < bytes.count, end - first <= RareCharacterNames.longest,
      bytes[end].isASCIILetter || bytes[end].isASCIIDigit
    {
      end += 1
    }
    guard end > first, end - first <= RareCharacterNames.longest else { return nil }
    let hasSemicolon = end < bytes.count && bytes[end] == 0x3B
    let scalar = end - first <= longestName ? named[PackedName(bytes, first..<end)] : nil
    if hasSemicolon {
      guard let scalar = scalar ?? RareCharacterNames.scalar(bytes.string(first..<end)) else {
        return nil
      }
      return (scalar, end - start + 1)
    }
    guard !strict, let scalar else { return nil }
    let name = PackedName(bytes, first..<end)
    let isLone = end == bytes.count || bytes[end] != 0x3D
    return oldest.contains(name) || isLone && unterminated.contains(name)
      ? (scalar, end - start) : nil
  }

  /// Whether an ampersand that `decode` has not taken, though it needs no semicolon to begin a reference, is text to
  /// every reader of HTML; false where that takes a closer look (WHATWG HTML §13.2.5.73).
  package static func isText(
    _ bytes: ByteBuffer, at start: Int, within range: Range<Int>, isAttribute: Bool
  ) -> Bool {
    let first = start + 1
    guard first < range.upperBound else { return true }
    if bytes[first] == 0x23 {
      guard first + 1 < range.upperBound else { return true }
      let digit = bytes[first + 1]
      return !digit.isASCIIDigit && digit | 0x20 != 0x78
    }
    var end = first
    while end < range.upperBound, end - first <= RareCharacterNames.longest,
      bytes[end].isASCIILetter || bytes[end].isASCIIDigit
    {
      end += 1
    }
    if end < range.upperBound, end > first, bytes[end] == 0x3B { return false }
    guard end - first >= 2 else { return true }
    if isAttribute, end < range.upperBound, bytes[end] == 0x3D { return true }
    // In an attribute a name is one only where no letter follows.
    let shortest = isAttribute ? end : first + 2
    return !(shortest..<max(shortest, min(end, first + 6)) + 1).contains {
      $0 <= end && unterminated.contains(PackedName(bytes, first..<$0))
    }
  }

  /// `text` with its references decoded; the same string where there are none.
  package static func decoded(_ text: String) -> String {
    text.withBytes { bytes in
      guard var next = bytes.firstIndex(of: 0x26, from: 0) else { return nil }
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count)
      var copied = 0
      while true {
        if let (scalar, length) = decode(bytes, at: next, strict: true) {
          output.append(contentsOf: bytes[copied..<next])
          output.append(scalar: scalar)
          copied = next + length
        }
        guard let following = bytes.firstIndex(of: 0x26, from: max(next + 1, copied)) else { break }
        next = following
      }
      output.append(contentsOf: bytes[copied..<bytes.count])
      return String(decoding: output, as: UTF8.self)
    } ?? text
  }
}

/// First eight bytes of an ASCII name as a number, for lookups without strings.
package struct PackedName: Hashable, Sendable {
  private let value: UInt64

  /// - Parameter lowercased: whether letters are lowercased.
  @inline(__always)
  package init(_ bytes: ByteBuffer, _ range: Range<Int>, lowercased: Bool = false) {
    var value: UInt64 = 0
    for index in range.prefix(8) {
      value = value << 8 | UInt64(lowercased ? bytes[index].asciiLowercased : bytes[index])
    }
    self.value = value
  }

  package init(_ name: String) { self.init(utf8: name.utf8) }

  package init(_ name: Substring) { self.init(utf8: name.utf8) }

  /// Specialised for both, as other modules call it for every element of a document.
  @inline(__always)
  private init(utf8: some Sequence<UInt8>) {
    var value: UInt64 = 0
    for byte in utf8.prefix(8) { value = value << 8 | UInt64(byte) }
    self.value = value
  }
}

/// Bytes of the longest name in `names`.
private let longestName = 8

private func number(
  _ bytes: ByteBuffer, at start: Int, strict: Bool
) -> (scalar: UInt32, length: Int)? {
  var index = start + 2
  guard index < bytes.count else { return nil }
  let isHex = bytes[index] | 0x20 == 0x78
  if isHex { index += 1 }
  let firstDigit = index
  var value: UInt32 = 0
  while index < bytes.count, let digit = bytes[index].hexValue, isHex || digit < 10 {
    value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
    index += 1
  }
  guard index > firstDigit else { return nil }
  let hasSemicolon = index < bytes.count && bytes[index] == 0x3B
  if !hasSemicolon, strict { return nil }
  if value >= 0x80, value <= 0x9F { value = windows1252[Int(value) - 0x80] }
  if value == 0 || Unicode.Scalar(value) == nil { value = 0xFFFD }
  return (value, index - start + (hasSemicolon ? 1 : 0))
}

/// The characters of the bytes 0x80–0x9F in windows-1252 (WHATWG Encoding), made by
/// `Tools/make-character-names`. HTML reads references to these numbers the same way (WHATWG HTML,
/// "numeric character reference end state").
package let windows1252: [UInt32] = [
  0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
  0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
  0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
  0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
]

private let oldest = ["amp", "lt", "gt", "quot", "nbsp"].map { PackedName($0) }

/// The names that HTML reads without their semicolon too, those of Latin-1; checked by
/// `Tools/make-character-names`.
private let unterminated: Set<PackedName> = Set(
  """
  AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT
  Iacute Icirc Igrave Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN
  Uacute Ucirc Ugrave Uuml Yacute aacute acirc acute aelig agrave amp aring atilde auml brvbar
  ccedil cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12 frac14 frac34 gt
  iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde oacute ocirc
  ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3
  szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml
  """.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { PackedName($0) })

private let named: [PackedName: UInt32] = {
  var table: [PackedName: UInt32] = [PackedName("Tab"): 0x09, PackedName("NewLine"): 0x0A]
  // By scalars: a joiner would make one character with the sign before it.
  for word in names.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    let parts = word.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let scalar = parts[1].first else { continue }
    table[PackedName(String(parts[0]))] = scalar.value
  }
  return table
}()

/// The names of HTML 4 and common ones of HTML 5 (WHATWG HTML, `entities.json`), none longer than eight
/// letters. Chosen by hand; `Tools/make-character-names` checks their characters.
private let names = """
   quot=\u{22} amp=& lt=< gt=> nbsp=\u{A0} iexcl=¡ cent=¢ pound=£ curren=¤ yen=¥ brvbar=¦ sect=§
   uml=¨ copy=© ordf=ª laquo=« not=¬ shy=\u{AD} reg=® macr=¯ deg=° plusmn=± sup2=² sup3=³ acute=´
   micro=µ para=¶ middot=· cedil=¸ sup1=¹ ordm=º raquo=» frac14=¼ frac12=½ frac34=¾ iquest=¿
   Agrave=À Aacute=Á Acirc=Â Atilde=Ã Auml=Ä Aring=Å AElig=Æ Ccedil=Ç Egrave=È Eacute=É Ecirc=Ê
   Euml=Ë Igrave=Ì Iacute=Í Icirc=Î Iuml=Ï ETH=Ð Ntilde=Ñ Ograve=Ò Oacute=Ó Ocirc=Ô Otilde=Õ
   Ouml=Ö times=× Oslash=Ø Ugrave=Ù Uacute=Ú Ucirc=Û Uuml=Ü Yacute=Ý THORN=Þ szlig=ß agrave=à
   aacute=á acirc=â atilde=ã auml=ä aring=å aelig=æ ccedil=ç egrave=è eacute=é ecirc=ê euml=ë
   igrave=ì iacute=í icirc=î iuml=ï eth=ð ntilde=ñ ograve=ò oacute=ó ocirc=ô otilde=õ ouml=ö
   divide=÷ oslash=ø ugrave=ù uacute=ú ucirc=û uuml=ü yacute=ý thorn=þ yuml=ÿ OElig=Œ oelig=œ
   Scaron=Š scaron=š Yuml=Ÿ fnof=ƒ circ=ˆ tilde=˜ Alpha=Α Beta=Β Gamma=Γ Delta=Δ Epsilon=Ε Zeta=Ζ
   Eta=Η Theta=Θ Iota=Ι Kappa=Κ Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ
   Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ Omega=Ω alpha=α beta=β gamma=γ delta=δ epsilon=ε zeta=ζ eta=η
   theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigmaf=ς sigma=σ tau=τ
   upsilon=υ phi=φ chi=χ psi=ψ omega=ω thetasym=ϑ upsih=ϒ piv=ϖ ensp=\u{2002} emsp=\u{2003}
   thinsp=\u{2009} zwnj=\u{200C} zwj=\u{200D} lrm=\u{200E} rlm=\u{200F} ndash=– mdash=— lsquo=‘
   rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′
   Prime=″ lsaquo=‹ rsaquo=› oline=‾ frasl=⁄ euro=€ image=ℑ weierp=℘ real=ℜ trade=™ alefsym=ℵ
   larr=← uarr=↑ rarr=→ darr=↓ harr=↔ crarr=↵ lArr=⇐ uArr=⇑ rArr=⇒ dArr=⇓ hArr=⇔ forall=∀ part=∂
   exist=∃ empty=∅ nabla=∇ isin=∈ notin=∉ ni=∋ prod=∏ sum=∑ minus=− lowast=∗ radic=√ prop=∝
   infin=∞ ang=∠ and=∧ or=∨ cap=∩ cup=∪ int=∫ there4=∴ sim=∼ cong=≅ asymp=≈ ne=≠ equiv=≡ le=≤
   ge=≥ sub=⊂ sup=⊃ nsub=⊄ sube=⊆ supe=⊇ oplus=⊕ otimes=⊗ perp=⊥ sdot=⋅ lceil=⌈ rceil=⌉ lfloor=⌊
   rfloor=⌋ lang=⟨ rang=⟩ loz=◊ spades=♠ clubs=♣ hearts=♥ diams=♦ apos=' AMP=& LT=< GT=>
   QUOT=\u{22} COPY=© REG=® TRADE=™ excl=! num=# dollar=$ percnt=% lpar=( rpar=) ast=* plus=+
   comma=, period=. sol=/ colon=: semi=; equals== quest=? commat=@ lsqb=[ lbrack=[ bsol=\u{5C}
   rsqb=] rbrack=] Hat=^ lowbar=_ grave=` lcub={ lbrace={ verbar=| vert=| rcub=} rbrace=}
   hyphen=‐ dash=‐ horbar=― nldr=‥ mldr=… check=✓ cross=✗ star=☆ starf=★ phone=☎ male=♂ female=♀
   inodot=ı caron=ˇ breve=˘ dot=˙ ring=˚ ogon=˛ dblac=˝ Abreve=Ă abreve=ă Amacr=Ā amacr=ā Aogon=Ą
   aogon=ą Cacute=Ć cacute=ć Ccaron=Č ccaron=č Dcaron=Ď dcaron=ď Dstrok=Đ dstrok=đ Ecaron=Ě
   ecaron=ě Eogon=Ę eogon=ę Emacr=Ē emacr=ē Gbreve=Ğ gbreve=ğ Idot=İ Imacr=Ī imacr=ī Lstrok=Ł
   lstrok=ł Lcaron=Ľ lcaron=ľ Nacute=Ń nacute=ń Ncaron=Ň ncaron=ň Odblac=Ő odblac=ő Omacr=Ō
   omacr=ō Racute=Ŕ racute=ŕ Rcaron=Ř rcaron=ř Sacute=Ś sacute=ś Scedil=Ş scedil=ş Tcaron=Ť
   tcaron=ť Tstrok=Ŧ tstrok=ŧ Udblac=Ű udblac=ű Umacr=Ū umacr=ū Uring=Ů uring=ů Zacute=Ź zacute=ź
   Zcaron=Ž zcaron=ž Zdot=Ż zdot=ż frac13=⅓ frac23=⅔ frac15=⅕ frac18=⅛ frac38=⅜ frac58=⅝ frac78=⅞
   numsp=\u{2007} puncsp=\u{2008} hairsp=\u{200A} half=½
  """
