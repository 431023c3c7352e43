internal import News
internal import Screen

struct FeedChoice: Hashable, Sendable {
  let address: String
  /// Two at least, best first.
  let links: [FeedLink]
  var selection: ScrollingSelection<String>

  init(address: String, links: [FeedLink]) {
    self.address = address
    self.links = links
    selection = ScrollingSelection(links.first?.url)
  }

  var selected: Int { selection.nearestIndex(in: links) ?? 0 }
}

extension FeedLink: SelectableRow {
  var selectionID: String { url }
}

extension FeedChoice: ReaderScreen {
  static let name = "choice"
  static let layer = ScreenLayer.dialog
  static let commands: [Command] = [.open, .back, .leave] + .motions
  static let help: [Command: String] = [.open: "Subscribe to this feed", .leave: "Cancel"]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      let height = FeedChoiceLayout(size: state.size).rows.height
      selection.move(by: motion.delta(height: height), in: links, height: height)
      return .done([])
    }
    switch command {
    case .open: return .closed(state.subscribe(to: links[selected], of: address))
    case .back, .leave: return .closed([])
    default: return .ignored
    }
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let rows = FeedChoiceLayout(size: state.size).rows
    guard let clicked = selection.handle(mouse.event, in: links, area: rows),
      mouse.kind == .doubleClick
    else { return .done([]) }
    return .closed(state.subscribe(to: links[clicked], of: address))
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint(.open, "subscribe"), KeyHint(.leave, "cancel"),
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
    stack.push(FeedChoice(address: address, links: links))
    return []
  }

  fileprivate mutating func subscribe(to link: FeedLink, of address: String) -> [Effect] {
    AddressSearches.search(at: link.url, for: address, in: &self)
    return [.subscriptions(.addFound(link, of: address))]
  }
}

/// Where the parts of the choice lie: the address of the selected feed below the list, where there is
/// room for it.
struct FeedChoiceLayout: Hashable {
  /// With its heading.
  let list: Rect
  let rows: Rect
  /// With the rule above it.
  let details: Rect?

  init(size: Size) {
    let height = PaneLayout.page(size).height
    let below = height >= 7 ? 3 : 0
    list = Rect(x: 0, y: 0, width: size.width, height: height - below)
    rows = PaneLayout.content(of: list)
    details = below == 0 ? nil : Rect(x: 0, y: height - below, width: size.width, height: below)
  }
}
