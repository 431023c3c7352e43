internal import Screen

/// The help: the keys of a page, then those of the others, made from the key map; and what the signs, the mouse and the
/// words of a search mean.
struct HelpPage {
  struct Line: Hashable {
    var keys: String
    var text: String
    var isHeading: Bool
  }

  /// A part with a heading; each row has keys, or a sign, and what they mean.
  private struct Section {
    var title: String
    var rows: [(keys: String, text: String)]
  }

  private let sections: [Section]

  /// - Parameters:
  ///   - page: the name of the screen that the help was opened on; its keys come first.
  ///   - words: only rows that have all of them are shown, and texts whose titles have; all rows without one.
  init(_ map: KeyMap, _ scheme: KeyScheme, page: String, matching words: String = "") {
    let here = Self.keys(of: page, scheme)
    let shown = Set(here.flatMap(\.bindings).map { "\($0.command.name) \($0.help)" })
    let elsewhere = map.sections.map { section in
      KeyMap.Section(
        topic: section.topic,
        bindings: section.bindings.filter { !shown.contains("\($0.command.name) \($0.help)") })
    }
    let keys =
      here
      + elsewhere.map {
        KeyMap.Section(topic: KeyTopic("Elsewhere: \($0.topic.title)"), bindings: $0.bindings)
      }
    let wanted = words.lowercased().split(separator: " ")
    // Whoever looks for "query" or "mouse" means the whole part of that name.
    let named = Self.texts.map(\.title).filter { title in
      !wanted.isEmpty && wanted.allSatisfy { title.lowercased().contains($0) }
    }
    let all =
      keys.map { section in
        Section(title: section.topic.title, rows: section.bindings.map { ($0.keyNames, $0.help) })
      } + Self.texts
    sections = all.map { section in
      guard !named.contains(section.title) else { return section }
      var section = section
      section.rows.removeAll { row in
        let text = "\(row.keys) \(row.text)".lowercased()
        return !wanted.allSatisfy { text.contains($0) }
      }
      return section
    }.filter { !$0.rows.isEmpty }
  }

  private static func keys(of page: String, _ scheme: KeyScheme) -> [KeyMap.Section] {
    guard let kind = ScreenStack.kinds.first(where: { $0.name == page }) else { return [] }
    var sections: [KeyMap.Section] = []
    for binding in KeyMap.bindings(of: kind, among: ScreenStack.kinds, scheme)
    where !binding.keys.isEmpty {
      guard let topic = binding.topic else { continue }
      if let index = sections.firstIndex(where: { $0.topic == topic }) {
        sections[index].bindings.append(binding)
      } else {
        sections.append(KeyMap.Section(topic: topic, bindings: [binding]))
      }
    }
    return sections
  }

  private static let texts: [Section] = [
    Section(
      title: "Signs",
      rows: [
        ("●", "unread"), ("★", "starred"), ("✓", "picked"),
        ("±", "changed by its feed since it was opened"),
        ("▣", "packed for a trip: whole without a network"),
        ("≡", "the same article is in other feeds too"),
        ("▲ 3 new", "so many have arrived above what shows"),
        ("!", "of a feed: it fails; of a list: so many fail"),
        ("⊘", "of a feed: its connection cannot be trusted"), ("×", "of a feed: it is gone"),
        ("▸ ▾", "a folder that is closed, one that is open"),
        ("┄", "articles are missing between two"),
      ]),
    Section(
      title: "Mouse",
      rows: [
        ("click", "selects; on the selected article: opens it"),
        ("double click", "opens; on a folder: closes or opens it"),
        ("wheel", "scrolls; past the top of the list, twice: refreshes"),
      ]),
    Section(
      title: "Words of a search",
      rows: [
        ("one two", "articles with both, anywhere in them"),
        ("\"one two\"", "with these words together"),
        ("on", "the last word may be a beginning"),
      ]),
    Section(
      title: "Words of a query",
      rows: [
        (
          "one \"two three\"",
          "articles with the word, and with these words together; on*: one that begins so"
        ),
        ("a OR b, (…), -a", "either; grouped; the opposite"),
        ("title: text:", "words there; title:/…/ a regular expression"),
        (
          "unread read starred",
          "by mark; is:tagged, is:heard, is:duplicate, is:changed, is:failing"
        ),
        ("tag: author: url:", "a tag; a part of the author, of the address; category:"),
        (
          "feed: folder: site:",
          "a part of the feed's name or address; a folder; its page; account:"
        ),
        (
          "after:1w before:2026-11",
          "written since, before; on:today; age<3d; arrived:2h; since:last-refresh"
        ),
        (
          "has:audio", "with such a file; also enclosure, video, image, comments, author, link, tag"
        ),
        ("unread>10 total<5", "of feeds with so many articles"),
        ("score>0 score<-2", "raised or lowered by rules; sort:score: the highest first"),
      ]),
  ]

  // MARK: Lines

  /// Columns of text side by side: as many as there is room for.
  static func columns(width: Int) -> Int { max(1, width / 60) }

  /// The lines of one column after the other.
  ///
  /// - Parameter width: of a column.
  func lines(width: Int) -> [Line] {
    var lines: [Line] = []
    let column = Self.keyColumn(width: width)
    for section in sections {
      if !lines.isEmpty { lines.append(Line(keys: "", text: "", isHeading: false)) }
      lines.append(Line(keys: section.title, text: "", isHeading: true))
      for row in section.rows {
        let texts = TextWrapping.wrap(row.text, width: max(8, width - column - 2))
        // A text without room beside its keys goes below them.
        if TextWidth.columns(of: row.keys) >= column - 1 {
          lines.append(Line(keys: row.keys, text: "", isHeading: false))
          lines += texts.map { Line(keys: "", text: String($0), isHeading: false) }
        } else {
          for (index, text) in texts.enumerated() {
            lines.append(
              Line(keys: index == 0 ? row.keys : "", text: String(text), isHeading: false))
          }
        }
      }
    }
    return lines
  }

  static func keyColumn(width: Int) -> Int { min(24, max(10, width / 3)) }
}
