internal import Markup
internal import Screen

/// Code as lines of text, with the colours of its language and the numbers of its links.
enum CodeText {
  /// The lines, with spaces up to the next multiple of four columns in place of each tab.
  static func lines(of code: Code) -> [FlatText] {
    var pieces = CodePieces(code)
    let bytes = Array(code.text.utf8)
    var lines: [FlatText] = []
    var start = 0
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      lines.append(line(bytes[start..<end], &pieces))
      start = end + 1
    }
    return lines
  }

  private static func line(_ bytes: ArraySlice<UInt8>, _ pieces: inout CodePieces) -> FlatText {
    var text = FlatText()
    // Counted along: the line may have a tab behind each letter.
    var columns = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let piece = pieces.piece(at: position)
      let end = min(piece.end, bytes.endIndex)
      let words = String(decoding: bytes[position..<end], as: UTF8.self)
      text.append(words[...].expandingTabs(from: &columns), piece.role, link: piece.link)
      // The number of a link is behind its last piece, or behind its part of the line.
      if let link = piece.link, piece.endsLink || end == bytes.endIndex {
        let number = "[\(link)]"
        text.append(number, .linkNumber, link: link)
        columns += number.utf8.count
      }
      position = end
    }
    return text
  }
}

/// The pieces of a code, from its beginning to its end.
private struct CodePieces {
  private let tokens: [CodeColors.Token]
  private let links: [Code.LinkedText]
  private var token = 0
  private var link = 0

  init(_ code: Code) {
    tokens = CodeColors.tokens(of: code.text, in: code.language)
    links = code.links
  }

  /// The piece that goes on or begins at a place, which is never before the one of the last call.
  mutating func piece(at position: Int) -> (end: Int, role: TextRole, link: Int?, endsLink: Bool) {
    while token < tokens.count, tokens[token].range.upperBound <= position { token += 1 }
    while link < links.count, links[link].range.upperBound <= position { link += 1 }
    if link < links.count, links[link].range.contains(position) {
      return (links[link].range.upperBound, .link, links[link].link, true)
    }
    var end = link < links.count ? links[link].range.lowerBound : .max
    guard token < tokens.count else { return (end, .code, nil, false) }
    let next = tokens[token]
    guard next.range.contains(position) else {
      return (min(end, next.range.lowerBound), .code, nil, false)
    }
    end = min(end, next.range.upperBound)
    return (end, next.role, nil, false)
  }
}

extension Substring {
  /// With spaces up to the next multiple of four columns in place of each tab.
  ///
  /// - Parameter columns: the columns of the line before it, and then those with it.
  fileprivate func expandingTabs(from columns: inout Int) -> String {
    guard utf8.contains(0x09) else {
      columns += TextWidth.columns(of: self)
      return String(self)
    }
    var expanded = ""
    for (index, part) in split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
      if index > 0 {
        let spaces = 4 - columns % 4
        expanded += String(repeating: " ", count: spaces)
        columns += spaces
      }
      expanded += part
      columns += TextWidth.columns(of: part)
    }
    return expanded
  }
}
