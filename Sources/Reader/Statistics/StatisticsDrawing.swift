internal import News
internal import Screen

extension StatisticsState {
  /// All feeds together, suggestions, and each feed with its days; all that is counted of the selected row.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (rows, layout, theme) = (rows, layout(state.size), state.theme)
    if layout.rows.y > 0 {
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      let note = note(width: pane.width)
      let heads = note.0.isEmpty && statistics != nil ? StatisticsColumn.heads(in: layout.rows) : []
      let end = heads.map(\.x).min().map { $0 - 1 } ?? pane.maxX - TextWidth.columns(of: note.0)
      frame.putHeading(
        title(fitting: end - pane.x - 3), note: note.0,
        noteStyle: note.isError ? theme.error : nil, isFocused: true, in: pane, theme)
      for head in heads { frame.put(head.text, x: head.x, y: pane.y, style: theme.dim) }
    }
    guard let statistics, let selected = page.selection.nearestIndex(in: rows) else {
      return drawEmpty(&frame, in: state)
    }
    for (index, place) in page.selection.visible(of: rows, in: layout.rows) {
      StatisticsLine(
        statistics: statistics, isASCII: state.settings.usesAsciiSigns,
        adviceKey: state.key(.followAdvice), theme: theme,
        isSelected: index == selected
      ).draw(rows[index], &frame, place)
    }
    page.drawPicked(&frame, of: rows, in: layout.rows, theme)
    guard let text = layout.text else { return }
    frame.putDetails(
      details(of: rows[selected], width: text.width - 2, in: state), from: page.detailsTop,
      title: Self.name(of: rows[selected]), in: layout, state)
  }

  private func drawEmpty(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let key = state.key
    if let error {
      frame.putEmpty(
        [
          (error.line, theme.error), (StatisticsStrings.countAgain(key(.refresh)), theme.dim),
          (ReadingStrings.back(key(.leave)), theme.dim),
        ], in: state.size)
    } else if statistics == nil {
      frame.putLoading(in: state, as: StatisticsStrings.counting)
    } else {
      frame.putEmpty(
        [
          (StatisticsStrings.noFeeds, theme.text),
          (SubscriptionsStrings.addInList(key(.add)), theme.dim),
          (ReadingStrings.back(key(.leave)), theme.dim),
        ], in: state.size)
    }
  }

  // MARK: Heading

  private func title(fitting columns: Int) -> String {
    let time = StatisticsStrings.time(span) + PanesStrings.selected(page.picked.ids.count)
    guard let total = statistics?.total else { return "Statistics · \(time)" }
    let read = total.readShare.map { ", \($0) % read" } ?? ""
    let counts = " · \(quantity(total.articles, "article"))\(read)"
    let forms = ["Statistics · \(time)\(counts)", "\(time)\(counts)", "\(time)\(read)"]
    return forms.first { TextWidth.columns(of: $0) <= columns } ?? time
  }

  private func note(width: Int) -> (String, isError: Bool) {
    if error != nil, statistics != nil { return (StatisticsStrings.noteFailed, true) }
    guard isCounting, statistics != nil else { return ("", false) }
    return (room == nil ? StatisticsStrings.noteSizes : "counting …", false)
  }

  private static func name(of row: StatisticsRow) -> String {
    switch row {
    case .total: StatisticsStrings.allFeeds
    case .advice(let suggestion): suggestion.words
    case .feed(let feed): feed.feed.displayTitle
    }
  }
}

/// A column of numbers behind the titles.
private enum StatisticsColumn {
  case bytes, read, perDay
  case days(Int)

  /// The columns that fit, the last one first.
  static func all(width: Int) -> [StatisticsColumn] {
    let bars = width >= 76 ? 28 : width >= 56 ? 14 : width >= 38 ? 7 : 0
    return (width >= 70 ? [.bytes] : []) + (width >= 48 ? [.read] : [])
      + (width >= 30 ? [.perDay] : []) + (bars > 0 ? [.days(bars)] : [])
  }

  var width: Int {
    switch self {
    case .bytes: 7
    case .read: 4
    case .perDay: 6
    case .days(let bars): bars
    }
  }

