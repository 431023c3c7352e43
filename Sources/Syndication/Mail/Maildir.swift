/// A maildir, which has one file for each message: `cur` and `new` hold them, `tmp` what is not written yet.
package enum Maildir {
  /// The folders that hold messages.
  package static let folders = ["cur", "new"]

  /// Whether a file of this name is a message, as far as the name says.
  package static func isMessage(_ name: String) -> Bool { !name.hasPrefix(".") }

  /// Marks of a message at the end of its file's name: `:2,` and letters, or `;2,` and `!2,` where a colon cannot be a part of
  /// a name.
  package struct Marks: Hashable, Sendable {
    package private(set) var isRead = false
    package private(set) var isStarred = false
    package private(set) var isDeleted = false

    package init(ofName name: String) {
      guard let end = name.lastIndex(where: { ":;!".contains($0) }),
        name[name.index(after: end)...].hasPrefix("2,")
      else { return }
      let letters = name[end...].dropFirst(3)
      isRead = letters.contains("S")
      isStarred = letters.contains("F")
      isDeleted = letters.contains("T")
    }
  }
}
