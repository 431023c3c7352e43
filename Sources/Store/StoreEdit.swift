internal import GRDB

/// A transaction: everything done through it is committed together, or not at all.
package struct StoreEdit {
  let db: Database
  let indexing = SearchIndexing()
  let newcomers = Newcomers()
  let journalKeeping: JournalKeeping
  /// Nil where articles join no stories.
  let storyTexts: StoryTexts?

  /// The store with the changes of this transaction; a search sees them once they are committed.
  package var view: StoreView { StoreView(db: db, tellsStories: storyTexts != nil) }

  /// Runs the body in a transaction that has begun.
  ///
  /// - Parameters:
  ///   - journalLimit: of actions in the journal.
  ///   - storyTexts: cache of earlier transactions; nil where articles join no stories.
  static func run<Value>(
    in db: Database, journalLimit: Int, storyTexts: StoryTexts?, _ body: (StoreEdit) throws -> Value
  ) throws -> Value {
    let edit = StoreEdit(
      db: db, journalKeeping: JournalKeeping(limit: journalLimit), storyTexts: storyTexts)
    let value = try body(edit)
    try edit.indexing.write(to: db)
    try edit.rules.apply()
    try edit.stories.join()
    try edit.formerTexts.keep()
    try edit.journal.keepBound()
    return value
  }
}

extension StoreEdit {
  package var accounts: AccountsEdit { AccountsEdit(edit: self) }
  package var actions: ActionsEdit { ActionsEdit(edit: self) }
  package var articles: ArticlesEdit { ArticlesEdit(edit: self) }
  package var claims: ClaimsEdit { ClaimsEdit(edit: self) }
  package var comments: CommentsEdit { CommentsEdit(edit: self) }
  package var feeds: FeedsEdit { FeedsEdit(edit: self) }
  package var fetches: FetchesEdit { FetchesEdit(edit: self) }
  package var formerTexts: FormerTextsEdit { FormerTextsEdit(edit: self) }
  package var fullTexts: FullTextsEdit { FullTextsEdit(edit: self) }
  package var items: ItemsEdit { ItemsEdit(edit: self) }
  package var journal: JournalEdit { JournalEdit(edit: self) }
  package var labels: LabelsEdit { LabelsEdit(edit: self) }
  package var logs: LogsEdit { LogsEdit(edit: self) }
  package var marks: MarksEdit { MarksEdit(edit: self) }
  package var outbox: OutboxEdit { OutboxEdit(edit: self) }
  package var outlines: OutlinesEdit { OutlinesEdit(edit: self) }
  package var playback: PlaybackEdit { PlaybackEdit(edit: self) }
  package var removals: RemovalsEdit { RemovalsEdit(edit: self) }
  package var retention: RetentionEdit { RetentionEdit(edit: self) }
  package var rules: RulesEdit { RulesEdit(edit: self) }
  package var savedPages: SavedPagesEdit { SavedPagesEdit(edit: self) }
  package var signIns: SignInsEdit { SignInsEdit(edit: self) }
  package var smartFeeds: SmartFeedsEdit { SmartFeedsEdit(edit: self) }
  package var stories: StoriesEdit { StoriesEdit(edit: self) }
  package var subscriptions: SubscriptionsEdit { SubscriptionsEdit(edit: self) }
  package var sync: SyncEdit { SyncEdit(edit: self) }
  package var tags: TagsEdit { TagsEdit(edit: self) }
  package var tombstones: TombstonesEdit { TombstonesEdit(edit: self) }
}

/// A part of a transaction: what is written to the tables of a topic.
protocol EditSlice {
  var edit: StoreEdit { get }
}

extension EditSlice {
  var db: Database { edit.db }
  var view: StoreView { edit.view }
}

package struct AccountsEdit: EditSlice { let edit: StoreEdit }
package struct ActionsEdit: EditSlice { let edit: StoreEdit }
package struct ArticlesEdit: EditSlice { let edit: StoreEdit }
package struct ClaimsEdit: EditSlice { let edit: StoreEdit }
package struct CommentsEdit: EditSlice { let edit: StoreEdit }
package struct FeedsEdit: EditSlice { let edit: StoreEdit }
package struct FetchesEdit: EditSlice { let edit: StoreEdit }
package struct FormerTextsEdit: EditSlice { let edit: StoreEdit }
package struct FullTextsEdit: EditSlice { let edit: StoreEdit }
package struct ItemsEdit: EditSlice { let edit: StoreEdit }
package struct JournalEdit: EditSlice { let edit: StoreEdit }
package struct LabelsEdit: EditSlice { let edit: StoreEdit }
package struct LogsEdit: EditSlice { let edit: StoreEdit }
package struct MarksEdit: EditSlice { let edit: StoreEdit }
package struct OutboxEdit: EditSlice { let edit: StoreEdit }
package struct OutlinesEdit: EditSlice { let edit: StoreEdit }
package struct PlaybackEdit: EditSlice { let edit: StoreEdit }
package struct RemovalsEdit: EditSlice { let edit: StoreEdit }
package struct RetentionEdit: EditSlice { let edit: StoreEdit }
package struct RulesEdit: EditSlice { let edit: StoreEdit }
package struct SavedPagesEdit: EditSlice { let edit: StoreEdit }
package struct SignInsEdit: EditSlice { let edit: StoreEdit }
package struct SmartFeedsEdit: EditSlice { let edit: StoreEdit }
package struct StoriesEdit: EditSlice { let edit: StoreEdit }
package struct SubscriptionsEdit: EditSlice { let edit: StoreEdit }
package struct SyncEdit: EditSlice { let edit: StoreEdit }
package struct TagsEdit: EditSlice { let edit: StoreEdit }
package struct TombstonesEdit: EditSlice { let edit: StoreEdit }
