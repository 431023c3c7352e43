/// Number of a tag.
package struct TagID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// A name that the user gives to articles. Many servers call it a label.
///
/// It belongs to an account, and within it no other tag has its name: tags of the local account are the
/// user's own and may be on any article, those of another account are on the articles of its feeds. Tags of
/// two accounts are two, whatever they are called.
package struct Tag: Hashable, Sendable, Identifiable {
  package let id: TagID
  package var account: AccountID
  package var name: String

  package init(id: TagID, account: AccountID, name: String) {
    self.id = id
    self.account = account
    self.name = name
  }
}

/// A tag with what is known of its use.
package struct TagSummary: Hashable, Sendable {
  package var name: String
  /// The address of the account whose server keeps it; nil for this machine's own.
  package var account: String?
  /// How many articles have it.
  package var count: Int

  package init(name: String, account: String?, count: Int) {
    self.name = name
    self.account = account
    self.count = count
  }
}

extension ArticleQuery {
  /// What was opened within thirty days, the last one first.
  package static let readLately = try? ArticleQuery("opened:30d sort:opened")

  /// The articles with any tag.
  package static let tagged = try? ArticleQuery("is:tagged")

  /// The articles with a tag of this name, whoever keeps it; nil for a name that cannot be asked for.
  package static func tag(named name: String) -> ArticleQuery? {
    guard !name.contains("\"") else { return nil }
    return try? ArticleQuery("tag:\"\(name)\"")
  }
}
