internal import Markup
internal import News
internal import Screen

/// Role of a run of text in an article, from which the theme derives its style.
package enum TextRole: Hashable, Sendable, CaseIterable {
  case body
  case heading1
  case heading2
  /// Levels 3 to 6.
  case heading3
  case strong
  case emphasis
  case strongEmphasis
  case strike
  case underlined
  /// As if with a marker pen.
  case marked
  case code
  case codeComment
  case codeString
  case codeKeyword
  case codeNumber
  case quote
  case quoteBar
  case listMarker
  case link
  case linkNumber
  case imagePlace
  case tableHeader
  /// Rules across the page and between the cells of a table.
  case rule
  /// Remarks that Telex adds, and marks of continued lines.
  case dim
}

extension Theme {
  /// The style of a failure, which is quiet where the user has nothing to do.
  func style(of error: SourceError, quiet: Style) -> Style {
    error.kind == .tls ? alarm : error.needsUser ? self.error : quiet
  }

  /// The style of a run of text in an article or a comment.
  func style(of role: TextRole) -> Style {
    switch role {
    case .body, .listMarker: text
    case .heading1, .heading2, .heading3: header
    case .strong, .tableHeader: text.with(.bold)
    case .emphasis: text.with(.italic)
    case .strongEmphasis: text.with([.bold, .italic])
    case .underlined: text.with(.underline)
    case .marked: hit.over(text)
    case .code: code
    case .codeComment: codeComment.over(code)
    case .codeString: codeString.over(code)
    case .codeKeyword: codeKeyword.over(code)
    case .codeNumber: codeNumber.over(code)
    case .quote: quote
    case .link: link
    case .linkNumber: accent
    case .strike, .quoteBar, .imagePlace, .rule, .dim: dim
    }
  }

  /// The traits that text shows without signs; none without colours, where an underline may be that of a link.
  var styledTraits: Traits {
    guard self != .none else { return [] }
    return [TextRole.strike, .marked, .underlined, .code].reduce(into: []) { styled, role in
      if style(of: role) != style(of: .body) { styled.formUnion(role.shownTraits) }
    }
  }
}

extension TextRole {
  /// The traits that have signs where a style does not show them.
  var shownTraits: Traits {
    switch self {
    case .strike: .strike
    case .marked: .marked
    case .underlined: [.inserted, .underline]
    case .code: .key
    default: []
    }
  }
}

extension Frame {
  /// Draws a line of text with its styles.
  ///
  /// - Parameter picked: the number of the link that stands out; nil for none.
  mutating func put(
    _ line: StyledLine, x: Int, y: Int, width: Int, _ theme: Theme, picked: Int? = nil
  ) {
    var column = 0
    for span in line.spans where column < width {
      var style = theme.style(of: span.role)
      if let link = span.link, link == picked { style = style.with(.reverse) }
      column += put(isolating: span.text, x: x + column, y: y, style: style, width: width - column)
    }
    arrange(line, x: x, y: y, columns: column, width: width)
  }
}
