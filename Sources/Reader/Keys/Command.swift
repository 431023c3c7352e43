/// A command that keys can be bound to. Each screen declares its own; those of several screens are here.
struct Command: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }
  init(_ motion: Motion) { self.init(motion.rawValue) }

  /// The motion that it stands for; nil for any other command.
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
  static let nextTheme = Command("next-theme")
  static let quit = Command("quit")
}

enum Motion: String, Hashable {
  case down, up, first, last
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfDown = "half-down"
  case halfUp = "half-up"

  /// The number of rows or lines to move by, where a number was typed before. To the first and the last it is the
  /// row or line with that number, from 1.
  ///
  /// - Parameter position: the present row or line, from 0.
  func delta(height: Int, times count: Int?, from position: Int) -> Int {
    guard let count else { return delta(height: height) }
    switch self {
    case .first, .last: return count - 1 - position
    default: return delta(height: height) * count
    }
  }

  /// The number of rows or lines to move by; a huge one for the first and the last.
  ///
  /// - Parameter height: visible lines. A page is one less, so that one line stays visible.
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
