internal import Foundation
internal import News
internal import Screen

/// The drawing of the list in its pane: a heading, and the rows or the reason why there are none.
struct ListDrawing {
  let list: ListState
  let state: ReaderState

  private var theme: Theme { state.theme }
  private var clock: WallClock { state.clock }
  private var isFocused: Bool { state.focus == .list }

  func draw(_ frame: inout Frame, _ pane: Rect) {
    if pane.height >= 3 { drawHeading(&frame, pane) }
    let content = PaneLayout.content(of: pane)
    guard !content.isEmpty else { return }
    let rows = list.rows
    if rows.isEmpty {
      EmptyList(list: list, state: state).draw(&frame, content)
    } else {
      let selected = list.selectedIndex
      var y = content.y
      for shown in list.visibleLines.prefix(content.height) {
        let line = Rect(x: content.x, y: y, width: content.width, height: 1)
        switch shown {
        case .heading(let group): draw(group, &frame, line)
        case .row(let index): draw(rows[index], &frame, line, isSelected: index == selected)
        }
        y += 1
      }
      if y < content.maxY, let (text, style) = footer {
        frame.put(
          text, x: content.x + 2, y: y, style: style, width: content.width - 3,
          overflow: .ellipsis)
      }
    }
  }

  private func draw(_ group: ListGroup, _ frame: inout Frame, _ line: Rect) {
    let forms =
      switch group {
      case .day(let number): [clock.day(number), clock.shortDay(number)]
      case .feed(let id): [state.feed(id)?.displayTitle ?? "Feed"]
      }
    let room = max(0, line.width - 2)
    let form = forms.first { TextWidth.columns(of: $0) <= room } ?? forms.last ?? ""
    let used = frame.put(
      form, x: line.x + 1, y: line.y, style: theme.header, width: room, overflow: .ellipsis)
    let start = line.x + used + 2
    guard start < line.maxX - 1 else { return }
    frame.put(
      String(repeating: "┄", count: line.maxX - 1 - start), x: start, y: line.y,
      style: theme.border)
  }

  // MARK: Heading

  private func drawHeading(_ frame: inout Frame, _ pane: Rect) {
    let heading = ListHeading(
      name: state.name(of: list.query.timeline) + orderNote, counts: counts, arrivals: arrivalNotes,
      freshness: freshnessNotes
    ).fitted(max(0, pane.width - 2))
    let style = isFocused ? theme.header : theme.dim
    var x = pane.x + 1
    x += frame.put(heading.name, x: x, y: pane.y, style: style)
    x += frame.put(heading.counts, x: x, y: pane.y, style: style)
    if !heading.arrivals.isEmpty {
      frame.put(heading.arrivals, x: x + 2, y: pane.y, style: theme.accent)
    }
    x = pane.maxX - 1
    for part in heading.freshness.reversed() { x -= TextWidth.columns(of: part.text) }
    for part in heading.freshness {
      let start = max(pane.x + 1, x)
      x += frame.put(
        part.text, x: start, y: pane.y, style: part.style, width: max(0, pane.maxX - start),
        overflow: .ellipsis)
    }
  }

  private var orderNote: String {
    let order =
      list.query.order == state.habits.usualOrder(of: list.query.timeline)
      ? "" : ", \(list.query.order.name)"
    return order + PanesStrings.selected(list.picked.ids.count)
  }

  private var counts: [String] {
    guard let progress = list.snapshot?.indexProgress else { return plainCounts }
    return plainCounts.flatMap {
      ["\($0) · index \(progress.percent)% built", "\($0) · \(progress.percent)%"]
    }
  }

  private var plainCounts: [String] {
    guard let counts = list.snapshot?.counts else { return [""] }
    let filter =
      list.query.unreadOnly && list.query.timeline != .unread ? " · \(ListStrings.unreadOnly)" : ""
    switch list.query.timeline {
    case .search:
      return counts.total >= ArticleCounts.searchLimit
        ? [" · \(ListStrings.manyFound)", " · 10,000+"]
        : [" · \(counts.total) found", " · \(counts.total)"]
    case .matching(let query, _):
      let many = counts.total >= ArticleCounts.searchLimit ? "+" : ""
      guard !list.query.hidesRead, counts.unread > 0, !query.isAboutUnread else {
        return [" · \(counts.total)\(many)\(filter)", " · \(counts.total)\(many)"]
      }
      guard counts.unread < counts.total else {
        return [" · \(counts.total)\(many) unread", " · \(counts.total)\(many)"]
      }
      let unread = "\(counts.unread) unread"
      return [" · \(counts.total)\(many), \(unread)", " · \(unread)", " · \(counts.unread)"]
    case .starred: return [" · \(counts.starred)\(filter)", " · \(counts.starred)"]
    case .unread: return [" · \(counts.unread)"]
    case .all, .folder, .feed:
      guard counts.unread > 0 else { return [filter, ""] }
      let unread = " · \(counts.unread) unread"
      return filter.isEmpty
        ? [unread, " · \(counts.unread)"] : [unread + filter, unread, " · \(counts.unread)"]
    }
  }