  /// Nil for the bars.
  private var head: String? {
    switch self {
    case .bytes: StatisticsStrings.onDisk
    case .read: "read"
    case .perDay: StatisticsStrings.aDay
    case .days: nil
    }
  }

  static func end(of line: Rect) -> Int { line.maxX - (line.width >= 12 ? 1 : 0) }

  /// The heads of the columns. A narrow heading has room for its title alone.
  static func heads(in rows: Rect) -> [(text: String, x: Int)] {
    guard rows.width >= 48 else { return [] }
    var end = end(of: rows)
    return all(width: rows.width).compactMap { column in
      defer { end -= column.width + 1 }
      return column.head.map { ($0, end - $0.count) }
    }
  }
}

private struct StatisticsLine {
  let statistics: ReadingStatistics
  let isASCII: Bool
  let adviceKey: String
  let theme: Theme
  let isSelected: Bool

  func draw(_ row: StatisticsRow, _ frame: inout Frame, _ line: Rect) {
    switch row {
    case .total:
      let total = statistics.total
      drawNumbers(
        title: StatisticsStrings.allFeeds, mark: "", days: total.days, articles: total.articles,
        read: total.readShare, bytes: total.bytes, style: theme.header, &frame, line)
    case .feed(let feed):
      let groups = statistics.groups(of: feed)
      drawNumbers(
        title: feed.feed.displayTitle,
        mark: FeedGroup.allCases.first(where: groups.contains)?.mark ?? "", days: feed.days,
        articles: feed.articles, read: feed.readShare, bytes: feed.bytes,
        style: feed.articles == 0 ? theme.dim : theme.text, &frame, line)
    case .advice(let suggestion): draw(suggestion, &frame, line)
    }
  }

  /// From the right: what it takes of the disk, the share that is read, articles a day, and a bar for each day; what
  /// there is no room for is left out, the title never.
  private func drawNumbers(
    title: String, mark: String, days: [Int], articles: Int, read: Int?, bytes: Int64?,
    style: Style, _ frame: inout Frame, _ line: Rect
  ) {
    let style = isSelected ? theme.selected : style
    func own(_ other: Style) -> Style { isSelected ? style : other }
    if isSelected { frame.fill(line, style) }
    var x = line.x
    if line.width >= 12 {
      frame.put(mark, x: x + 1, y: line.y, style: own(theme.warning), width: 1)
      x += 3
    }
    var end = StatisticsColumn.end(of: line)
    for column in StatisticsColumn.all(width: line.width) {
      let (text, other) =
        switch column {
        case .bytes: (bytes.map(TransferWords.bytes) ?? "", theme.dim)
        case .read: (read.map { "\($0)%" } ?? "", theme.dim)
        case .perDay: (statistics.perDay(articles), theme.dim)
        case .days(let bars):
          (Sparkline.text(Array(days.suffix(bars)), columns: bars, isASCII: isASCII), theme.accent)
        }
      let used = min(column.width, TextWidth.columns(of: text))
      frame.put(text, x: end - used, y: line.y, style: own(other), width: used)
      end -= column.width + 1
    }
    frame.put(title, x: x, y: line.y, style: style, width: max(0, end - x), overflow: .ellipsis)
  }

  private func draw(_ suggestion: FeedSuggestion, _ frame: inout Frame, _ line: Rect) {
    let style = isSelected ? theme.selected : theme.warning
    if isSelected { frame.fill(line, style) }
    var x = line.x
    if line.width >= 12 {
      frame.put("→", x: x + 1, y: line.y, style: style, width: 1)
      x += 3
    }
    let what = "\(adviceKey) \(StatisticsStrings.remedy(suggestion.group))"
    let columns = TextWidth.columns(of: what)
    var end = line.maxX - (line.width >= 12 ? 1 : 0)
    // The subject has precedence.
    if end - x >= columns + 16 {
      frame.put(
        what, x: end - columns, y: line.y, style: isSelected ? style : theme.dim, width: columns)
      end -= columns + 1
    }
    frame.put(
      suggestion.words, x: x, y: line.y, style: style, width: max(0, end - x),
      overflow: .ellipsis)
  }
}
