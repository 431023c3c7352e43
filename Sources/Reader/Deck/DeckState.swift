internal import News
internal import Screen

/// The screen of a list as cards: one article at a time, each with a decision, and an end. Nothing is marked by
/// looking.
struct DeckState: Hashable, Sendable {
  enum Decision: CaseIterable, Hashable, Sendable {
    case kept, later, done
    case read

    fileprivate var kind: UserActionKind {
      switch self {
      case .kept: .starred
      case .later: .tag
      case .done: .read
      case .read: .opened
      }
    }
  }

  private enum Deed: Hashable {
    case decided(ArticleID, Decision)
    /// A rule was made, by which these cards went; the card that showed.
    case muted([ArticleRow], at: ArticleID?)

    /// Whether an entry of the journal is about it; nil where there was nothing to take back.
    func isTold(by entry: JournalEntry?) -> Bool {
      guard let entry else { return true }
      return switch self {
      case .decided(let id, let decision):
        entry.kind == decision.kind && (entry.article == nil || entry.article == id)
      case .muted: entry.kind == .addRule
      }
    }
  }

  /// How far a list was gone through before.
  struct Place: Hashable, Sendable {
    /// Cards that are not shown again.
    var settled: Set<ArticleID> = []
    /// The card that showed last, and those behind it.
    var rest: [ArticleID] = []
  }

  let name: String
  let timeline: Timeline
  /// The articles, in the order of the list; nil until they have come.
  private(set) var rows: [ArticleRow]?
  /// The card that shows; the count of the rows is the end.
  private(set) var index = 0
  private(set) var decisions: [ArticleID: Decision] = [:]
  /// Actions of the user here, the latest last.
  private var past: [Deed] = []
  /// Actions that are being undone, the first first.
  private var undoing: [Deed] = []
  /// The cards as they came, in the order of the list.
  private var dealt: [ArticleID] = []
  private let former: Place
  /// The card whose article is being read; leaving that leads back to it.
  private(set) var opened: ArticleID?
  private(set) var cards: [CardWish: ArticleCard] = [:]
  private var asked: Set<CardWish> = []
  private(set) var pictures: [PictureWish: PicturePhase] = [:]

  /// The most cards of a deck; what is left is there the next time.
  static let most = 200
  private static let secondsPerCard = 10

  init(name: String, timeline: Timeline, goingOnFrom former: Place = Place()) {
    (self.name, self.timeline, self.former) = (name, timeline, former)
  }

  // MARK: What shows

  var row: ArticleRow? { rows.flatMap { $0.indices.contains(index) ? $0[index] : nil } }

  func card(at size: Size) -> ArticleCard? { row.flatMap { cards[Self.wish($0.id, size)] } }

  static func room(_ size: Size) -> Rect {
    let pane = PaneLayout.content(of: PaneLayout.page(size))
    let width = min(max(1, pane.width - 4), 76)
    return Rect(
      x: pane.x + (pane.width - width) / 2, y: pane.y + (pane.height > 12 ? 1 : 0), width: width,
      height: max(1, pane.height - (pane.height > 12 ? 2 : 0)))
  }

  private static func wish(_ id: ArticleID, _ size: Size) -> CardWish {
    let room = room(size)
    return CardWish(article: id, width: room.width, rows: room.height)
  }

  static func wish(for picture: PagePicture, of card: ArticleCard) -> PictureWish {
    PictureWish(
      article: card.id, feed: card.feedID, url: picture.url, columns: picture.columns,
      rows: picture.rows)
  }

  func phase(of picture: PagePicture, of card: ArticleCard) -> PicturePhase? {
    pictures[Self.wish(for: picture, of: card)]
  }

  /// As in `3 of 37 · about 6 min left`.
  var progress: String {
    guard let rows else { return "" }
    guard index < rows.count else { return quantity(rows.count, "card") }
    let minutes = ((rows.count - index) * Self.secondsPerCard + 59) / 60
    return DeckStrings.progress(index + 1, of: rows.count, minutes: minutes)
  }

  /// The decisions so far, for the end.
  var summary: String {
    DeckStrings.summary(
      Array(decisions.values), left: (rows ?? []).count { decisions[$0.id] == nil })
  }

  // MARK: What is needed

  /// Asks for the card that shows and the next ones, and for their pictures.
  private mutating func ask(_ size: Size) -> [Effect] {
    guard let rows else { return [] }
    var effects: [Effect] = []
    for row in rows.dropFirst(index).prefix(3) {
      let wish = Self.wish(row.id, size)
      if cards[wish] == nil, asked.insert(wish).inserted { effects.append(.deck(.deal(wish))) }
    }
    return effects
  }