  /// The number of arrivals above the screen, or the hint to pull again.
  private var arrivalNotes: [String] {
    if list.pull.since != nil, !state.isRefreshing {
      let (long, short) = (ListStrings.pullAgain, ListStrings.pullAgainShort)
      return [long, long, short, short, "↓"]
    }
    let count = list.newAbove
    guard count > 0 else { return [] }
    let number = "▲ \(count)\(count < Arrivals.limit ? "" : "+")"
    return ["\(number) new · \(state.key(Command(.first)))", "\(number) new", number]
  }

  /// The activity, the age of the list, and why it is not fresher, the longest form first.
  /// The age is part of every form.
  private var freshnessNotes: [[ListHeading.Part]] {
    guard let freshness = list.snapshot?.freshness else { return [] }
    var activity: [String] = []
    let first = list.snapshot.flatMap {
      state.subscriptions.firstSync(in: $0.query.timeline)?.firstSync
    }
    if let sync = first, let words = sync.words {
      activity = ["fetching \(words)", sync.short]
    } else if case .refreshing(let done, let total, _) = state.subscriptions.activity {
      activity = ["refreshing \(done)/\(total)", "\(done)/\(total)"]
    } else if case .running(let report) = state.packing {
      activity = ["packing \(report.percent)%", "\(report.percent)%"]
    } else if freshness.isLive {
      activity = ["live"]
    }
    let (trouble, style) = trouble(of: freshness)
    // During its first fetch nothing is out of date.
    let isCached = first != nil || (trouble != nil && freshness.isAboutOneCause)
    let ages = ages(of: freshness, isCached: isCached)
    func note(_ activityForm: Int, _ ageForm: Int) -> [ListHeading.Part] {
      let texts = [
        activity.isEmpty ? nil : (activity[min(activityForm, activity.count - 1)], theme.accent),
        ages.isEmpty ? nil : (ages[min(ageForm, ages.count - 1)], theme.dim),
        trouble.map { ($0, style) },
      ].compactMap { $0 }
      return texts.enumerated().flatMap { index, text in
        let separator = index == 0 ? [] : [ListHeading.Part(text: " · ", style: theme.dim)]
        return separator + [ListHeading.Part(text: text.0, style: text.1)]
      }
    }
    // Forms that say the same are one.
    return [note(0, 0), note(1, 0), note(1, 1), note(1, 2)].reduce(into: []) { notes, note in
      if !note.isEmpty, notes.last != note { notes.append(note) }
    }
  }

  private func ages(of freshness: Freshness, isCached: Bool) -> [String] {
    guard let updated = freshness.updated else {
      // A failure says by itself why there is nothing.
      return freshness.feedCount == 0 || isCached ? [] : [CoreStrings.neverFetched]
    }
    let age = clock.age(updated.seconds)
    return ["\(isCached ? "cached" : "updated") \(age)", age, clock.shortAge(updated.seconds)]
  }

  private func trouble(of freshness: Freshness) -> (String?, Style) {
    if freshness.offlineSince != nil {
      let isByChoice = state.subscriptions.isOfflineByChoice
      return (isByChoice ? CoreStrings.offlineByChoice : "offline", theme.warning)
    }
    let style = freshness.error.map { theme.style(of: $0, quiet: theme.dim) } ?? theme.dim
    guard freshness.feedCount == 1 else {
      return (freshness.failedCount > 0 ? "! \(freshness.failedCount)" : nil, style)
    }
    if freshness.goneCount > 0 { return ("gone", theme.error) }
    if freshness.error?.kind == .tls { return (CoreStrings.notTrusted, style) }
    return (freshness.failedCount > 0 ? "failed" : nil, style)
  }

  // MARK: Rows

  private func draw(_ row: TimelineRow, _ frame: inout Frame, _ line: Rect, isSelected: Bool) {
    switch row {
    case .article(let row):
      draw(row, &frame, line, isSelected: isSelected)
    case .gap(let gap):
      let style = isSelected ? selectedStyle : theme.dim
      if isSelected { frame.fill(line, style) }
      let from = clock.short(gap.older.date).trimmed
      let to = clock.short(gap.newer.date).trimmed
      let feed = showsFeedTitles ? state.feed(gap.feedID).map { "\($0.displayTitle): " } ?? "" : ""
      let text = ListStrings.gap(from, to, load: gap.canLoad ? state.key(.open) : nil)
      frame.put(
        "┄ \(feed)\(text)", x: line.x + 1, y: line.y, style: style, width: line.width - 1,
        overflow: .ellipsis)
    }
  }

  private var selectedStyle: Style {
    isFocused ? theme.selected : theme.selectedElsewhere
  }

