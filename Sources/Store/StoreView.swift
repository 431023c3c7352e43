internal import GRDB

/// Read access to one consistent snapshot of the store, valid inside the closure that received it.
package struct StoreView {
  let db: Database
  /// Whether lists show what feeds tell together as stories; else each article stands for itself.
  var tellsStories = true
}

/// What a connection of this process saw of the store at a moment, commits of other processes included.
package struct ViewStamp: Sendable {
  /// Unsafe, because GRDB's connections belong to their queue: nothing of it is called or read here, and only whether it
  /// is still the same object is asked, which the reference count tells on any thread.
  fileprivate nonisolated(unsafe) weak var connection: Database?
  fileprivate let version: Int64

  /// Whether its connection is closed, so that nothing can be asked of it any more.
  package var isOver: Bool { connection == nil }

  package func isOfSameConnection(as other: ViewStamp) -> Bool { connection === other.connection }
}

extension StoreView {
  /// The stamp of this view; nil where SQLite does not tell.
  package var stamp: ViewStamp? {
    let version = try? Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version"))
    return version.map { ViewStamp(connection: db, version: $0) }
  }

  /// Whether no other connection has committed anything since the connection of this view had this stamp. False for the
  /// stamp of another connection, which tells nothing about this one. Commits of the connection itself do not count;
  /// those that views are read through make none.
  package func isUnchanged(since stamp: ViewStamp) -> Bool {
    stamp.connection === db && self.stamp?.version == stamp.version
  }
}
