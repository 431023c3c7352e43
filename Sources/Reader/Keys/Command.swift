/// A command that keys can be bound to.
struct Command: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }
  init(_ motion: Motion) { self.init(motion.rawValue) }

  /// Nil for any other command.
  var motion: Motion? { Motion(rawValue: name) }
}

extension [Command] {
  static let motions = Motion.allCases.map { Command($0) }
}
