internal import Markup

/// Differences of two texts by lines.
package enum TextChanges {
  static let mostLines = 4_000
  static let mostBytes = 256 << 10
  /// Unchanged lines around a change.
  private static let context = 1

  /// The part of a text that is compared, and whether lines are missing.
  static func beginning(of lines: [String]) -> (lines: [String], isCut: Bool) {
    var size = 0
    let kept = lines.prefix(mostLines).prefix { line in
      size += line.utf8.count + 1
      return size <= mostBytes
    }
    return (Array(kept), kept.count < lines.count)
  }

  /// One line for each block.
  package static func lines(ofHTML html: String) -> [String] {
    let page = HTMLPage(Array(html.utf8))
    return page.lines(of: page.root)
  }

  /// HTML with removed lines in `<del>` and added ones in `<ins>`; empty without changes. Only the
  /// beginnings of long texts are compared.
  package static func html(from old: [String], to new: [String]) -> String {
    let (old, new) = (beginning(of: old).lines, beginning(of: new).lines)
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var rows: [(html: String, isChange: Bool)] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if before < old.count, removed.contains(before) {
        rows.append(("<p><del>− \(escaped(old[before]))</del></p>", true))
        before += 1
      } else if after < new.count, added.contains(after) {
        rows.append(("<p><ins>+ \(escaped(new[after]))</ins></p>", true))
        after += 1
      } else {
        if after < new.count { rows.append(("<p>\(escaped(new[after]))</p>", false)) }
        before += 1
        after += 1
      }
    }
    var shown: Set<Int> = []
    for (index, row) in rows.enumerated() where row.isChange {
      shown.formUnion(max(0, index - context)...min(rows.count - 1, index + context))
    }
    var html = ""
    var last: Int?
    for index in shown.sorted() {
      if let last, index > last + 1 { html += "<hr>" }
      html += rows[index].html
      last = index
    }
    return html
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
