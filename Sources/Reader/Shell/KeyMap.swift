package import Screen

/// What a key can ask for.
package enum Command: Hashable, Sendable, CaseIterable {
  case down, up, pageDown, pageUp, halfDown, halfUp, first, last
  case open, back, leave, nextPane, previousPane, fold
  case refresh, refreshAll, addFeed, removeFeed, signIn, search
  case nextUnread, previousArticle, nextArticle, toggleRead, toggleStar, markAllRead, undo
  case toggleUnreadOnly, openInBrowser, nextLink, previousLink, linkNumber
  case health, tryFeed, tryFailing, moveFeed, editAddress, showFeed, detailsDown, detailsUp
  case help, redraw, suspend, quit
}

extension Command {
  /// The way to move that it asks for; nil for all else.
  var motion: Motion? {
    switch self {
    case .down: .down
    case .up: .up
    case .pageDown: .pageDown
    case .pageUp: .pageUp
    case .halfDown: .halfDown
    case .halfUp: .halfUp
    case .first: .first
    case .last: .last
    default: nil
    }
  }
}

/// Where a key works.
package struct KeyContext: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let sidebar = KeyContext(rawValue: 1)
  package static let list = KeyContext(rawValue: 2)
  package static let article = KeyContext(rawValue: 4)
  /// The view of the feeds' health.
  package static let health = KeyContext(rawValue: 8)
  package static let lists: KeyContext = [.sidebar, .list]
  package static let panes: KeyContext = [.sidebar, .list, .article]
  package static let everywhere: KeyContext = [.sidebar, .list, .article, .health]
}

/// One row of the key map, from which the keys work and the help is made.
package struct KeyBinding: Hashable, Sendable {
  package var keys: [KeyEvent]
  package var contexts: KeyContext
  package var command: Command
  package var help: String
}

/// All keys.
package enum KeyMap {
  /// In the order of the help.
  package static let sections: [(title: String, bindings: [KeyBinding])] = [
    (
      "Move",
      [
        bind([.character("j"), .down], .everywhere, .down, "down"),
        bind([.character("k"), .up], .everywhere, .up, "up; past the top, twice: refresh"),
        bind(
          [.pageDown, .character(" "), .control("f")], .everywhere, .pageDown, "a page down"),
        bind([.pageUp, .character("b"), .control("b")], .everywhere, .pageUp, "a page up"),
        bind([.control("d")], .everywhere, .halfDown, "half a page down"),
        bind([.control("u")], .everywhere, .halfUp, "half a page up"),
        bind([.character("g"), .home], .everywhere, .first, "to the top"),
        bind([.character("G"), .end], .everywhere, .last, "to the end"),
        bind([.enter, .character("l"), .right], .lists, .open, "open"),
        bind([.enter], .article, .open, "open the picked link"),
        bind([.character("h"), .left, .escape], .everywhere, .back, "back"),
        bind([.character("q")], .everywhere, .leave, "back; from the sidebar: quit"),
        bind([.tab], .lists, .nextPane, "the next pane"),
        bind([.backTab], .lists, .previousPane, "the pane before"),
        bind([.character("z")], .sidebar, .fold, "close the folder, or open it"),
      ]
    ),
    (
      "Read",
      [
        bind([.character("n")], .panes, .nextUnread, "next unread, in any feed"),
        bind([.character("J"), .character("]")], [.list, .article], .nextArticle, "next article"),
        bind(
          [.character("K"), .character("[")], [.list, .article], .previousArticle,
          "article before"),
        bind([.character("m")], [.list, .article], .toggleRead, "read or unread"),
        bind([.character("s")], [.list, .article], .toggleStar, "star"),
        bind([.character("A")], .panes, .markAllRead, "mark all of this list read"),
        bind([.character("u")], .panes, .undo, "undo mark all read"),
        bind([.character("U")], .lists, .toggleUnreadOnly, "hide what is read, or show it"),
        bind([.character("o")], [.list, .article], .openInBrowser, "open in the browser"),
        bind([.tab], .article, .nextLink, "pick the next link"),
        bind([.backTab], .article, .previousLink, "pick the link before"),
        bind(
          (1...9).map { .character(Character("\($0)")) }, .article, .linkNumber,
          "open a link by its number"),
      ]
    ),
    (
      "Feeds",
      [
        bind([.character("r"), .function(5)], .panes, .refresh, "refresh this list"),
        bind([.character("R")], .panes, .refreshAll, "refresh all feeds"),
        bind([.character("a")], .panes, .addFeed, "add a feed by its address"),
        bind([.character("d")], [.sidebar, .list, .health], .removeFeed, "remove the feed"),
        bind(
          [.character("L")], [.sidebar, .list, .health], .signIn,
          "sign in at a server that asks for it"),
        bind([.character("/")], .panes, .search, "search everything"),
        bind(
          [.character("H")], .everywhere, .health, "the health of the feeds: which fail, and why"),
      ]
    ),
    (
      "Health",
      [
        bind(
          [.character("r"), .enter, .function(5)], .health, .tryFeed, "try the feed again now"),
        bind([.character("R")], .health, .tryFailing, "try all that fail"),
        bind([.character("m")], .health, .moveFeed, "move it to its new address"),
        bind([.character("e")], .health, .editAddress, "type another address for it"),
        bind([.character("o")], .health, .openInBrowser, "open the feed's page"),
        bind([.character("l"), .right, .tab], .health, .showFeed, "go to its articles"),
        bind([.character("J")], .health, .detailsDown, "scroll what is said of it"),
        bind([.character("K")], .health, .detailsUp, "scroll it back"),
      ]
    ),
    (
      "Telex",
      [
        bind([.character("?"), .function(1)], .everywhere, .help, "this help"),
        bind([.control("l")], .everywhere, .redraw, "draw the screen again"),
        bind([.control("z")], .everywhere, .suspend, "suspend; fg comes back"),
        bind([.character("Q"), .control("c")], .everywhere, .quit, "quit"),
      ]
    ),
  ]

  /// What `key` asks for in a pane.
  package static func command(for key: KeyEvent, in context: KeyContext) -> Command? {
    table[Lookup(key: key, context: context)]
  }

  /// How a key is written in the help.
  package static func name(of key: KeyEvent) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "^" + character.uppercased()
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .function(let number): "F\(number)"
    }
  }

  private struct Lookup: Hashable {
    var key: KeyEvent
    var context: KeyContext
  }

  private static let table: [Lookup: Command] = {
    var table: [Lookup: Command] = [:]
    for binding in sections.flatMap(\.bindings) {
      for context in [KeyContext.sidebar, .list, .article, .health]
      where binding.contexts.contains(context) {
        for key in binding.keys { table[Lookup(key: key, context: context)] = binding.command }
      }
    }
    return table
  }()

  private static func bind(
    _ keys: [KeyEvent], _ contexts: KeyContext, _ command: Command, _ help: String
  ) -> KeyBinding {
    KeyBinding(keys: keys, contexts: contexts, command: command, help: help)
  }
}
