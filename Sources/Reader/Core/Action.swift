package import News
package import Screen

/// An event that changes the state of the reader: input, a snapshot of the store, the end of an effect.
package enum Action: Hashable, Sendable {
  /// The program has started and its first snapshots are in the state.
  case started
  /// Input by the user, with the milliseconds of a monotonic clock.
  case input(InputEvent, milliseconds: Int64)
  case resized(Size)
  case ticked(WallClock)
  /// The second that `Effect.moveClock` asked for is over.
  case clockMoved(WallClock)

  case sidebarArrived(SidebarSnapshot)
  /// How many unread articles each smart feed has.
  case listsCounted(ListCounts)
  case timelineArrived(TimelineSnapshot)
  case storeFailed(SourceError)
  /// A damaged store was repaired; the error says what was lost.
  case storeHealed(SourceError)
  case articleArrived(ArticlePage)
  case articleFailed(ArticleID, SourceError)
  case conversationArrived(Conversation)
  /// The comments on an article were fetched, or why they were not.
  case conversationFetched(ArticleID, SourceError?)
  /// The editor for a comment has ended, and what has become of the comment.
  case commentWritten(CommentDraft, CommentFate)
  case deckArrived([ArticleRow])
  case cardDealt(CardWish, ArticleCard)
  /// The article of a card is no longer in the store.
  case cardGone(ArticleID)
  /// The articles that `Effect.findHidden` was about and the newest rule would hide.
  case hiddenFound([ArticleID])
  case pictureArrived(PictureWish, CellPicture)
  /// - Parameter reason: a few words.
  case pictureFailed(PictureWish, reason: String)
  /// The icon of a feed; nil where it has none.
  case iconArrived(FeedID, CellPicture?)
  /// Icons look different from now on, as when the cells have another size; or the terminal shows none.
  case iconsOutdated(canShow: Bool)
  /// The page of an article is there, or why it is not.
  case fullTextArrived(ArticlePage)
  case fullTextFailed(ArticleID, SourceError)
  /// A page is among those that are saved; with an error where its text is not there yet.
  case pageSaved(String, SourceError?)
  /// The next unread article, in the timeline that has it; nil where nothing is unread.
  case nextUnreadFound(Timeline, TimelinePosition?)
  /// Where a step has led; nil for nowhere.
  case stepFound(ArticleStep, Timeline, TimelinePosition?)

  /// - Parameters:
  ///   - failed: feeds, without those that are gone for good.
  ///   - wasDue: whether anything was to be fetched.
  ///   - resting: says which feeds were left out because their servers want a pause.
  case refreshEnded(
    failed: Int, gone: Int = 0, inserted: Int, wasAsked: Bool, wasDue: Bool = true,
    resting: String? = nil)
  case refreshFailed(SourceError)
  case olderFailed(SourceError)
  /// - Parameters:
  ///   - foundAt: the first page of the site, where that has led to the feed and nothing was at the
  ///     address that was typed.
  ///   - address: what was typed.
  case feedAdded(Feed, isNew: Bool, foundAt: String? = nil, address: String? = nil)
  case feedNotAdded(String, SourceError)
  /// The feeds of the page at an address, two or more.
  case feedsFound(String, [FeedLink])
  /// A server answers at the address, or none does, that a user is to sign in at.
  case serverReached(String)
  case serverNotReached(String, SourceError)
  /// The server at an address has accepted the name and password.
  case signedIn(String)
  case notSignedIn(String, SourceError)
  case feedRemoved(FeedID, title: String)
  /// A subscription has become one with another.
  case feedsMerged(FeedID, into: FeedID)
  case feedRenamed(FeedID, to: String)
  case feedFiled(FeedID, into: [String])
  case feedSet(FeedID, FeedSettings)
  /// So many of these feeds were there to be removed.
  case feedsRemoved([FeedID], count: Int)
  /// Several feeds are in other folders now.
  case feedsFiled([Feed])
  /// Something was set for several feeds.
  case feedsSet([Feed])
  /// A folder was made, which stays without feeds.
  case folderAdded(FolderID)
  /// With the number of its feeds; nil for one that was removed.
  case folderMoved(FolderID, to: String?, feeds: Int)
  /// A feed has moved to another account, where it may be one that was there already.
  case feedTransferred(FeedID, Feed)
  /// Of what was changed about a feed, this waits for the server of its account.
  case changeWaits(WaitingChange)
  /// A feed has another address now: the one that was asked for.
  case feedMoved(FeedID, to: String)
  case feedNotMoved(FeedID, to: String, SourceError)
  /// The oldest pending mark of these articles is stored.
  case marksEnded([ArticleID])
  /// A change of a tag of these articles is stored.
  case tagged([ArticleID])
  /// An article is in the outbox to be saved for later.
  case savedForLater
  /// A change that the store could not write.
  case notKept(Intent)
  case markedAllRead(Int)
  case turned(JournalEntry?, isUndone: Bool)
  /// So many of these articles are gone.
  case deleted([ArticleID], gone: Int)
  case workFailed(SourceError)
  /// The browser has been started.
  case linkOpened(String)
  /// The browser has the page of an article that is to be read there.
  case openedToRead(ArticleID)
  /// So many pages were opened beside the reader.
  case linksOpened(Int)
  /// A program plays or shows a file.
  case fileOpened(String)
  /// An address was given to the terminal to be copied.
  case copied(String, by: CopyWay = .terminal)
  case outboxArrived(OutboxSnapshot)
  case queueArrived([QueuedFile])
  /// What the feeds have brought over a time; with what is kept on the disk once the sizes are added up.
  case readingCounted(ReadingStatistics, KeptRoom?)
  case readingNotCounted(SourceError)
  /// The articles that are packed for a trip, by whatever process.
  case packedFound(PackedArticles)
  /// How far the packing is.
  case packingGoes(PackingReport)
  case packingEnded(PackingReport)
  case packingFailed(SourceError)
  /// A file was put into the queue, or taken out of it, and how many wait.
  case queueChanged(isAdded: Bool, count: Int)
  /// What is to be shown is what a verb of this program prints.
  case verbWanted([String])
  /// The end of an attempt to send the outbox, with the number of changes that still wait.
  case outboxSent(waiting: Int)
  /// A change was taken out of the outbox; false where it had been sent before.
  case changeDropped(wasWaiting: Bool)
  /// The comments that were changed here and at their servers, and about which nothing is decided yet.
  case conflictsArrived([WaitingChange])
  /// The user's decision about one is stored; false where it is another one by now, or none.
  case conflictResolved(ConflictAnswer, wasOpen: Bool)
  case transfersArrived(TransferSnapshot)
  /// The files of an article, two or more, of which one is wanted.
  case filesFound(ArticleID, title: String, [Enclosure], for: FileUse = .download)
  /// A download is in the list, or goes on.
  case downloadAsked(Transfer)
  case downloadFailed(SourceError)
  /// Downloads have ended that nobody has been told of yet.
  case downloadsEnded([Transfer])
  /// What a program that was started here has printed since the last time: text without control characters.
  case programPrinted(ProgramID, String)
  case programEnded(ProgramID, ProgramEnd)
  /// What `Effect.findNew` has found, and the highest id of the store.
  case newFound([NewArticles], lastID: Int64)
  /// The text of an article is in a file.
  case articleSaved(path: String)
  /// An article was read aloud to its end, or could not be.
  case speechEnded(ArticleID, SourceError?)
  /// The lines after `:` of earlier processes, the latest last.
  case commandsRemembered([String])
  /// The words of searches of earlier processes, the latest last.
  case searchesRemembered([String])
  case searchSettled(String)
  /// The time of an `Effect.remind` is over.
  case reminded(Reminder)
  /// The program has the terminal again after a suspension.
  case resumed
}

/// A part of the screen that disappears after a while.
package enum Reminder: Hashable, Sendable {
  case notice(serial: Int)
  case pull(since: Int64)
  /// The selected article has shown for the time after which it counts as read.
  case looked(ArticleID)
  /// A program that has no page yet.
  case program(ProgramID)
}
