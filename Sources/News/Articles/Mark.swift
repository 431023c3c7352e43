/// Read or starred mark of an article.
package struct Mark: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable { case read, starred }

  package var kind: Kind
  package var isSet: Bool

  package init(_ kind: Kind, _ isSet: Bool) {
    self.kind = kind
    self.isSet = isSet
  }

  package static func read(_ isRead: Bool) -> Mark { Mark(.read, isRead) }
  package static func starred(_ isStarred: Bool) -> Mark { Mark(.starred, isStarred) }

  package var inverted: Mark { Mark(kind, !isSet) }
}

extension ArticleStatus {
  package subscript(kind: Mark.Kind) -> Bool {
    get { kind == .read ? isRead : isStarred }
    set { if kind == .read { isRead = newValue } else { isStarred = newValue } }
  }
}

/// Identity of an entry at its server.
package struct EntryReference: Hashable, Sendable {
  package var feedURL: String
  package var id: String

  package init(feedURL: String, id: String) {
    self.feedURL = feedURL
    self.id = id
  }
}

/// Mark by the user, to be sent to a server.
package struct EntryMark: Hashable, Sendable {
  package var entry: EntryReference
  package var mark: Mark

  package init(_ mark: Mark, of entry: EntryReference) {
    self.mark = mark
    self.entry = entry
  }
}