  private mutating func askForPicture(of card: ArticleCard) -> [Effect] {
    guard let picture = card.picture else { return [] }
    let wish = Self.wish(for: picture, of: card)
    guard pictures[wish] == nil else { return [] }
    pictures[wish] = .waiting
    return [.pictures(.load(wish))]
  }

  /// Drops the cards and pictures that were passed.
  private mutating func forgetPassed() {
    guard let rows, cards.count > 12 else { return }
    let near = Set(rows.dropFirst(max(0, index - 4)).prefix(8).map(\.id))
    cards = cards.filter { near.contains($0.key.article) }
    asked = asked.filter { near.contains($0.article) }
    pictures = pictures.filter { near.contains($0.key.article) }
  }

  /// Ends the wait for pictures.
  private var cancelled: [Effect] {
    pictures.filter { $0.value == .waiting }.keys.map { .cancel(.pictures(.picture($0))) }
  }

  private var muted: Set<ArticleID> {
    Set(
      past.flatMap { deed -> [ArticleID] in
        if case .muted(let rows, _) = deed { rows.map(\.id) } else { [] }
      })
  }

  // MARK: Leaving and coming back

  private var place: Place {
    guard let rows else { return former }
    return Place(
      settled: former.settled.union(decisions.keys).union(muted),
      rest: rows.dropFirst(index).map(\.id))
  }

  /// Shows the articles of the list without those that were settled; the card that showed last
  /// comes first.
  private mutating func deal(_ rows: [ArticleRow]) {
    let new = rows.filter { !former.settled.contains($0.id) }
    let places = Dictionary(new.enumerated().map { ($1.id, $0) }) { first, _ in first }
    index = former.rest.lazy.compactMap { places[$0] }.first ?? 0
    (self.rows, dealt) = (new, new.map(\.id))
  }

  /// Opens the article of the card, and keeps the cards for when it is left.
  private mutating func read(_ row: ArticleRow, in state: inout ReaderState) -> [Effect] {
    if decisions[row.id] == nil {
      decisions[row.id] = .read
      past.append(.decided(row.id, .read))
    }
    var kept = self
    kept.opened = row.id
    kept.asked = Set(cards.keys)
    kept.pictures = pictures.filter { $0.value != .waiting }
    state.skimming.places[timeline] = place
    state.skimming.deck = kept
    return state.open(row)
  }

  /// Asks again for what had not come when its article was opened.
  mutating func resume(_ size: Size) -> [Effect] {
    opened = nil
    return ask(size) + cards.values.flatMap { askForPicture(of: $0) }
  }

  // MARK: Moving and deciding

  private mutating func move(by delta: Int, in state: inout ReaderState) -> [Effect] {
    guard let rows else { return [] }
    let target = index + delta
    guard (0...rows.count).contains(target) else { return [] }
    index = target
    state.notice = nil
    forgetPassed()
    return ask(state.size)
  }

  private mutating func decide(
    _ decision: Decision, _ intent: (ArticleRow) -> Intent, in state: inout ReaderState
  ) -> [Effect] {
    guard let row else { return [] }
    decisions[row.id] = decision
    past.append(.decided(row.id, decision))
    return [state.apply(intent(row))] + move(by: 1, in: &state)
  }

  /// Undoes the latest decision here, whatever was done elsewhere since.
  private mutating func undo(in state: inout ReaderState) -> [Effect] {
    guard let last = past.popLast() else { return state.notify(DeckStrings.noDecision) }
    undoing.append(last)
    switch last {
    case .decided(let id, let decision): return [state.apply(.undoLast(decision.kind, of: id))]
    case .muted: return [state.apply(.undoLast(.addRule, of: nil))]
    }
  }

  /// Shows the card again about which a decision was taken back, and those that a rule had hidden.
  private mutating func revert(_ deed: Deed, _ size: Size) -> [Effect] {
    switch deed {
    case .decided(let id, _):
      decisions[id] = nil
      show(id)
    case .muted(let hidden, let id):
      // The others are in their order, and so are these.
      let shown = rows ?? []
      let places = Dictionary(dealt.enumerated().map { ($1, $0) }) { first, _ in first }
      rows = (shown + hidden).sorted { places[$0.id, default: 0] < places[$1.id, default: 0] }
      show(id)
    }
    return ask(size)
  }

  private mutating func show(_ id: ArticleID?) {
    index = rows?.firstIndex { $0.id == id } ?? index
  }

