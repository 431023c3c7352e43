internal import News
internal import Screen
internal import Text

/// A list of which one row is chosen: feeds of a page, files of an article, themes, orders.
struct Choice: Hashable, Sendable {
  enum Item: Hashable, Sendable, SelectableRow {
    case feed(FeedLink, of: String)
    case file(Enclosure, place: Int, of: ArticleID, FileUse)
    case theme(String)
    case order(ListOrder)

    var selectionID: Item { self }
  }

  let title: String
  /// All of one kind, and at least one.
  let items: [Item]
  /// The one in force.
  let current: Item?
  var selection: ScrollingSelection<Item>

  init(_ title: String, _ items: [Item], current: Item? = nil) {
    (self.title, self.items, self.current) = (title, items, current)
    selection = ScrollingSelection(current ?? items.first)
  }

  var selected: Int { selection.nearestIndex(in: items) ?? 0 }

  /// Whether the page below stays in sight.
  var isBeside: Bool {
    switch items[0] {
    case .theme, .order: true
    case .feed, .file: false
    }
  }

  private func choose(in state: inout ReaderState) -> [Effect] {
    switch items[selected] {
    case .feed(let link, let address): state.subscribe(to: link, of: address)
    case .file(_, let place, let article, .download):
      [.transfers(.download(article, file: place))]
    case .file(_, let place, let article, .open): [.opening(.openFile(article, file: place))]
    case .file(_, let place, let article, .queue): [.queue(.toggle(article, file: place))]
    case .theme(let name): [.settings(.set(name: ReaderState.themeSetting, to: name))]
    case .order(let order): Ordering.changeOrder(to: order.rawValue, in: &state)
    }
  }

  /// Shows the selected theme. The former one stays chosen.
  private func preview(in state: inout ReaderState) {
    guard case .theme(let name) = items[selected] else { return }
    var themes = state.themes
    themes.use(name)
    state.theme = themes.theme
  }

  fileprivate func cancel(in state: inout ReaderState) {
    if isOfThemes { state.theme = state.themes.theme }
  }

  private var isOfThemes: Bool { if case .theme = items[0] { true } else { false } }
}

extension Choice: ReaderScreen {
  static let name = "choice"
  static let layer = ScreenLayer.dialog
  static let commands: [Command] = [.open, .back, .leave] + .motions
  static let help: [Command: String] = [.open: "Choose the selected row", .leave: "Cancel"]
  static let opening: Command? = .theme

  static func open(in state: inout ReaderState) -> [Effect] { state.chooseTheme() }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      let height = ChoiceLayout(self, size: state.size).rows.height
      selection.move(by: motion.delta(height: height), in: items, height: height)
      preview(in: &state)
      return .done([])
    }
    switch command {
    case .open: return .closed(choose(in: &state))
    case .theme where !isOfThemes:
      return .done(
        state.notify(CommandsStrings.unavailable(command.name, palette: state.key(.palette))))
    case .theme, .back, .leave:
      cancel(in: &state)
      return .closed([])
    default: return .ignored
    }
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let rows = ChoiceLayout(self, size: state.size).rows
    let clicked = selection.handle(mouse.event, in: items, area: rows)
    preview(in: &state)
    return clicked != nil && mouse.kind == .doubleClick
      ? .closed(choose(in: &state)) : .done([])
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    let verb =
      switch items[0] {
      case .feed: "subscribe"
      case .file(_, _, _, .download): "download"
      case .file(_, _, _, .queue): "queue"
      case .file(_, _, _, .open): "open"
      case .theme: "keep"
      case .order: "sort"
      }
    return [
      KeyHint(.open, verb), KeyHint(.leave, "cancel"),
      KeyHint(Command(.down), Command(.up), "move"), KeyHint.keys,
    ]
  }
}

extension ReaderState {
  /// Lets the user choose among the feeds of a page; takes one that is alone.
  mutating func offer(_ links: [FeedLink], of address: String) -> [Effect] {
    addresses.adding.removeAll { $0.address == address }
    guard links.count > 1 else {
      return links.first.map { subscribe(to: $0, of: address) } ?? []
    }
    let host = WebAddress.host(of: address) ?? WebAddress.redacted(address)
    return open(Choice(CoreStrings.feeds(of: host), links.map { .feed($0, of: address) }))
  }

  mutating func offer(
    _ files: [Enclosure], of article: ArticleID, title: String, for use: FileUse
  ) -> [Effect] {
    open(
      Choice(
        CoreStrings.files(of: title),
        files.enumerated().map { .file($1, place: $0, of: article, use) }))
  }

  mutating func chooseTheme() -> [Effect] {
    let choice = Choice(
      "Theme", themes.pairs.map { .theme($0.name) }, current: .theme(themes.name))
    let isPlain = (8..<256).contains(themes.colors)
    return open(choice)
      + (isPlain ? notify(CoreStrings.themesLookAlike(colors: themes.colors)) : [])
  }

  /// Lets the user choose the order of the list.
  mutating func chooseOrder() -> [Effect] {
    open(
      Choice(
        "Sort", Ordering.orders(in: self).map { .order($0) },
        current: .order(Ordering.order(in: self))))
  }

  private mutating func open(_ choice: Choice) -> [Effect] {
    // It takes the place of an open one.
    if let former = stack[Choice.self] { former.cancel(in: &self) }
    stack.push(choice)
    return []
  }

  fileprivate mutating func subscribe(to link: FeedLink, of address: String) -> [Effect] {
    AddressSearches.search(at: link.url, for: address, in: &self)
    return [.subscriptions(.addFound(link, of: address))]
  }
}

/// Where the parts of the choice lie: the address of the selected feed below the list, where there is
/// room for it; themes and orders at the right of the page below them.
struct ChoiceLayout: Hashable {
  /// With its heading.
  let list: Rect
  let rows: Rect
  /// With the rule above it.
  let details: Rect?

  init(_ choice: Choice, size: Size) {
    let page = PaneLayout.page(size)
    if choice.isBeside {
      let width = min(page.width, Self.width)
      let height = min(page.height, choice.items.count + 1)
      let edge = width < page.width ? 1 : 0
      list = Rect(x: page.width - width + edge, y: 0, width: width - edge, height: height)
      details = nil
    } else {
      let hasDetails = if case .feed = choice.items[0] { page.height >= 7 } else { false }
      let below = hasDetails ? 3 : 0
      list = Rect(x: 0, y: 0, width: page.width, height: page.height - below)
      details =
        below == 0
        ? nil : Rect(x: 0, y: page.height - below, width: page.width, height: below)
    }
    rows = PaneLayout.content(of: list)
  }

  /// Columns of a choice beside the page, with its edge.
  private static let width = 28
}
