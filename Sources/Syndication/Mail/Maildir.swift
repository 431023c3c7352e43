/// Maildir, with one file for each message.
package enum Maildir {
  package static let folders = ["cur", "new"]

  package static func isMessage(_ name: String) -> Bool { !name.hasPrefix(".") }

  /// Flags at the end of a file name: `:2,` and letters, or `;2,` or `!2,` instead of the colon.
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