  private func draw(_ row: ArticleRow, _ frame: inout Frame, _ line: Rect, isSelected: Bool) {
    let style = isSelected ? selectedStyle : row.status.isRead ? theme.dim : theme.unread
    if isSelected { frame.fill(line, style) }
    func own(_ other: Style) -> Style { isSelected ? style : other }

    if line.width >= 12 {
      frame.put(
        row.status.isRead ? " " : "●", x: line.x, y: line.y, style: own(theme.accent), width: 1)
      frame.put(
        row.status.isStarred ? "★" : " ", x: line.x + 1, y: line.y, style: own(theme.star),
        width: 1)
      if list.picked.contains(row.id) {
        frame.put("✓", x: line.x + 2, y: line.y, style: own(theme.accent), width: 1)
      } else if row.isChanged {
        frame.put("±", x: line.x + 2, y: line.y, style: own(theme.accent), width: 1)
      }
    }
    let columns = ListColumns(
      state.settings.columns, in: line,
      // All dates of a format are about as long; the widest day and month are in this one.
      ownDate: state.settings.dateFormat.map {
        TextWidth.columns(of: clock.text(1_601_424_000, $0))
      }, showsFeeds: showsFeedTitles)
    for (column, x, width) in columns.places {
      switch column {
      case .date:
        let ownDate = columns.usesOwnDates ? state.settings.dateFormat : nil
        frame.put(
          ownDate.map { clock.text(row.date, $0) } ?? clock.short(row.date), x: x, y: line.y,
          style: own(theme.dim), width: width)
      case .feed:
        frame.put(
          row.feedTitle, x: x, y: line.y, style: own(theme.dim), width: width, overflow: .ellipsis)
      case .title:
        drawTitle(
          of: row, &frame, Rect(x: x, y: line.y, width: width, height: 1),
          hasMarks: line.width >= 20, isSelected: isSelected)
      }
    }
  }

  /// Draws the title, and at the end of its place the marks of the article.
  private func drawTitle(
    of row: ArticleRow, _ frame: inout Frame, _ place: Rect, hasMarks: Bool, isSelected: Bool
  ) {
    let style = isSelected ? selectedStyle : row.status.isRead ? theme.dim : theme.unread
    func own(_ other: Style) -> Style { isSelected ? style : other }
    var end = place.maxX
    func mark(_ text: String, _ style: Style) {
      let columns = TextWidth.columns(of: text)
      frame.put(text, x: end - columns, y: place.y, style: own(style))
      end -= columns + 1
    }
    if hasMarks {
      if let transfer = state.transfers.mark(of: row.id, theme) {
        mark(transfer.text, transfer.style)
      }
      if !row.tellings.isEmpty { mark("+\(row.tellings.count)", theme.accent) }
      if state.packed.contains(row.id) { mark("▣", theme.dim) }
    }
    let room = max(0, end - place.x)
    let title = row.duplicateOf == nil ? style : own(theme.dim)
    let snippet = room >= Self.roomForSnippets ? list.snapshot?.snippets[row.id] : nil
    let sign = row.isUnfolded ? "└ " : row.duplicateOf == nil ? "" : "≡ "
    let titleStyle = isSelected ? style : highlight(of: row)?.over(title) ?? title
    let titleRoom = snippet == nil ? room : room / 2
    // A text by itself: the sign is left of a title that begins on the right.
    var used = frame.put(sign, x: place.x, y: place.y, style: titleStyle, width: titleRoom)
    used += frame.put(
      row.title, x: place.x + used, y: place.y, style: titleStyle, width: titleRoom - used,
      overflow: .ellipsis)
    if let snippet {
      draw(snippet, &frame, x: place.x + used + 2, y: place.y, end: place.x + room, own)
    }
  }

  /// Columns of the title from which on a snippet stands beside it.
  private static let roomForSnippets = 36

  private func draw(
    _ snippet: Snippet, _ frame: inout Frame, x: Int, y: Int, end: Int, _ own: (Style) -> Style
  ) {
    let start = x
    var x = x
    for part in snippet.parts where x < end {
      x += frame.put(
        part.text, x: x, y: y, style: own(part.isHit ? theme.hit : theme.dim), width: end - x,
        overflow: .ellipsis)
    }
    frame.arrangeIfNeeded(x: start, y: y, width: x - start)
  }

  private func highlight(of row: ArticleRow) -> Style? {
    guard !state.settings.highlights.isEmpty else { return nil }
    return state.highlights(of: [.title, .feed, .query]).first { highlight in
      if let query = highlight.query {
        return list.snapshot?.highlighted[query]?.contains(row.id) == true
      }
      return highlight.matches(highlight.field == .title ? row.title : row.feedTitle)
    }?.style
  }

  private var showsFeedTitles: Bool {
    if case .feed = list.query.timeline { false } else { true }
  }
}

extension Freshness {
  /// Whether one reason holds for the whole list.
  fileprivate var isAboutOneCause: Bool { offlineSince != nil || feedCount == 1 }
}

extension String {
  fileprivate var trimmed: Substring { trimmingPrefix { $0 == " " } }
}
