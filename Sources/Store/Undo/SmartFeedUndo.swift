internal import GRDB
package import News

package import struct Foundation.Date

struct StoredSmartFeed: Codable, Equatable, Sendable {
  let id: Int64
  let name: String
  let query: String

  init(_ feed: SmartFeed) { (id, name, query) = (feed.id.rawValue, feed.name, feed.text) }
}

// MARK: - Doing what can be taken back

extension ActionsEdit {
  /// Adds a smart feed, or changes its query, as an action for `undo`.
  ///
  /// - Throws: as `SmartFeedsEdit.save`.
  package func makeSmartFeed(_ name: String, _ query: ArticleQuery, now: Date) throws {
    let former = try view.smartFeeds.all()
    let id = try edit.smartFeeds.save(name, query, now: now)
    try noteSmartFeed(id, among: former, now: now)
  }

  /// Renames a smart feed, as an action for `undo`.
  ///
  /// - Throws: as `SmartFeedsEdit.rename`.
  package func callSmartFeed(_ id: SmartFeedID, _ name: String, now: Date) throws {
    let former = try view.smartFeeds.all()
    try edit.smartFeeds.rename(id, to: name)
    try noteSmartFeed(id, among: former, now: now)
  }

  /// Removes a smart feed, as an action for `undo`.
  package func endSmartFeed(_ id: SmartFeedID, now: Date) throws {
    let former = try view.smartFeeds.all()
    try edit.smartFeeds.remove(id)
    try noteSmartFeed(id, among: former, now: now)
  }

  private func noteSmartFeed(_ id: SmartFeedID, among former: [SmartFeed], now: Date) throws {
    func stored(_ feeds: [SmartFeed]) -> StoredSmartFeed? {
      feeds.first { $0.id == id }.map(StoredSmartFeed.init)
    }
    let (former, smart) = (stored(former), stored(try view.smartFeeds.all()))
    guard former != smart else { return }
    try edit.journal.note(
      .setSmartFeed, isSet: smart != nil, subject: former?.name ?? smart?.name,
      .smartFeed(former: former, smart), now: now)
  }
}
