internal import News
internal import Screen

extension SidebarSnapshot {
  var queryNames: QueryNames {
    var names = QueryNames()
    names.feeds = feeds.map(\.displayTitle)
    names.folders = feeds.flatMap(\.folders).sorted()
    names.tags = tags
    names.accounts = accounts.map(\.account.displayName)
    return names
  }
}

extension LineEditor {
  /// Completes the query before the cursor, or goes on to the next of the choices.
  mutating func complete(query step: Int, _ names: QueryNames) {
    choose(step) { text in
      QueryCompletion(text, names: names).map { (start: $0.start, choices: $0.choices) }
    }
  }

  /// Completes the query of a command line, the words of which a shell's quotes keep together.
  mutating func complete(argument step: Int, _ names: QueryNames) {
    choose(step) { text in
      // The name of the command has an end, and what an apostrophe opens goes on up to the next.
      guard let space = text.firstIndex(of: " ") else { return nil }
      let parts = text[space...].split(separator: "'", omittingEmptySubsequences: false)
      let isQuoted = parts.count % 2 == 0
      let query = isQuoted ? parts[parts.count - 1] : text[text.index(after: space)...]
      guard let last = query.last, !last.isWhitespace,
        let completion = QueryCompletion(String(query), names: names)
      else { return nil }
      return (
        text.count - query.count + completion.start,
        isQuoted ? completion.choices : completion.choices.map(TypedWords.quoted)
      )
    }
  }

  /// Draws what Tab goes through in a line, the chosen one among others.
  func drawChoices(_ frame: inout Frame, _ place: Rect, _ theme: Theme) {
    guard let choosing else { return }
    frame.fill(place, theme.text)
    // From the chosen one back as far as there is room for half of the line.
    var first = choosing.chosen
    var used = TextWidth.columns(of: choosing.choices[first])
    while first > 0 {
      let width = TextWidth.columns(of: choosing.choices[first - 1]) + 2
      guard used + width <= place.width / 2 else { break }
      used += width
      first -= 1
    }
    var x = place.x
    for index in first..<choosing.choices.count {
      guard x < place.maxX else { return }
      let style = index == choosing.chosen ? theme.selected : theme.dim
      x +=
        frame.put(
          choosing.choices[index], x: x, y: place.y, style: style, width: place.maxX - x,
          overflow: .ellipsis) + 2
    }
  }
}
