internal import GRDB
package import News

package import struct Foundation.Date

/// A smart feed as the journal keeps it.
struct StoredSmartFeed: Codable, Equatable, Sendable {
  let id: Int64
  let name: String
  let query: String

  init(_ feed: SmartFeed) { (id, name, query) = (feed.id.rawValue, feed.name, feed.text) }
}

extension ActionDetail {
  /// The new name of a smart feed that was there before, or its new query; nil where it was made or ended.
  var changeOfSmartFeed: String? {
    guard let formerSmart, let smart else { return nil }
    return formerSmart.name == smart.name ? smart.query : "“\(smart.name)”"
  }
}

// MARK: - Doing what can be taken back

extension ActionsEdit {
  /// Adds a smart feed, or gives one of this name another query, so that `undo` takes it back.
  ///
  /// - Throws: as `SmartFeedsEdit.save`.
  package func makeSmartFeed(_ name: String, _ query: ArticleQuery, now: Date) throws {
    let former = try view.smartFeeds.all()
    let id = try edit.smartFeeds.save(name, query, now: now)
    try noteSmartFeed(id, among: former, now: now)
  }

  /// Gives a smart feed another name, so that `undo` takes it back.
  ///
  /// - Throws: as `SmartFeedsEdit.rename`.
  package func callSmartFeed(_ id: SmartFeedID, _ name: String, now: Date) throws {
    let former = try view.smartFeeds.all()
    try edit.smartFeeds.rename(id, to: name)
    try noteSmartFeed(id, among: former, now: now)
  }

  /// Ends a smart feed, so that `undo` brings it back.
  package func endSmartFeed(_ id: SmartFeedID, now: Date) throws {
    let former = try view.smartFeeds.all()
    try edit.smartFeeds.remove(id)
    try noteSmartFeed(id, among: former, now: now)
  }

  private func noteSmartFeed(
    _ id: SmartFeedID, among former: [SmartFeed], now: Date
  ) throws {
    var detail = ActionDetail()
    detail.formerSmart = former.first { $0.id == id }.map(StoredSmartFeed.init)
    detail.smart = try view.smartFeeds.all().first { $0.id == id }.map(StoredSmartFeed.init)
    guard detail.formerSmart != detail.smart else { return }
    try edit.journal.note(
      .setSmartFeed, isSet: detail.smart != nil,
      subject: detail.formerSmart?.name ?? detail.smart?.name, detail, now: now)
  }

  /// Turns a smart feed into what it was, or is to be again. One that has been changed since stays as it is, and so do
  /// those that have its name or query by now.
  ///
  /// - Returns: whether it was turned.
  func turn(_ from: StoredSmartFeed?, into to: StoredSmartFeed?, now: Date) throws -> Bool {
    let all = try view.smartFeeds.all()
    if let from {
      guard all.map(StoredSmartFeed.init).contains(from) else { return false }
    }
    guard let to else {
      guard let from else { return false }
      try edit.smartFeeds.remove(SmartFeedID(from.id))
      return true
    }
    let isTaken = all.contains { other in
      other.id.rawValue != from?.id
        && (other.id.rawValue == to.id || other.isNamed(to.name) || other.text == to.query)
    }
    guard !isTaken else { return false }
    try db.execute(
      sql: """
        INSERT INTO smartFeed (id, name, query, createdAt) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET name = ?2, query = ?3
        """, arguments: [to.id, to.name, to.query, seconds(now)])
    return true
  }
}
