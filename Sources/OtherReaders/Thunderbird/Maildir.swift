package import News

/// A maildir, which has one file for each message: `cur` and `new` hold them, `tmp` what is not written yet.
package enum Maildir {
  /// The folders that hold messages.
  package static let folders = ["cur", "new"]

  /// Whether a file of this name is a message, as far as the name says.
  package static func isMessage(_ name: String) -> Bool { !name.hasPrefix(".") }

  /// What the end of a file's name says of its message: `:2,` and letters, or `;2,` and `!2,` where a colon cannot be a part
  /// of a name. Thunderbird writes the marks into the message, other programs write them there.
  package struct Marks: Hashable, Sendable {
    var isRead = false
    var isStarred = false
    var isDeleted = false

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

extension ImportedArticle {
  /// The article with marks that are beside its message.
  package func with(_ marks: Maildir.Marks) -> ImportedArticle {
    var article = self
    article.isRead = isRead || marks.isRead
    article.isStarred = isStarred || marks.isStarred
    article.isDeleted = isDeleted || marks.isDeleted
    return article
  }
}
