/// The open screens above the panes, the lowest first; at most one of each kind.
struct ScreenStack: Hashable, Sendable {
  /// Every kind of screen. A new screen is a line here and a folder.
  static let kinds: [any ReaderScreen.Type] = [
    SidebarPane.self,
    ListPane.self,
    ArticlePane.self,
    HealthState.self,
    OutboxState.self,
    TransfersState.self,
    QueueState.self,
    StatisticsState.self,
    TripState.self,
    SettingsState.self,
    FeedForm.self,
    Choice.self,
    ConflictState.self,
    HelpState.self,
    OutputState.self,
    PictureView.self,
    DeckState.self,
    ConversationState.self,
    LinkHints.self,
    CommandLine.self,
    JumpPage.self,
    Palette.self,
    Prompt.self,
  ]

  private var screens: [any ReaderScreen] = []

  var top: (any ReaderScreen)? { screens.last }

  /// The topmost screen that is not a question in the status line.
  var topPage: (any ReaderScreen)? { screens.last { type(of: $0).layer < .prompt } }

  /// The open screen of a kind; nil while it is closed. A new one is put above all of its layer.
  subscript<Kind: ReaderScreen>(_ kind: Kind.Type) -> Kind? {
    get { screens.lazy.compactMap { $0 as? Kind }.first }
    set {
      let index = screens.firstIndex { $0 is Kind }
      switch (index, newValue) {
      case (let index?, let screen?): screens[index] = screen
      case (let index?, nil): screens.remove(at: index)
      case (nil, let screen?): insert(screen)
      case (nil, nil): break
      }
    }
  }

  /// Opens a screen above all of its layer, in place of an open one of its kind.
  mutating func push(_ screen: some ReaderScreen) {
    screens.removeAll { type(of: $0) == type(of: screen) }
    insert(screen)
  }

  private mutating func insert(_ screen: some ReaderScreen) {
    let layer = type(of: screen).layer
    let place = screens.firstIndex { type(of: $0).layer > layer } ?? screens.endIndex
    screens.insert(screen, at: place)
  }

  // MARK: Asking

  func contains(_ kind: any ReaderScreen.Type) -> Bool { screens.contains { type(of: $0) == kind } }

  func contains(_ layer: ScreenLayer) -> Bool { screens.contains { type(of: $0).layer == layer } }

  /// The screen below another one; nil where the panes are.
  func below(_ kind: any ReaderScreen.Type) -> (any ReaderScreen)? {
    guard let index = screens.firstIndex(where: { type(of: $0) == kind }) else { return nil }
    return index > 0 ? screens[index - 1] : nil
  }

  var count: Int { screens.count }

  mutating func remove(at index: Int) -> any ReaderScreen { screens.remove(at: index) }

  /// Puts a screen back, below those that it has opened, unless it has opened another of its kind.
  mutating func putBack(_ screen: any ReaderScreen, at index: Int) {
    guard !contains(type(of: screen)) else { return }
    screens.insert(screen, at: min(index, screens.count))
  }

  // MARK: Comparing

  static func == (a: ScreenStack, b: ScreenStack) -> Bool {
    a.screens.count == b.screens.count && zip(a.screens, b.screens).allSatisfy { $0.isEqual($1) }
  }

  func hash(into hasher: inout Hasher) { for screen in screens { screen.hash(into: &hasher) } }
}

extension ReaderScreen {
  fileprivate func isEqual(_ other: any ReaderScreen) -> Bool { other as? Self == self }
}
