internal import GRDB

/// Read access to one consistent snapshot of the store, valid inside the closure that received it.
package struct StoreView {
  let db: Database
  /// Whether lists show what feeds tell together as stories; else each article stands for itself.
  var tellsStories = true
}

/// State of the store as a connection saw it, commits of other processes included.
package struct ViewStamp: Sendable {
  /// Unsafe, because GRDB's connections belong to their queue: only their identity is compared,
  /// which is safe on any thread.
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

  /// Whether no other connection has committed since the stamp of this view's connection. False for
  /// stamps of other connections. Own commits do not count; connections for views make none.
  package func isUnchanged(since stamp: ViewStamp) -> Bool {
    stamp.connection === db && self.stamp?.version == stamp.version
  }

  package var accounts: AccountsView { AccountsView(view: self) }
  package var articles: ArticlesView { ArticlesView(view: self) }
  package var claims: ClaimsView { ClaimsView(view: self) }
  package var comments: CommentsView { CommentsView(view: self) }
  package var feeds: FeedsView { FeedsView(view: self) }
  package var fetches: FetchesView { FetchesView(view: self) }
  package var formerTexts: FormerTextsView { FormerTextsView(view: self) }
  package var fullTexts: FullTextsView { FullTextsView(view: self) }
  package var items: ItemsView { ItemsView(view: self) }
  package var journal: JournalView { JournalView(view: self) }
  package var labels: LabelsView { LabelsView(view: self) }
  package var logs: LogsView { LogsView(view: self) }
  package var outbox: OutboxView { OutboxView(view: self) }
  package var outlines: OutlinesView { OutlinesView(view: self) }
  package var playback: PlaybackView { PlaybackView(view: self) }
  package var queries: QueriesView { QueriesView(view: self) }
  package var removals: RemovalsView { RemovalsView(view: self) }
  package var retention: RetentionView { RetentionView(view: self) }
  package var rules: RulesView { RulesView(view: self) }
  package var savedPages: SavedPagesView { SavedPagesView(view: self) }
  package var search: SearchView { SearchView(view: self) }
  package var signIns: SignInsView { SignInsView(view: self) }
  package var smartFeeds: SmartFeedsView { SmartFeedsView(view: self) }
  package var stories: StoriesView { StoriesView(view: self) }
  package var subscriptions: SubscriptionsView { SubscriptionsView(view: self) }
  package var sync: SyncView { SyncView(view: self) }
  package var tags: TagsView { TagsView(view: self) }
  package var timeline: TimelineView { TimelineView(view: self) }
}

/// A part of a view: what is read of the tables of a topic.
protocol ViewSlice {
  var view: StoreView { get }
}

extension ViewSlice {
  var db: Database { view.db }
}

package struct AccountsView: ViewSlice { let view: StoreView }
package struct ArticlesView: ViewSlice { let view: StoreView }
package struct ClaimsView: ViewSlice { let view: StoreView }
package struct CommentsView: ViewSlice { let view: StoreView }
package struct FeedsView: ViewSlice { let view: StoreView }
package struct FetchesView: ViewSlice { let view: StoreView }
package struct FormerTextsView: ViewSlice { let view: StoreView }
package struct FullTextsView: ViewSlice { let view: StoreView }
package struct ItemsView: ViewSlice { let view: StoreView }
package struct JournalView: ViewSlice { let view: StoreView }
package struct LabelsView: ViewSlice { let view: StoreView }
package struct LogsView: ViewSlice { let view: StoreView }
package struct OutboxView: ViewSlice { let view: StoreView }
package struct OutlinesView: ViewSlice { let view: StoreView }
package struct PlaybackView: ViewSlice { let view: StoreView }
package struct QueriesView: ViewSlice { let view: StoreView }
package struct RemovalsView: ViewSlice { let view: StoreView }
package struct RetentionView: ViewSlice { let view: StoreView }
package struct RulesView: ViewSlice { let view: StoreView }
package struct SavedPagesView: ViewSlice { let view: StoreView }
package struct SearchView: ViewSlice { let view: StoreView }
package struct SignInsView: ViewSlice { let view: StoreView }
package struct SmartFeedsView: ViewSlice { let view: StoreView }
package struct StoriesView: ViewSlice { let view: StoreView }
package struct SubscriptionsView: ViewSlice { let view: StoreView }
package struct SyncView: ViewSlice { let view: StoreView }
package struct TagsView: ViewSlice { let view: StoreView }
package struct TimelineView: ViewSlice { let view: StoreView }
