internal import Text

/// The HTML elements that the layout of an article depends on. Of all others only the content is kept.
enum HTMLTag: Int, CaseIterable {
  case a, abbr, address, article, aside, audio, b, bdi, bdo, big
  case blockquote, br, caption, center, cite
  case code, dd, del, details, dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption
  case figure
  case footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, hr, i, iframe, img, input, ins, kbd
  case legend, li
  case main, mark, menu, nav, object, ol, p, pre, q, rt, ruby, s, samp, section, small
  case source, span, strike, strong, sub, summary, sup, table, tbody, td, tfoot, th, thead, tr
  case tt, u, ul, `var`, video, wbr
  // Left out with all that is in them.
  case annotation, button, noembed, noframes, noscript, rp, script, select, style, svg
  case template, textarea, title

  /// From a name in any case.
  init?(name: some Collection<UInt8>) {
    guard name.count <= 16, let tag = HTMLTag.byName[HTMLTag.key(name)] else { return nil }
    self = tag
  }

  /// Lower case.
  var name: String { HTMLTag.names[rawValue] }

  private static let names = allCases.map { "\($0)" }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { (key($0.name.utf8), $0) })

  private static func key(_ name: some Collection<UInt8>) -> UInt128 {
    name.reduce(0) { $0 << 8 | UInt128($1.asciiLowercased) }
  }

  /// Elements without content and without an end tag.
  var isVoid: Bool { HTMLTag.voids[rawValue] }

  private static let voids = allCases.map { HTMLElements.void.contains(PackedName($0.name)) }

  /// Elements that are left out with all that is in them.
  var isDropped: Bool {
    switch self {
    case .annotation, .button, .noembed, .noframes, .noscript, .rp, .script, .select, .style,
      .svg, .template, .textarea, .title:
      true
    default: false
    }
  }

  /// Elements of which only the address counts. The content is for browsers that cannot show them.
  var isMedia: Bool {
    switch self {
    case .audio, .iframe, .object, .video: true
    default: false
    }
  }

  /// Elements whose start tag ends an open paragraph.
  var isBlock: Bool {
    switch self {
    case .address, .article, .aside, .blockquote, .center, .dd, .details, .dialog, .dir, .div, .dl,
      .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header,
      .hgroup, .hr, .legend, .li, .main, .menu, .nav, .ol, .p, .pre, .section, .summary, .table,
      .ul:
      true
    default: false
    }
  }

  /// Elements whose `class` may name the programming language of the code in them.
  var mayNameLanguage: Bool {
    switch self {
    case .div, .figure, .pre, .table: true
    default: false
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Elements that hold other parts of a table, and no text of their own.
  var isTableStructure: Bool {
    switch self {
    case .table, .tbody, .tfoot, .thead, .tr: true
    default: false
    }
  }

  var isTablePart: Bool {
    switch self {
    case .caption, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: false
    }
  }

  /// Elements that an end tag or an implied end inside them does not reach beyond.
  var isScope: Bool {
    switch self {
    case .caption, .object, .table, .td, .th: true
    default: false
    }
  }
}

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
