internal import GRDB

/// A transaction: everything done through it is committed together, or not at all.
package struct StoreEdit {
  let db: Database
  let indexing = SearchIndexing()
  let newcomers = Newcomers()
  let journal: JournalKeeping
  /// Nil where articles join no stories.
  let storyTexts: StoryTexts?

  /// What the transaction sees, its own changes included; but a search sees them only once it is
  /// committed.
  package var view: StoreView { StoreView(db: db, tellsStories: storyTexts != nil) }

  /// Runs the body as the whole of a transaction that has begun.
  ///
  /// - Parameters:
  ///   - journalLimit: how many actions the journal keeps.
  ///   - storyTexts: what transactions before this one have kept in memory; nil where articles join no stories.
  static func run<Value>(
    in db: Database, journalLimit: Int, storyTexts: StoryTexts?,
    _ body: (StoreEdit) throws -> Value
  ) throws -> Value {
    let edit = StoreEdit(
      db: db, journal: JournalKeeping(limit: journalLimit), storyTexts: storyTexts)
    let value = try body(edit)
    try edit.indexing.write(to: db)
    try edit.keepRules()
    try edit.joinStories()
    try edit.keepFormerTexts()
    try edit.keepJournal()
    return value
  }
}
