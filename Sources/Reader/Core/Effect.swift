package import News

/// Work that the state asks the program to do: reading, fetching, storing, waiting.
package enum Effect: Hashable, Sendable {
  /// Send snapshots of this part of a timeline, now and after each change.
  case observe(TimelineQuery)
  /// Read an article and lay it out for a width in columns.
  case open(ArticleID, width: Int)
  /// The same once the selection has rested for a moment: it is to be looked at.
  case preview(ArticleID, width: Int)
  case refresh(Wish)
  case loadOlder(Timeline)
  case fill(Gap)
  case apply(Intent)
  case findNextUnread(Timeline, ListOrder = .newest, after: TimelinePosition?)
  /// Find the article that a step from a position leads to.
  case find(ArticleStep, in: Timeline, ListOrder = .newest, from: TimelinePosition?)
  /// Subscribe to the feed at an address, or report the feeds there. No action follows once it is
  /// cancelled.
  case addFeed(String)
  /// Subscribe to one of the feeds that an address led to.
  case addFound(FeedLink, of: String)
  /// Subscribe in an account whose server keeps the subscriptions, after a search where it has no server. No action
  /// follows once it is cancelled.
  case addToAccount(String, Account)
  /// Give a feed another name, or put it into these folders and out of all others; at the server of its
  /// account too.
  case renameFeed(FeedID, to: String)
  case fileFeed(FeedID, into: [String])
  /// Put all feeds of a folder into another one, or take the folder away: its feeds stay.
  case moveFolder(FolderID, to: String)
  case removeFolder(FolderID)
  /// Make a folder, by its path as it was typed, that stays without feeds.
  case addFolder(String)
  /// Set something for a feed, in the words of a user.
  case setFeed(FeedID, FeedSetting, to: String)
  /// The same for several feeds, as one change that is taken back at once.
  case setFeeds([FeedID], FeedSetting, to: String)
  case fileFeeds([FeedID], into: [String])
  case removeFeeds([FeedID])
  /// Move a feed with its articles and marks to an account, nil for none, and put it into these folders there.
  case transferFeed(FeedID, to: Account?, into: [String])
  /// Ask whether a server answers at an address.
  case reachServer(String)
  case signIn(String, name: String, TypedSecret)
  /// Makes an account of a folder that machines share: `file:` and its path, as it was typed.
  case joinFolder(String)
  case removeFeed(FeedID, title: String)
  /// Keep a query by a name; one that has the name takes the query.
  case saveSmartFeed(String, ArticleQuery)
  case renameSmartFeed(SmartFeedID, to: String)
  case removeSmartFeed(SmartFeedID)
  /// Fetch a feed from another address from now on. An address that the user entered may lead to a
  /// private host.
  case moveFeed(FeedID, to: String, isUserEntered: Bool)
  /// Make one subscription of two that lead to one feed; the second one stays.
  case mergeFeeds(FeedID, into: FeedID)
  case keepPlace(ArticleID, ReadingPosition?)
  case openLink(String)
  /// Copy a text, which is an address.
  case copy(String)
  /// Copy the address of an article, which is read from the store.
  case copyArticleLink(ArticleID)
  /// Open the page of an article in the browser, or a link of it, and report `openedToRead` unless the browser fails at
  /// once.
  case openToRead(ArticleID, link: String?)
  /// Open the page of an article in the browser; its address is read from the store.
  case openArticleLink(ArticleID, inBackground: Bool = false)
  /// Send the comments on an article as they are stored, now and after each change of them.
  case followConversation(ArticleID)
  /// Fetch the comments on an article.
  case fetchConversation(ArticleID)
  /// The user has looked at the comments on an article, up to those of a fetch.
  case noteVisit(ArticleID, upTo: Int)
  /// Let the user write a comment in an editor, and send it. What was written before and not sent is in the editor.
  case writeComment(CommentDraft)
  /// Open the page with the comments on an article in the browser; its address is read from the store.
  case openComments(ArticleID)
  /// Open addresses in the browser beside the reader, which keeps the terminal.
  case openInBackground([String])
  /// Play or open a file of an article, by its place from 0; with nil the only one, or report those there are.
  case openFile(ArticleID, file: Int?)
  /// Show addresses on the ordinary screen, each on one line of the terminal's own, until a key is pressed.
  case showAddresses([ShownAddress])
  /// Report the words of a search back 300 ms after the last change of them.
  case settleSearch(String)
  case remind(Reminder, afterMilliseconds: Int64)
  /// Report the time after a second: something on the screen counts down.
  case moveClock
  /// Send snapshots of the outbox, now and after each change.
  case observeOutbox
  /// Send snapshots of the queue of what is to be played, now and after each change.
  case observeQueue
  case changeQueue(QueueChange)
  /// Fetch what is likely to be read next, and report after each article.
  case pack(PackingBounds)
  /// Report what the feeds have brought over a time that ends now, in seconds, and then what is kept on the disk.
  case countReading(span: Int64)
  /// Put a file of an article into the queue or take it out, by its place from 0; with nil the only one that is
  /// played, or report those there are.
  case queueFile(ArticleID, file: Int?)
  /// Play these of the queue, one after the other.
  case playQueue([Int64])
  /// Try to send the whole outbox now.
  case sendOutbox
  /// Take a change out of the outbox without sending it.
  case dropChange(WaitingChange.ID)
  /// Decide about a comment that was changed here and at its server, as the user has seen it.
  case resolve(WaitingChange.ID, ConflictAnswer, seeing: CommentConflict)
  /// Download a file of an article, by its place from 0; with nil the only one, or report those there are.
  case download(ArticleID, file: Int?)
  case changeTransfer(Transfer.ID, Transfer.Change)
  /// Take the downloads that are done off the list.
  case clearTransfers
  /// Run a verb of this program with its arguments, and report what it prints, for lines of a width in columns.
  case runVerb(ProgramID, [String], width: Int)
  /// Run a program of the user's own for an article, and report what it prints: as output, or as the article with
  /// another text, laid out for a width in columns.
  case runProgram(ProgramID, OwnProgram, ProgramSubject, width: Int)
  /// Report the unread articles that have come since one of this id, for each of these queries; nil for all.
  case findNew([ArticleQuery?], since: Int64)
  /// Tell the user of something outside of the screen.
  case signal(NewArticleRule.Signal, String)
  /// Run a program that has the terminal until it ends.
  case runInTerminal(OwnProgram, ArticleID)
  /// Read an article aloud by a program, and report when it is done.
  case readAloud(ArticleID)
  /// Write an article to a file that is not there yet: its text, or a page, a book or Markdown where its name says so.
  case saveArticle(ArticleID, path: String)
  /// Lay an article out anew with a text in the place of its own.
  case layOut(OtherText, ArticleID, width: Int)
  /// Lay an article out anew with what its feed has changed in the place of its text.
  case showChanges(ArticleID, width: Int)
  /// Report the first unread articles of a list, to be gone through as cards.
  case collectDeck(Timeline, ListOrder, most: Int)
  /// Read an article and make a card of it.
  case dealCard(CardWish)
  /// Report which of these articles the newest rule would hide if they came now.
  case findHidden([ArticleID])
  /// Bring a picture of an article, from the disk or its server, in so many cells.
  case bringPicture(PictureWish)
  /// Bring the icon of a feed, from the disk, or from its server where that may be asked.
  case bringIcon(FeedID, mayFetch: Bool)
  /// Fetch those pictures of a feed that are not on the disk, so that its article is whole without a network.
  case keepPictures(FeedID, [String])
  /// Lay an article out anew with the article of its page, which is fetched where it is not stored.
  case showFullText(ArticleID, width: Int)
  /// Save the page that a link leads to.
  case savePage(String)
  /// Lay an article out anew with what its feed says.
  case showFeedText(ArticleID, width: Int)
  /// The change that an article is marked with has been seen.
  case clearChanged(ArticleID)
  /// Keep a line that was typed after `:` for the next process.
  case keepCommand(String)
  /// Keep the words of a search for the next process.
  case keepSearch(String)
  /// Reads the words of searches again, which other readers write too.
  case recallSearches
  /// Keep how lists are shown for the next process.
  case keepListHabits(ListHabits)
  /// Keep where the lines between the panes are for the next process.
  case keepDividers(Dividers)
  /// Keep what is closed in the sidebar for the next process.
  case keepFolds(Folds)
  case cancel(EffectID)
  case suspend
  case quit

  /// The feeds to refresh.
  package enum Wish: Hashable, Sendable {
    /// Those of a timeline, because the user asked.
    case asked(Timeline)
    /// These, because the user asked.
    case askedFeeds([FeedID])
    /// Those whose interval is over.
    case due
    /// Those that could not be reached last time.
    case unreachable
  }

  /// Identifies work that is done once at a time: a new effect of the same id cancels the old one. Nil for
  /// work that runs beside all other.
  package var id: EffectID? {
    switch self {
    case .observe: .list
    case .open, .preview, .layOut, .showChanges, .showFeedText: .article
    case .showFullText: .fullText
    case .refresh(let wish): .refresh(wish)
    case .loadOlder, .fill: .older
    case .findNextUnread, .find: .nextUnread
    case .settleSearch: .search
    case .remind(.pull, _): .pull
    case .remind(.notice, _): .notice
    case .remind(.looked, _): .looked
    case .remind(.program(let id), _): .slowProgram(id)
    case .runVerb(let id, _, _), .runProgram(let id, _, _, _): .program(id)
    case .moveClock: .clock
    case .moveFeed(let id, _, _): .move(id)
    case .collectDeck: .deck
    case .dealCard(let wish): .card(wish)
    case .followConversation: .conversation
    case .fetchConversation: .comments
    case .bringPicture(let wish): .picture(wish)
    case .keepPictures: .pictures
    case .bringIcon(let feed, _): .icon(feed)
    case .readAloud: .speech
    case .addFeed(let address), .addFound(_, let address), .addToAccount(let address, _):
      .add(address)
    case .observeOutbox: .outbox
    case .observeQueue: .queue
    case .countReading: .statistics
    case .pack: .packing
    case .sendOutbox: .sending
    case .findNew: .newArticles
    case .reachServer, .signIn: .signIn
    case .apply, .joinFolder, .renameFeed, .fileFeed, .transferFeed,
      .setFeed, .setFeeds, .fileFeeds, .removeFeeds, .moveFolder, .removeFolder, .addFolder,
      .removeFeed, .mergeFeeds, .changeQueue, .queueFile, .playQueue, .saveSmartFeed,
      .renameSmartFeed,
      .removeSmartFeed, .keepPlace, .openLink, .openToRead,
      .openInBackground, .openFile, .showAddresses,
      .openArticleLink, .openComments, .dropChange, .resolve, .download, .changeTransfer,
      .clearTransfers,
      .keepCommand, .keepSearch, .recallSearches, .keepDividers, .keepFolds, .keepListHabits,
      .signal, .copy,
      .noteVisit, .writeComment, .findHidden,
      .copyArticleLink, .saveArticle, .savePage, .clearChanged,
      .runInTerminal,
      .cancel,
      .suspend, .quit:
      nil
    }
  }
}

/// Identity of a running effect: a new one with the same id cancels the old one, and
/// `Effect.cancel` names it.
package enum EffectID: Hashable, Sendable {
  case list
  case article
  case fullText
  case refresh(Effect.Wish)
  case older
  case nextUnread
  case search
  case pull
  case notice
  case looked
  case clock
  case move(FeedID)
  case outbox
  case queue
  case statistics
  case packing
  case sending
  case newArticles
  case signIn
  case program(ProgramID)
  case slowProgram(ProgramID)
  case deck
  case card(CardWish)
  case conversation
  case comments
  case picture(PictureWish)
  case pictures
  case icon(FeedID)
  case speech
  /// By the address that the user typed: several searches may run at the same time.
  case add(String)
}
