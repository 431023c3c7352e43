package struct TagSummary: Hashable, Sendable {
  package var name: String
  /// The address of the account whose server keeps it; nil for this device.
  package var account: String?
  /// The number of its articles.
  package var count: Int

  package init(name: String, account: String?, count: Int) {
    self.name = name
    self.account = account
    self.count = count
  }
}

extension ArticleQuery {
  /// Articles opened within thirty days, the last first.
  package static let readLately = try? ArticleQuery("opened:30d sort:opened")

  /// Articles with any tag.
  package static let tagged = try? ArticleQuery("is:tagged")

  /// Nil for a name that no query can contain.
  package static func tag(named name: String) -> ArticleQuery? {
    guard !name.contains("\"") else { return nil }
    return try? ArticleQuery("tag:\"\(name)\"")
  }
}