  /// Removes the cards that a new rule hides.
  private mutating func hide(_ ids: [ArticleID], _ size: Size) -> [Effect] {
    let hidden = Set(ids)
    past.append(.muted((rows ?? []).filter { hidden.contains($0.id) }, at: row?.id))
    return remove(hidden, size)
  }

  private mutating func remove(_ ids: Set<ArticleID>, _ size: Size) -> [Effect] {
    let rows = rows ?? []
    index -= rows.prefix(index).count { ids.contains($0.id) }
    self.rows = rows.filter { !ids.contains($0.id) }
    forgetPassed()
    return ask(size)
  }

  /// Begins a rule that hides similar articles.
  private func mute(in state: inout ReaderState) -> [Effect] {
    guard let row else { return [] }
    let feed = state.subscriptions.queryText(of: .feed(row.feedID)).map { "\($0) " } ?? ""
    let title = row.title.replacing("\"", with: "")
    return state.openCommandLine(
      with: "rules add --hide \(TypedWords.quoted("\(feed)title:\"\(title)\""))")
  }
}

extension DeckState: ReaderScreen {
  static let name = "deck"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .open, .next, .previous, .toggleRead, .toggleStar, .later, .addRule, .openInBrowser, .undo,
      .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .open: "Open the article", .next: "Next card; leave this one as it is",
    .previous: "Previous card", .toggleRead: "Mark as read", .toggleStar: "Star",
    .later: "Add to Later", .addRule: "Add a rule that hides similar articles",
    .undo: "Undo the last decision",
  ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      return .done(move(by: motion.delta(height: 1) > 0 ? 1 : -1, in: &state))
    }
    switch command {
    case .back, .leave:
      state.notice = nil
      state.skimming.places[timeline] = place
      return .closed(cancelled + [.cancel(.deck(.cards))])
    case .next: return .done(move(by: 1, in: &state))
    case .previous: return .done(move(by: -1, in: &state))
    case .toggleStar:
      return .done(decide(.kept, { .mark([$0.id], .starred(true), isUndoable: true) }, in: &state))
    case .later:
      return .done(decide(.later, { .setLater([$0.id], true) }, in: &state))
    case .toggleRead:
      return .done(
        decide(.done, { .mark([$0.id] + $0.tellings, .read(true), isUndoable: true) }, in: &state))
    case .addRule: return .done(mute(in: &state))
    case .undo: return .done(undo(in: &state))
    case .openInBrowser: return .done(row.map { [.opening(.openArticleLink($0.id))] } ?? [])
    case .open:
      guard let row else { return .done([]) }
      return .closed(cancelled + [.cancel(.deck(.cards))] + read(row, in: &state))
    default: return .ignored
    }
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: .done(move(by: 1, in: &state))
    case .wheelUp: .done(move(by: -1, in: &state))
    case .click, .doubleClick: .done([])
    }
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    switch action {
    case .deck(.collected(let rows)):
      guard self.rows == nil else { return .done([]) }
      deal(rows)
      return .done(ask(state.size))
    case .programs(.ended(let id, .exited(0))):
      // The line that was begun with the key, or another one like it.
      guard state.programs.contains(where: { $0.id == id && $0.title.hasPrefix("rules add ") }),
        let rows, !rows.isEmpty
      else { return .ignored }
      return .done([.deck(.findHidden(rows.map(\.id)))])
    case .deck(.hiddenFound(let ids)): return .done(hide(ids, state.size))
    case .marks(.turned(let entry, isUndone: true)):
      guard let index = undoing.firstIndex(where: { $0.isTold(by: entry) }) else { return .ignored }
      let deed = undoing.remove(at: index)
      guard entry?.refusal == nil else {
        past.append(deed)
        return .done([])
      }
      return .done(revert(deed, state.size))
    case .deck(.dealt(let wish, let card)):
      guard asked.contains(wish) else { return .ignored }
      cards[wish] = card
      return .done(askForPicture(of: card))
    case .deck(.gone(let id)):
      guard rows?.contains(where: { $0.id == id }) == true else { return .done([]) }
      return .done(remove([id], state.size))
    case .pictures(.arrived(let wish, let picture)):
      guard pictures[wish] != nil else { return .ignored }
      pictures[wish] = .shown(picture)
      return .done([])
    case .pictures(.failed(let wish, let reason)):
      guard pictures[wish] != nil else { return .ignored }
      pictures[wish] = .failed(reason)
      return .done([])
    case .resized: return .done(ask(state.size))
    default: return .ignored
    }
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    DeckDrawing(deck: self, theme: state.theme, back: ReadingStrings.back(state.key(.leave)))
      .draw(&frame, state.size)
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    row != nil || rows == nil ? DeckStrings.hints : DeckStrings.endHints
  }
}
