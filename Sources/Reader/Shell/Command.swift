/// What a key can ask for. Each screen declares its own; here are those that many share.
struct Command: Hashable, Sendable {
  /// As the tables of keys name it.
  let name: String

  init(_ name: String) { self.name = name }
  init(_ motion: Motion) { self.init(motion.rawValue) }

  /// The way to move that it asks for; nil for all else.
  var motion: Motion? { Motion(rawValue: name) }
}

extension Command {
  static let open = Command("open")
  static let back = Command("back")
  static let leave = Command("leave")
  static let removeFeed = Command("remove-feed")
  static let signIn = Command("sign-in")
  static let openInBrowser = Command("open-in-browser")
  static let detailsDown = Command("details-down")
  static let detailsUp = Command("details-up")
  static let redraw = Command("redraw")
  static let suspend = Command("suspend")
  static let quit = Command("quit")
}

/// A way to move in a list or a text that scrolls.
enum Motion: String, Hashable {
  case down, up, first, last
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfDown = "half-down"
  case halfUp = "half-up"

  /// Rows or lines to move by; more than there are for an end.
  ///
  /// - Parameter height: how many show at once. A page leaves one of them in sight.
  func delta(height: Int) -> Int {
    switch self {
    case .down: 1
    case .up: -1
    case .pageDown: max(1, height - 1)
    case .pageUp: -max(1, height - 1)
    case .halfDown: max(1, height / 2)
    case .halfUp: -max(1, height / 2)
    case .first: -1_000_000_000
    case .last: 1_000_000_000
    }
  }
}
