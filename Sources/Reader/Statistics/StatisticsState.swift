internal import News
internal import Screen

/// The screen of the articles of each feed and the share that is read, with details of the selected row.
struct StatisticsState: Hashable {
  var page = DetailedList<StatisticsRow.ID>(.total)
  /// The time that is counted, until now, in seconds.
  var span = ReadingStatistics.usualSpan
  /// Nil until they have been counted.
  var statistics: ReadingStatistics?
  /// The disk usage; nil until the sizes have been added up.
  var room: KeptRoom?
  /// Whether numbers are on their way.
  var isCounting = true
  var error: SourceError?

  /// The times that can be chosen, in seconds.
  static let spans: [Int64] = [7, 28, 90, 365, 3_650].map { $0 * ReadingStatistics.day }

  var rows: [StatisticsRow] { statistics.map(StatisticsRow.rows) ?? [] }

  func layout(_ size: Size) -> PageLayout { PageLayout(size: size, rowCount: rows.count) }
}

extension StatisticsState: ReaderScreen {
  static let name = "statistics"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .open, .followAdvice, .remove, .change, .more, .less, .refresh, .undo, .select, .selectRange,
      .detailsDown, .detailsUp, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .open: "Show the feed’s articles", .remove: "Unsubscribe",
    .more: "Count a longer time", .less: "Count a shorter time", .refresh: "Count again",
  ]
  static let opening: Command? = .statistics

  static func open(in state: inout ReaderState) -> [Effect] {
    var screen = state.stack[Self.self] ?? StatisticsState()
    let effects = screen.count()
    state.stack.push(screen)
    return effects
  }

  /// Has the numbers counted. Those that show stay until others come.
  private mutating func count() -> [Effect] {
    isCounting = true
    error = nil
    return [.statistics(.count(span: span))]
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    switch command {
    case .statistics, .back, .leave:
      state.notice = nil
      return .closed([.cancel(.statistics)])
    case .refresh: return .done(count())
    case .more, .less:
      let longer = Self.spans.first { $0 > span }
      let shorter = Self.spans.last { $0 < span }
      guard let next = command == .more ? longer : shorter else {
        return .done(state.notify(CoreStrings.lastTime(isLongest: command == .more)))
      }
      span = next
      return .done(count())
    case .undo: return .done([state.apply(.undoAsking(agreedTo: nil))])
    case .followAdvice:
      let present = page.selection.nearestIndex(in: rows).map { [rows[$0]] }
      return perform(command, on: present ?? [], in: &state)
    case .open, .remove, .change:
      return perform(command, on: page.subjects(in: rows), in: &state)
    default: return .ignored
    }
  }

  private func perform(
    _ command: Command, on rows: [StatisticsRow], in state: inout ReaderState
  ) -> ScreenResponse {
    guard let row = rows.first else { return .done(state.notify(StatisticsStrings.noFeeds)) }
    if command == .followAdvice {
      guard case .advice(let suggestion) = row else {
        return .done(state.notify(StatisticsStrings.noAdvice))
      }
      return .done(apply(suggestion, in: &state))
    }
    var seen: Set<FeedID> = []
    let feeds = rows.flatMap(\.feeds).filter { state.feed($0) != nil && seen.insert($0).inserted }
    guard let first = feeds.first else {
      return .done(state.notify(StatisticsStrings.noFeedSelected))
    }
    switch command {
    case .open:
      let effects =
        feeds.count == 1 && row.selectionID == .feed(first)
        ? state.goToList(of: .feed(first)) : FeedEditing.goToPicked(feeds, in: &state)
      return .closed([.cancel(.statistics)] + effects)
    case .remove: return .done(FeedEditing.askToRemove(feeds, in: &state))
    case .change: return .done(FeedEditing.openFeedForm(of: feeds, in: &state))
    default: return .ignored
    }
  }

  /// Applies a suggestion, after a question where it changes anything.
  private func apply(_ suggestion: FeedSuggestion, in state: inout ReaderState) -> [Effect] {
    let feeds = suggestion.feeds.filter { state.feed($0) != nil }
    guard !feeds.isEmpty else { return state.notify(SubscriptionsStrings.removed(feeds.count)) }
    let one = feeds.count == 1 ? state.feed(feeds[0])?.displayTitle : nil
    let what = one ?? quantity(feeds.count, "feed")
    switch suggestion.group {
    case .silent: return FeedEditing.askToRemove(feeds, in: &state)
    case .unopened:
      state.ask(.question("Pause \(what)", [.subscriptions(.set(feeds, .paused, to: "yes"))]))
    case .noisy:
      state.ask(
        .question(StatisticsStrings.hide(what), [.subscriptions(.set(feeds, .hidden, to: "yes"))]))
    case .failing, .slow:
      return [.refresh(.askedFeeds(feeds))] + state.notify(StatisticsStrings.refreshing(what))
    }
    return []
  }

  // MARK: Mouse and changes

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let clicked = page.handle(mouse.event, in: contents(in: state))
    guard let clicked, mouse.kind == .doubleClick else { return .done([]) }
    return perform(.open, on: [rows[clicked]], in: &state)
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    switch action {
    case .statistics(.counted(let statistics, let room)):
      // Of a time that is shown no more.
      guard statistics.span == span else { return .done([]) }
      if room == nil, self.statistics?.span == span {
        // The sizes of before stand until the new ones are added up.
        self.statistics = statistics.with(sizesOf: self.statistics)
      } else {
        self.statistics = statistics
      }
      self.room = room ?? self.room
      isCounting = room == nil
      error = nil
    case .statistics(.failed(let error)):
      self.error = error
      isCounting = false
    default: return .ignored
    }
    settle(in: state)
    return .done([])
  }

  /// Has the numbers counted again after a change of the feeds.
  mutating func recount() -> [Effect] { count() }

  mutating func settle(in state: ReaderState) { page.settle(in: contents(in: state)) }

  private func contents(
    in state: ReaderState
  ) -> DetailedList<StatisticsRow.ID>.Contents<StatisticsRow> {
    DetailedList.Contents(rows: rows, layout: layout(state.size)) { row, width in
      details(of: row, width: width, in: state).count
    }
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    let rows = rows
    guard let index = page.selection.nearestIndex(in: rows) else {
      return [KeyHint.keys, KeyHint(.refresh, StatisticsStrings.hintCount), KeyHint.back]
    }
    let own =
      switch rows[index] {
      case .total: [KeyHint]()
      case .advice(let suggestion):
        [
          KeyHint(.followAdvice, StatisticsStrings.remedy(suggestion.group)),
          KeyHint(.open, "select"), KeyHint(.change, "settings"),
        ]
      case .feed:
        [KeyHint(.open, "articles"), KeyHint(.remove, "remove"), KeyHint(.change, "settings")]
      }
    return [KeyHint.keys] + own + [
      KeyHint(.more, .less, "time"), KeyHint(.refresh, StatisticsStrings.hintCount), KeyHint.back,
    ]
  }
}

extension ReadingStatistics {
  /// The statistics with the sizes from before.
  fileprivate func with(sizesOf former: ReadingStatistics?) -> ReadingStatistics {
    let sizes = Dictionary(
      (former?.feeds ?? []).map { ($0.id, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    var statistics = self
    for index in statistics.feeds.indices {
      statistics.feeds[index].bytes = sizes[statistics.feeds[index].id] ?? nil
    }
    return statistics
  }
}

extension ReaderState {
  /// Has the statistics counted again where they show and an action has changed what they are about.
  mutating func recountReading(after action: Action) -> [Effect] {
    switch action {
    case .subscriptions(.added), .subscriptions(.removed), .subscriptions(.merged),
      .subscriptions(.set),
      .subscriptions(.transferred), .marks(.turned), .subscriptions(.refreshEnded):
      return stack[StatisticsState.self]?.recount() ?? []
    default: return []
    }
  }
}
