"""The defects: what is changed, where, whom it would hurt, and which tests should notice.

`symbol` names the declaration that encloses the text, from the outermost type on; in which file it
stands does not matter. `old` has to stand there exactly once, however it is broken into lines. The
change has to compile without a warning. Tests are named as `swift test --filter` wants them, and
begin with their target. They stand target by target, so that each build has little to do.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Defect:
    name: str
    target: str
    symbol: str
    old: str
    new: str
    harm: str
    tests: str
    form: str


# What `old` and `new` are, and so how both can stand in one program, with a switch between them that
# is thrown when it starts: expressions of one type, statements, or text within a string. What is none
# of these is built by itself, which takes much longer.
EXPRESSION, STATEMENT, TEXT, PLAIN = "expression", "statement", "text", "plain"
DEFECTS = []


def defect(name, target, symbol, old, new, harm, tests, form=EXPRESSION):
    DEFECTS.append(Defect(name, target, symbol, old, new, harm, tests, form))


# Store: what was read, marked and fetched.

STORE = "Store"
defect(
    "mark-without-outbox-row", STORE, "MarksEdit.set",
    "try edit.outbox.queue(mark, of: article, now: now)\n    return true",
    "return true",
    "a mark never reaches the server",
    "StoreTests.MarkTests|StoreTests.DuplicateTests", STATEMENT)
defect(
    "late-answer-of-former-recipe", STORE, "FeedsView.isAsBefore",
    'row["recipe"] == feed.recipe?.rawValue',
    "true",
    "a page that comes late writes back the recipe that was set otherwise meanwhile",
    "RepositoryTests.RecipeTests")
defect(
    "undo-leaves-star", STORE, "perform",
    "try edit.marks.set(mark, of: articles, now: now)",
    "if mark.kind == .read { try edit.marks.set(mark, of: articles, now: now) }",
    "a star that is taken back stays, and its server keeps it",
    "StoreTests.MarkTests|RepositoryTests.ItemSyncTests", STATEMENT)
defect(
    "unsent-batch-reversed", STORE, "OutboxEdit.isKnownUnread",
    "item.isUnread IS NOT 1 OR",
    "item.isUnread IS NOT 7 OR",
    "all articles of a batch that was never sent are sent as unread when it is taken back",
    "RepositoryTests.ItemSyncTests", TEXT)
defect(
    "given-up-for-good", STORE, "SyncEdit.askAgain",
    "day(walk.fullWalkAt) != day(moment)",
    "day(walk.fullWalkAt) == nil",
    "an article that its server failed to hand out three times is never fetched",
    "RepositoryTests.ItemSyncTests")
defect(
    "read-mark-not-shared", STORE, "MarksEdit.set",
    "articles + (try view.articles.duplicates(of: articles))",
    "articles",
    "what was read in one feed stays unread in another",
    "StoreTests.DuplicateTests")
defect(
    "mark-all-beyond-position", STORE, "MarksEdit.markAllRead",
    "(sortDate, articleID) <= (?, ?)",
    "(sortDate, articleID) >= (?, ?)",
    "articles that nobody has seen are marked as read",
    "StoreTests.MarkTests", TEXT)
defect(
    "undo-takes-later-marks", STORE, "MarksEdit.set",
    "try leaveBatch.execute(arguments: [article])",
    "_ = leaveBatch",
    "undo takes back what was marked by hand since",
    "StoreTests.MarkTests", STATEMENT)
defect(
    "refresh-resets-read", STORE, "ArticlesEdit.insert",
    "try edit.marks.set(.read(true), of: ArticleID(id), now: now)",
    "_ = id",
    "a duplicate of what was read comes unread",
    "StoreTests.DuplicateTests", STATEMENT)
defect(
    "cursor-not-stored", STORE, "ArticlesEdit.merge",
    "SET cursor = ?, paging = ? WHERE",
    "SET cursor = coalesce(cursor, ?), paging = ? WHERE",
    "older pages are asked for again and again",
    "StoreTests.MergeTests|RepositoryTests.OlderPagesTests", TEXT)
defect(
    "end-of-pages-missed", STORE, "ArticlesEdit.merge",
    "page.nextCursor == nil ? Paging.end : .more",
    "Paging.more",
    "the end of a feed is never reached",
    "StoreTests.MergeTests|RepositoryTests.OlderPagesTests")
defect(
    "search-total-with-duplicates", STORE, "TimelineView.counts",
    "selection.hidesDuplicates",
    "selection.hidesDuplicates && !selection.hidesDuplicates",
    "a search says that it found more than it shows",
    "StoreTests.SearchTests")
defect(
    "gap-not-kept", STORE, "ArticlesEdit.merge",
    "result.known == 0",
    "result.known < 0",
    "articles between two refreshes are lost without a trace",
    "StoreTests.GapTests")
defect(
    "gap-closed-too-soon", STORE, "ArticlesEdit.narrow",
    "known == 0",
    "known < 0",
    "one page closes a gap that is longer",
    "StoreTests.GapTests")
defect(
    "future-date-kept", STORE, "ArticlesEdit.insert",
    "(seconds(entry.published) ?? seconds(entry.updated)).map { min($0, firstSeen) } ?? undated",
    "seconds(entry.published) ?? seconds(entry.updated) ?? undated",
    "an article dated 2099 stays on top for ever",
    "StoreTests.MergeTests")
defect(
    "older-version-wins", STORE, "ArticlesEdit.isOlder",
    "incoming < stored",
    "incoming > stored",
    "an old page takes a corrected article back",
    "StoreTests.MergeTests")
defect(
    "future-version-stays", STORE, "ArticlesEdit.isOlder",
    "!row.isDatedAhead(db)",
    "row.id > 0",
    "an article that was dated wrongly once never changes again",
    "StoreTests.MergeTests")
defect(
    "validators-of-another-body", STORE, "ArticlesEdit.recordNewestPage",
    "etag = ?3, lastModified = ?4,",
    "etag = coalesce(etag, ?3), lastModified = ?4,",
    "a validator of an earlier body hides all news",
    "StoreTests.MergeTests|RepositoryTests.FetchStateTests", TEXT)
defect(
    "claim-not-respected", STORE, "ClaimsEdit.claim",
    "db.changesCount > 0",
    "true",
    "two processes fetch the same feed",
    "StoreTests.MarkTests|StoreTests.ProcessTests|RepositoryTests.ClaimTests|RepositoryTests.RefreshTests")
defect(
    "claim-not-freed", STORE, "ClaimsEdit.release",
    "claimant = NULL, claimedUntil = NULL WHERE",
    "claimant = claimant WHERE",
    "a cancelled refresh blocks the next",
    "StoreTests.ClaimTests", TEXT)
defect(
    "gone-forgotten", STORE, "FetchesEdit.recordFailure",
    "isGone = max(isGone, ?5)",
    "isGone = ?5",
    "a feed that answered 410 is polled for ever",
    "StoreTests.MarkTests|RepositoryTests.FetchStateTests", TEXT)
defect(
    "retry-after-dropped", STORE, "FetchesEdit.recordFailure",
    "nextAttempt = ?4,",
    "nextAttempt = NULLIF(?4, ?4),",
    "a server that wants to be left alone is asked",
    "StoreTests.MarkTests|RepositoryTests.FetchStateTests", TEXT)
defect(
    "erase-leaves-search-index", STORE, "FeedsEdit.unsubscribe",
    "try edit.indexing.removeAll(of: feed, in: db)",
    "_ = edit.indexing",
    "a removed feed's words stay in the index",
    "StoreTests.SearchTests|StoreTests.SubscriptionTests", STATEMENT)
defect(
    "changed-text-not-indexed", STORE, "ArticlesEdit.replace",
    """try edit.indexing.add(
      id, title: entry.title, authors: AuthorList.encode(entry.authors), text: article.searchText,
      in: db)""",
    "_ = edit.indexing",
    "a changed article is not found",
    "StoreTests.SearchTests", STATEMENT)
defect(
    "store-readable-by-others", STORE, "StoreFolder.protect",
    "0o600",
    "0o644",
    "others on the machine read what is read here",
    "StoreTests.OpeningTests")
defect(
    "damaged-file-overwritten", STORE, "StoreFolder.nameAside",
    "FileManager.default.fileExists(atPath: target)",
    "false",
    "what a first damage has saved is overwritten by the second",
    "StoreTests.OpeningTests")
defect(
    "account-leaves-outbox", STORE, "AccountsEdit.remove",
    "DELETE FROM outbox WHERE account = ?",
    "DELETE FROM outbox WHERE account < 0 AND account = ?",
    "after logout a comment is sent in somebody else's name",
    "StoreTests.AccountTests|TelexTests.AccountVerbTests|TelexTests.CommentVerbTests", TEXT)
defect(
    "foreign-tag-set", STORE, "TagsEdit.put",
    "JOIN tag ON tag.account IN (feed.account, \\(AccountID.local.rawValue))",
    "JOIN tag ON tag.account >= 0",
    "an article gets the tag of another account",
    "StoreTests.TagTests", TEXT)
defect(
    "empty-batches-of-others-removed", STORE, "OutboxEdit.removeEmptyBatches",
    "WHERE kind = 'readBatch' AND account = ?1 AND batch NOT IN (",
    "WHERE kind = 'readBatch' AND account <> -?1 AND batch NOT IN (",
    "what was marked read in one account is not sent once a feed of another is removed",
    "StoreTests.MarkTests|StoreTests.AccountTests", TEXT)
defect(
    "kept-feeds-taken-over", STORE, "AccountsEdit.signOut",
    "SET isSignedOut = 1,",
    "SET user = '', isSignedOut = 1,",
    "the next user at a server gets the feeds that another has left",
    "StoreTests.AccountTests|TelexTests.SharedOriginTests", TEXT)
defect(
    "sign-in-leaves-pause", STORE, "AccountsEdit.freshStart",
    "walk = walk + 1, needsSignIn = 0",
    "walk = walk + 1",
    "after a new sign-in nothing is asked",
    "RepositoryTests.AccountSyncerTests|TelexTests.SyncServerTests", TEXT)
defect(
    "account-failures-uncounted", STORE, "SyncEdit.record",
    "ELSE failures + ?5 END",
    "ELSE 1 END",
    "a server that is down is asked every ten seconds",
    "RepositoryTests.AccountSyncerTests", TEXT)
defect(
    "dropping-empties-outbox", STORE, "OutboxEdit.remove",
    "DELETE FROM outbox WHERE id = ?",
    "DELETE FROM outbox WHERE id >= ?",
    "with one change all later ones are dropped",
    "StoreTests.OutboxReadingTests", TEXT)
defect(
    "list-undoes-a-waiting-name", STORE, "SubscriptionsEdit.apply",
    "waiting.renames(found.feed)",
    "false",
    "a server's list gives a feed its former name before the server has heard of the new one",
    "RepositoryTests.SubscriptionChangeTests")
defect(
    "marks-queued-for-nobody", STORE, "AccountCondition.takesMarks",
    "has(.takesMarks)",
    "has(.pages)",
    "marks pile up for servers that take none",
    "StoreTests.MarkTests")
defect(
    "marks-shared-across-accounts", STORE, "Duplicates.feeds",
    "= (",
    "<> -1 OR 0 = (",
    "what is read here is read at a server that was told nothing",
    "StoreTests.AccountTests", TEXT)
defect(
    "unseen-marked-read", STORE, "MarksEdit.markAllRead",
    "AND NOT (articleID > ? AND (sortDate, articleID) > (?, ?))",
    "AND NOT (articleID > ? AND (sortDate, articleID) > (?, ?) AND 0)",
    "what came in above the screen is marked as read, unseen",
    "StoreTests.MarkTests", TEXT)
defect(
    "archive-is-news", STORE, "TimelineView.arrivals",
    "newest == nil",
    "false",
    "a feed that is added counts with its archive as news",
    "StoreTests.ArrivalTests")
defect(
    "claim-without-lock", STORE, "Claimant.init",
    "flock(descriptor, LOCK_EX) == 0",
    "true",
    "another process takes the feeds that this one fetches",
    "StoreTests.ClaimTests|StoreTests.ProcessTests")
defect(
    "ended-process-holds-claims", STORE, "ClaimFile.isHeld",
    "errno != ENOENT",
    "true",
    "feeds stay claimed by a process that has ended",
    "StoreTests.ClaimTests|StoreTests.ProcessTests")
defect(
    "claim-of-the-living-removed", STORE, "ClaimFile.removeAbandoned",
    "isFree(descriptor)",
    "true",
    "a process that starts takes the claims of those that work",
    "StoreTests.ClaimTests|StoreTests.ProcessTests")
defect(
    "unsound-repair-kept", STORE, "Healing.rebuild",
    'problems == ["ok"]',
    "true",
    "a repair in place leaves a database that is damaged still",
    "StoreTests.DamageTests")
defect(
    "outbox-not-carried", STORE, "StoreTable.all",
    "name: \"outbox\", union: .merged",
    "name: \"outbox\", union: .merged, isCarried: false",
    "a comment that waits is lost with a damaged page elsewhere",
    "StoreTests.DamageTests", PLAIN)
defect(
    "stars-not-carried", STORE, "ArticleSalvage.completeMarks",
    "starred.ids.contains(id)",
    "false",
    "a star is lost though an index still tells of it",
    "StoreTests.DamageTests")
defect(
    "unreadable-is-read", STORE, "ArticleSalvage.completeMarks",
    "unread.isWhole && found[id] != nil && !unread.ids.contains(id)",
    "true",
    "what was never seen counts as read after damage",
    "StoreTests.DamageTests")
defect(
    "lost-text-not-asked-for", STORE, "RowCarrier.carryAll",
    "carried.lostArticles > 0 || carried.withoutText > 0 || carried.lostFeeds > 0",
    "false",
    "what damage has taken never comes again, because nothing has changed",
    "StoreTests.DamageTests")

# Repository: refresh, paging, delivery.

defect(
    "late-article-without-marks", STORE, "ArticlesEdit.write",
    "try marks?.apply(to: position.id, article.entry.id)",
    "_ = marks",
    "a mark of another machine is lost where it is here before its article",
    "RepositoryTests.FolderAccountTests", STATEMENT)
defect(
    "killed-append-stamped-anew", STORE, "LogsEdit.beginWrite",
    "pending.records",
    "[]",
    "what was being written when the program was killed is never said to other machines",
    "RepositoryTests.FolderAccountTests")

defect(
    "delivery-without-turn", STORE, "DeliveryTurn.lock",
    "errno == EWOULDBLOCK",
    "false",
    "two processes send the same change, and a star is switched off again",
    "RepositoryTests.DeliveryTurnTests")
defect(
    "stopped-delivery-holds", STORE, "DeliveryTurn.isAbandoned",
    "abs(Date().timeIntervalSince1970 - touched) > Store.turnTime",
    "false",
    "a reader that was suspended while it sent keeps everything from being sent",
    "RepositoryTests.DeliveryTurnTests")
defect(
    "text-of-meanwhile-lost", STORE, "OutboxEdit.finishSending",
    "text != item.change.text",
    "false",
    "what is written while a comment is on its way is lost",
    "RepositoryTests.CommentConflictTests|RepositoryTests.OutboxTests|StoreTests")
defect(
    "conflict-resolved-unseen", STORE, "OutboxEdit.resolve",
    "edit.conflict == conflict",
    "true",
    "the answer to one conflict decides another one, which nobody has seen",
    "RepositoryTests.CommentConflictTests|StoreTests")
defect(
    "newer-version-unnoticed", STORE, "OutboxEdit.noteVersions",
    "version != edit.conflict?.comment?.version ?? edit.version",
    "false",
    "a comment that was changed elsewhere is in the list and nobody is asked",
    "RepositoryTests.CommentConflictTests|StoreTests")
defect(
    "agreement-is-a-conflict", STORE, "OutboxEdit.recordConflict",
    "conflict.comment?.text != text",
    "true",
    "the user is asked to choose between two texts that are the same",
    "RepositoryTests.CommentConflictTests|StoreTests")

defect(
    "label-over-a-waiting-tag", STORE, "LabelsEdit.apply",
    "outbox.articleID = item.articleID AND account = ?1",
    "outbox.articleID = item.articleID AND account < 0",
    "a tag that waits to be sent is taken away by the server's list",
    "RepositoryTests.LabelSyncTests", TEXT)

REPOSITORY = "Repository"
defect(
    "part-of-a-label-taken-for-all", REPOSITORY, "LabelSync.apply",
    "label.set.isWhole",
    "true",
    "tags are taken away because the server held back a part of the label",
    "RepositoryTests.LabelSyncTests")
defect(
    "folder-taken-for-a-label", REPOSITORY, "LabelSync.look",
    "!listed.unclear.contains(label)",
    "true",
    "tags with the name of a folder are taken away",
    "RepositoryTests.LabelSyncTests")
defect(
    "feed-added-twice", REPOSITORY, "SubscriptionDelivery.send",
    "!change.isMade(in: list)",
    "true",
    "a change whose answer was lost is made again",
    "RepositoryTests.SubscriptionChangeTests")
defect(
    "part-taken-for-the-whole", REPOSITORY, "ItemSync.apply",
    "guard found.isWhole else { return changed }",
    "_ = found.isWhole",
    "a list of unread articles that ends early makes the others read",
    "RepositoryTests.ItemSyncTests", STATEMENT)
defect(
    "synced-mark-overwritten", STORE, "ServerMarks.isHeld",
    "[article, kind, account]",
    "[article, kind, account.rawValue + 1]",
    "a mark is taken back by a server that does not know it yet",
    "RepositoryTests.ItemSyncTests|RepositoryTests.SyncCourseTests")
defect(
    "superseded-mark-repeated", STORE, "OutboxEdit.finishSending",
    "try removeSuperseded(by: item)",
    "_ = item",
    "what the server has refused is sent over what the user has said since",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "mark-queued-twice", STORE, "OutboxEdit.queue",
    "articleID IS ? AND batch IS ? AND account = ?",
    "articleID IS ? AND batch IS ? AND account = -?",
    "a mark that is taken back after a failed attempt is sent, and then its taking back",
    "StoreTests.MarkTests", TEXT)
defect(
    "sent-mark-unknown", STORE, "OutboxEdit.finishSending",
    "try noteAccepted(item, by: account)",
    "_ = account",
    "what another device says after a mark was sent is taken for what was known before",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "sent-mark-kept", STORE, "OutboxEdit.release",
    "try remove(items)",
    "_ = items",
    "a mark that the server has taken is sent again, over another device's",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "older-list-takes-mark-back", STORE, "ItemsEdit.apply",
    "if let article, try marking.wasSent(set, of: article) { continue }",
    "_ = set",
    "a mark that is sent during a walk is taken back by a list from before it",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "uncertain-mark-forgotten", STORE, "OutboxEdit.queue",
    "earlier.allSatisfy { $0 == OutboxItemState.waiting.rawValue }",
    "true",
    "a mark whose answer was lost stays at the server although it was taken back",
    "RepositoryTests.MarkDeliveryTests")
defect(
    "mark-lost-with-its-batch", STORE, "MarksEdit.set",
    "if isUnderWay { try edit.outbox.queue(mark, of: article, now: now) }",
    "_ = isUnderWay",
    "an article of a batch that is marked once more leaves the batch and is never sent",
    "RepositoryTests.MarkDeliveryTests|RepositoryTests.SyncCourseTests", STATEMENT)
defect(
    "refused-batch-not-halved", REPOSITORY, "MarkParcel.refuse",
    "range.count > 1",
    "range.count > 1_000",
    "one article that a server refuses keeps all others of its batch",
    "RepositoryTests.MarkDeliveryTests")
defect(
    "refused-account-blames-marks", REPOSITORY, "AccountMarkDelivery.consider",
    "if let error = try await accountError() { return .account(error) }",
    "_ = try await accountError()",
    "marks are refused for good because the account is",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "refusals-forgotten-with-their-batch", REPOSITORY, "AccountMarkDelivery.send",
    "settlement.refused += reasons.map { ($0, item, $1) }",
    "if !left.contains(item.id) { settlement.refused += reasons.map { ($0, item, $1) } }",
    "a batch with many refused articles is never delivered, and nothing after it",
    "RepositoryTests.MarkDeliveryTests", STATEMENT)
defect(
    "old-refusals-keep-new-marks", REPOSITORY, "AccountMarkDelivery.consider",
    "try await !takesAny(round: round)",
    "round >= 0",
    "four old marks that the server refuses keep every later one",
    "RepositoryTests.MarkDeliveryTests")
defect(
    "failed-change-keeps-other-feeds", REPOSITORY, "SubscriptionDelivery.deliver",
    "error.concernsAccount || failures == Self.mostFailures",
    "error.concernsAccount || failures > 0",
    "one feed that the server cannot add keeps all changes of others",
    "RepositoryTests.SubscriptionChangeTests")
defect(
    "failed-additions-take-no-turns", REPOSITORY, "FeedChanges.all",
    "($0.element.attempts, $0.offset) < ($1.element.attempts, $1.offset)",
    "$0.offset < $1.offset",
    "feeds that the server cannot add keep those that were added after them",
    "RepositoryTests.SubscriptionChangeTests")
defect(
    "refused-name-over-a-newer-one", REPOSITORY, "FeedChanges.superseded",
    "$0.id < item.id && $0.concerns == item.concerns",
    "$0.id < 0 && item.id > 0",
    "a name that the server refused takes the place of a later one",
    "RepositoryTests.SubscriptionChangeTests")
defect(
    "refused-account-blames-changes", REPOSITORY, "RefusalJudge.isLetIn",
    "return false",
    "return true",
    "tags and articles to be read later are refused for good because the account is",
    "RepositoryTests.RefusedChangeTests", STATEMENT)
defect(
    "feeds-ended-by-one-answer", STORE, "SubscriptionsEdit.end",
    "missing.filter { $0.missingSince != nil }",
    "missing",
    "a list of subscriptions that is wrong once ends feeds",
    "RepositoryTests.SubscriptionListTests")
defect(
    "feeds-ended-by-a-wrong-list", STORE, "SubscriptionsEdit.end",
    "again.count * 3 > listed + missing.count",
    "again.count > listed + missing.count",
    "a list of subscriptions that lacks most of them ends them",
    "RepositoryTests.SubscriptionListTests")
defect(
    "feed-ended-with-what-waits", STORE, "SubscriptionsEdit.end",
    "try hasUnsent(subscription.feed)",
    "try hasUnsent(-1)",
    "what waits to be sent goes with a feed that the server lists no more",
    "RepositoryTests.SubscriptionListTests")
defect(
    "one-look-at-a-set", REPOSITORY, "ItemSync.lookAgain",
    "found.pages > 1",
    "found.pages > .max - 1",
    "an item that is skipped between two pages looks read",
    "RepositoryTests.GoogleReaderSyncTests")
defect(
    "overtaken-walk-writes", STORE, "SyncEdit.check",
    "if isOwn == nil { throw WalkOvertaken() }",
    "_ = isOwn",
    "a sync that another has taken the account from goes on writing",
    "RepositoryTests.SyncClaimTests", STATEMENT)
defect(
    "sync-claim-not-renewed", REPOSITORY, "AccountSyncer.performClaimed",
    "try $0.sync.renew(claimedBy: claim.claimant, until: until)",
    "_ = $0",
    "a sync that takes long loses its account to another process",
    "RepositoryTests.SyncClaimTests", STATEMENT)
defect(
    "synced-articles-united", STORE, "ArticlesEdit.write",
    "place.isSynced",
    "false",
    "two articles of a server that are alike become one",
    "RepositoryTests.SyncIdentityTests")
defect(
    "moved-marks-not-sent", STORE, "FeedsEdit.keepMarks",
    "row[0] && isUnreadThere != false",
    "false",
    "what was read comes back as unread when a feed moves to a server",
    "RepositoryTests.FeedTransferTests")
defect(
    "moved-by-link-alone", STORE, "ArticleIdentity.alone",
    "then == now && (isTitled || page.isPrecise(now))",
    "true",
    "a new picture at an old address replaces the one that was there",
    "RepositoryTests.FeedTransferTests")
defect(
    "moved-ids-kept", STORE, "MovedEntry.id",
    "givesItems ? own + id : id",
    "id",
    "an article of a server takes the place of one that had its id in the feed",
    "RepositoryTests.FeedTransferTests")
defect(
    "unlisted-feed-ended", STORE, "SubscriptionsEdit.apply",
    "$0.remoteID != nil",
    "true",
    "a feed that its server keeps under another address ends here with its articles",
    "RepositoryTests.FeedTransferTests")
defect(
    "former-sync-writes-on", STORE, "ItemsEdit.merge",
    "view.subscriptions.subscription(of: page.feed)?.account == walk.account.rawValue",
    "true",
    "a sync writes into a feed that has left its account",
    "RepositoryTests.FeedTransferTests")
defect(
    "linked-without-marks", STORE, "ItemsEdit.link",
    "isUnread.map { !$0 }",
    "isUnread.flatMap { _ in Bool?.none }",
    "an article that was there before its id keeps marks that the server does not have",
    "RepositoryTests.SyncIdentityTests")
defect(
    "all-ids-never-listed-again", REPOSITORY, "ItemSync.isFullWalkDue",
    "now.timeIntervalSince(last) >= Self.fullWalkTime",
    "false",
    "what a server's clock hides is never found",
    "RepositoryTests.GoogleReaderSyncTests")
defect(
    "account-asked-offline", REPOSITORY, "Refresher.sync",
    "network.isOffline",
    "false",
    "without a network every account fails, again and again",
    "RepositoryTests.AccountSyncerTests")
defect(
    "refused-password-repeated", REPOSITORY, "AccountSyncer.refusal",
    "found.isSignedOut || found.needsSignIn",
    "found.isSignedOut",
    "a wrong password is sent until the server locks the account",
    "RepositoryTests.AccountSyncerTests|TelexTests.SyncServerTests")
defect(
    "refused-sign-in-due", REPOSITORY, "StoreView.accounts",
    "!account.needsSignIn",
    "true",
    "an account that is signed out is reported as failed, again and again",
    "RepositoryTests.AccountSyncerTests")
defect(
    "marks-sent-with-refused-password", REPOSITORY, "MarkDelivery.deliver",
    "!account.needsSignIn",
    "true",
    "each mark sends a wrong password once more",
    "RepositoryTests.AccountSyncerTests")
defect(
    "due-joins-what-runs", REPOSITORY, "Refresher.accounts",
    "scope == .due ? accounts.filter { !syncer.isSyncing($0.id) } : accounts",
    "accounts",
    "a refresh in the background waits for the one that runs, and repeats it",
    "RepositoryTests.AccountSyncerTests")
defect(
    "wait-not-called-off", REPOSITORY, "AccountSyncer.leave",
    "waiters[account.id]?.removeValue(forKey: ticket)?.resume(returning: .cancelled(account))",
    "_ = (account, ticket)",
    "Ctrl-C does not end a wait for a sync",
    "RepositoryTests.AccountSyncerTests", STATEMENT)
defect(
    "sync-given-up-for-others", REPOSITORY, "AccountSyncer.perform",
    "!Task.isCancelled",
    "false",
    "who joined a sync gets nothing where the other gives up",
    "RepositoryTests.AccountSyncerTests")
defect(
    "synced-twice", REPOSITORY, "AccountSyncer.take",
    "view.sync.lastSync(of: claim.account) == before",
    "view.sync.lastSync(of: claim.account) != Date.distantPast",
    "what another process has just fetched is fetched again",
    "RepositoryTests.AccountSyncerTests")
defect(
    "late-answer-applied", REPOSITORY, "ClaimedStore.edit",
    "try edit.view.sync.holds(claim)",
    "try edit.view.sync.holds(claim) || claim.claimant != \"\"",
    "after signing out articles of the account still come",
    "RepositoryTests.AccountSyncerTests")
defect(
    "late-outcome-recorded", REPOSITORY, "AccountSyncer.performClaimed",
    "try edit.view.sync.holds(claim)",
    "try edit.view.sync.holds(claim) || mayRecord",
    "a new sign-in is marked with the failure of the one before",
    "RepositoryTests.AccountSyncerTests")
defect(
    "asked-again-for-nothing", REPOSITORY, "FeedRepository.sendWaiting",
    "deliverOutbox(isAsked: true)",
    "deliverOutbox(isAsked: false)",
    "what a server refused is not sent again, however often the user asks",
    "RepositoryTests.WaitingChangesTests")
defect(
    "circle-of-pages", REPOSITORY, "OlderPageLoader.fetchPage",
    "page.nextCursor.map({ walked[walk]?.contains($0) == true }) == true",
    "false",
    "a source that goes in a circle is followed for ever",
    "RepositoryTests.OlderPagesTests")
defect(
    "overtaken-page-stored", REPOSITORY, "OlderPageLoader.fetchPage",
    "generations[feed.id, default: 0] == generation",
    "true",
    "a page that a refresh has overtaken spoils the cursor",
    "RepositoryTests.OlderPagesTests")
defect(
    "one-page-loaded-twice", REPOSITORY, "OlderPageLoader.olderPage",
    "status.loading.insert(feed.id).inserted",
    "status.loading.insert(feed.id).inserted || true",
    "the same page is fetched twice at once",
    "RepositoryTests.OlderPagesTests")
defect(
    "claims-kept-after-refresh", REPOSITORY, "Refresher.begin",
    "try? await store.finish { try $0.claims.release(of: claimant.name) }",
    "_ = claimant",
    "feeds stay claimed after Ctrl-C",
    "RepositoryTests.RefreshTests", STATEMENT)
defect(
    "gone-feed-asked", REPOSITORY, "StoreView.feeds",
    "try feeds.all().filter { $0.isFetchedWithOthers(at: time) }",
    "try feeds.all()",
    "a feed that is gone is asked with every refresh",
    "RepositoryTests.FetchStateTests|RepositoryTests.RefreshTests")
defect(
    "retry-after-ignored", REPOSITORY, "FetchSchedule.isDue",
    "next > time",
    "next > time.addingTimeInterval(1e9)",
    "a server's Retry-After is ignored",
    "RepositoryTests.DueTests|RepositoryTests.FetchStateTests")
defect(
    "clock-set-back-silences", REPOSITORY, "FetchSchedule.isAhead",
    "last > time.addingTimeInterval(60)",
    "false",
    "a clock that was set back silences all feeds",
    "RepositoryTests.DueTests")
defect(
    "cancelled-run-goes-on", REPOSITORY, "RefreshRun.handle",
    "isCancelled = true",
    "isCancelled = false",
    "after Ctrl-C feeds are still asked",
    "RepositoryTests.RefreshRunTests", STATEMENT)
defect(
    "others-fetched-too", REPOSITORY, "RefreshRun.handle",
    "queue.add(feeds.filter { free.contains($0.id) }, in: wish.lane)",
    "queue.add(feeds, in: wish.lane)",
    "two processes fetch the same feed",
    "RepositoryTests.RefreshRunTests", STATEMENT)
defect(
    "subscriptions-read-stale", REPOSITORY, "SubscriptionReading.state",
    "known.change >= moment.change",
    "true",
    "the sidebar shows what was before the last change",
    "RepositoryTests.SnapshotTests")
defect(
    "subscriptions-of-others-missed", REPOSITORY, "SubscriptionReading.state",
    "known.stamps.contains(where: view.isUnchanged(since:))",
    "moment.isFirst && !known.stamps.isEmpty",
    "a list that is opened does not know a feed that another process has added",
    "RepositoryTests.SnapshotTests")
defect(
    "comment-sent-twice", REPOSITORY, "OutboxDelivery.deliver",
    "delivering.insert(account).inserted",
    "delivering.insert(account).inserted || true",
    "two deliveries at once post a comment twice",
    "RepositoryTests.OutboxTests")
defect(
    "comment-lost-on-failure", REPOSITORY, "CommentDelivery.send",
    "try await store.edit { try $0.outbox.recordFailure(item, error) }",
    "try await store.edit { try $0.outbox.remove([item]) }",
    "a comment that could not be sent is gone",
    "TelexTests.CommentVerbTests", STATEMENT)
defect(
    "batch-lost-with-one", REPOSITORY, "Store.store",
    "for fetched in batch { outcomes += await store([fetched]) }",
    "for fetched in batch.prefix(1) { outcomes += await store([fetched]) }",
    "one bad feed takes those of its batch along",
    "RepositoryTests.FetchedBatchTests", STATEMENT)
defect(
    "batch-without-limit", REPOSITORY, "FetchedBatch.next",
    "load + feeds[taken].weight <= Self.heavy",
    "true",
    "a transaction holds up every key",
    "RepositoryTests.FetchedBatchTests")

defect(
    "one-more-per-host", REPOSITORY, "RefreshQueue.next",
    "inFlight[Self.host(of: $0), default: 0] < perHost",
    "inFlight[Self.host(of: $0), default: 0] <= perHost",
    "a host is asked more often at once than is good manners",
    "RepositoryTests.DueTests")

# HTTP: sockets, limits, credentials, manners.

HTTP = "HTTP"
defect(
    "cancel-leaves-socket", HTTP, "BodyChannel.abandon",
    "if wasRunning { control(.cancel) }",
    "_ = wasRunning",
    "what is called off goes on in the background",
    "HTTPTests.TransferTests|HTTPTests.UpgradeTests|HTTPTests.ResilientClientTests", STATEMENT)
defect(
    "dropped-stream-leaves-socket", HTTP, "HTTPStream.Lease.deinit",
    "channel.abandon()",
    "_ = channel",
    "a stream that nobody reads keeps its connection",
    "HTTPTests.TransferTests", STATEMENT)
defect(
    "resume-of-another-version", HTTP, "DownloadPlan.isOther",
    "isTag ? \"ETag\" : \"Last-Modified\"",
    "isTag ? \"\" : \"-\"",
    "a file is half of one version and half of another",
    "HTTPTests.DownloadPlanTests|HTTPTests.FileDownloadTests")
defect(
    "part-kept-at-new-beginning", HTTP, "FileDownload.attempt",
    "try file.cut(at: start)",
    "try file.cut(at: size)",
    "a file that starts over keeps bytes of what was there",
    "HTTPTests.FileDownloadTests", STATEMENT)
defect(
    "download-of-any-status", HTTP, "DownloadPlan.verdict",
    "default: .refused",
    "default: .write(at: 0, DownloadState(head))",
    "the page of an error is kept as the file",
    "HTTPTests.FileDownloadTests", PLAIN)
defect(
    "download-beyond-announcement", HTTP, "FileDownload.write",
    "size + Int64(chunk.count) > total",
    "size < 0 && Int64(chunk.count) > total",
    "a server writes more than it has announced, and progress is over 100 %",
    "HTTPTests.FileDownloadTests")
defect(
    "disk-not-looked-at-again", HTTP, "FileDownload.write",
    "size - checked >= Self.spaceInterval",
    "checked > size",
    "a file of unknown size fills the disk that the store lies on",
    "HTTPTests.FileDownloadTests")
defect(
    "last-caller-leaves-transfer", HTTP, "Coalescer.leave",
    "transfer?.cancel()",
    "_ = transfer",
    "a request that nobody waits for goes on",
    "HTTPTests.ResilientClientTests", STATEMENT)
defect(
    "upgrade-refused-stays-open", HTTP, "CurlTransfer.serveSocket",
    "response.parser.status != 101 && response.isHeadSent",
    "false",
    "a refused live connection stays open for minutes",
    "HTTPTests.UpgradeTests")
defect(
    "transport-never-stops", HTTP, "CurlTransport.deinit",
    "inbox.post(.stop)",
    "_ = inbox",
    "threads and connections pile up",
    "HTTPTests.TransferTests", STATEMENT)
defect(
    "min-tls-ignored", HTTP, "CurlOptions.setTLS",
    "set( CURLOPT_SSLVERSION, minTLS == .v13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)",
    "set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)",
    "min_tls is ignored",
    "HTTPTests.TLSFailureTests|TelexTests.TLSSettingsTests", STATEMENT)
defect(
    "pins-ignored", HTTP, "CurlOptions.setTLS",
    "set(CURLOPT_PINNEDPUBLICKEY, pins)",
    "_ = pins",
    "pinned keys are not checked",
    "HTTPTests.TLSFailureTests", STATEMENT)
defect(
    "silence-without-end", HTTP, "CurlTransfer.overrun",
    "lastActivity.advanced(by: order.request.limits.silence) <= now",
    "lastActivity.advanced(by: order.request.limits.silence * 1_000) <= now",
    "a silent server keeps a place for ever",
    "HTTPTests.FailureTests")
defect(
    "body-limit-off-by-one", HTTP, "ResponseReceiver.deliver",
    "bodyBytes + bytes.count > limit",
    "bodyBytes + bytes.count >= limit",
    "a document of exactly the limit is refused",
    "HTTPTests.FailureTests")
defect(
    "content-length-limit-ignored", HTTP, "ResponseReceiver.begin",
    "length > limit",
    "length > Int.max - 1",
    "a body that is announced too large is fetched",
    "HTTPTests.FailureTests")
defect(
    "private-address-allowed", HTTP, "IPAddress.isPublic",
    "bytes[0] & 0xE0 == 0x20",
    "bytes[0] & 0xE0 == 0x20 || bytes[0] & 0xFE == 0xFC",
    "a feed's link reaches the house's network",
    "HTTPTests.PolicyTests")
defect(
    "looked-up-address-not-checked", HTTP, "AddressCheck.mayConnect",
    "isAllowed(IPAddress(bytes: Array(bytes[..<count])))",
    "true",
    "a name that stands for an address of the house leads there",
    "TelexTests.NamespaceTests")
defect(
    "kept-connection-not-checked", HTTP, "CurlTransfer.connected",
    "addresses.isAllowed(IPAddress(address))",
    "addresses.isAllowed(IPAddress(address)) || true",
    "a connection kept for a typed address serves a stranger's",
    "TelexTests.NamespaceTests")
defect(
    "credentials-follow-redirect", HTTP, "RedirectRule.follow",
    "dropCredentials()",
    "",
    "a password goes along to another server",
    "HTTPTests.RedirectTests|HTTPTests.BearerSessionTests", STATEMENT)
defect(
    "set-headers-follow-redirect", HTTP, "RedirectRule.follow",
    "WebAddress.isAtServer(of: url.description, target.description)",
    "true",
    "headers that were set for one server go along to another, and the feed with them",
    "HTTPTests.RedirectTests")
defect(
    "downgrade-allowed", HTTP, "RedirectRule.secured",
    "!target.isSecure",
    "false",
    "https leads to plain http",
    "HTTPTests.RedirectTests")
defect(
    "redirects-off-by-one", HTTP, "RedirectRule.follow",
    "count < bare.limits.maxRedirects",
    "count <= bare.limits.maxRedirects",
    "one redirect more than allowed",
    "HTTPTests.RedirectTests")
defect(
    "temporary-move-kept", HTTP, "RedirectRule.follow",
    "isPermanentSoFar && (head.status == 301 || head.status == 308)",
    "isPermanentSoFar || (head.status == 301 || head.status == 308)",
    "a feed moves because of a temporary redirect",
    "HTTPTests.RedirectTests")
defect(
    "password-over-http", HTTP, "HTTPClient.moveCredentials",
    "url.isSecure || url.isLoopback",
    "true",
    "a password goes over plain http",
    "HTTPTests.BearerSessionTests|HTTPTests.ClientTests|HTTPTests.RedirectTests|HTTPTests.URLTests")
defect(
    "post-sent-again", HTTP, "HTTPRequest.isRepeatable",
    'method.isIdempotent || isQuery || headers["Idempotency-Key"] != nil',
    "true",
    "a POST is sent twice",
    "HTTPTests.RetryTests")
defect(
    "one-attempt-more", HTTP, "RetryPolicy.decision",
    "attempt < maxAttempts",
    "attempt <= maxAttempts",
    "a failing server is asked once more than it should be",
    "HTTPTests.RetryTests")
defect(
    "retry-beyond-deadline", HTTP, "RetryPolicy.decision",
    "remaining.map({ wait < $0 }) ?? true",
    "true",
    "a command waits longer than it was allowed",
    "HTTPTests.RetryTests")
defect(
    "breaker-never-opens", HTTP, "CircuitBreaker.record",
    "failures + 1 < settings.failuresToOpen",
    "failures < settings.failuresToOpen",
    "a failing server is asked once too often",
    "HTTPTests.BreakerTests")
defect(
    "refresh-token-spent-twice", HTTP, "BearerSession.renewed",
    "stored != pair",
    "stored != pair && stored == pair",
    "two processes spend one refresh token",
    "HTTPTests.BearerSessionTests|TelexTests.AccountVerbTests")
defect(
    "renewal-without-lock", HTTP, "BearerSession.alone",
    "try await backing.exclusively { let value = try await work(self) result.withLock { $0 = value } }",
    """let value = try await work(self)
    result.withLock { $0 = value }""",
    "the lock around a renewal is not taken",
    "TelexTests.SharedSignInTests", STATEMENT)
defect(
    "log-readable-by-others", HTTP, "HTTPLog.init",
    "fchmod(descriptor, 0o600)",
    "fchmod(descriptor, 0o644)",
    "others read which feeds are read",
    "HTTPTests.LogTests")
defect(
    "log-shows-query", HTTP, "HTTPLog.shown",
    '(try? HTTPURL(url).redacted) ?? "(no address)"',
    '(try? HTTPURL(url).description) ?? "(no address)"',
    "a token in an address stands in the log",
    "HTTPTests.LogTests")
defect(
    "line-limit-off-by-one", HTTP, "LineSplitter.endLine",
    "bytes.count <= limit",
    "bytes.count < limit",
    "a line of exactly the limit is lost",
    "HTTPTests.LineSplitterTests")
defect(
    "live-never-gives-up", HTTP, "LiveConnection.ended",
    "failures < limits.reconnects",
    "failures <= limits.reconnects",
    "a server is asked once more than it should be",
    "HTTPTests.LiveConnectionTests")
defect(
    "cookie-of-another-host", HTTP, "CookieJar.header",
    "cookie.isHostOnly ? cookie.domain == url.host : Self.isBelow(url.host, cookie.domain)",
    "url.host.hasSuffix(cookie.domain)",
    "a cookie goes to a server that it is not for",
    "HTTPTests.CookieTests")
defect(
    "secure-cookie-over-http", HTTP, "CookieJar.header",
    "!cookie.isSecure || Self.isSafe(url)",
    "true",
    "a cookie that is for https only goes over plain http",
    "HTTPTests.CookieTests")
defect(
    "digest-follows-redirect", HTTP, "RedirectRule.dropCredentials",
    "bare.digest = nil",
    "",
    "a sign-in by Digest goes along to another server",
    "HTTPTests.DigestTests", STATEMENT)
defect(
    "digest-not-remembered", HTTP, "HTTPClient.hop",
    "digestOrigins.note(origin, asks: answer.head.status != 401)",
    "_ = answer",
    "the password itself goes to a server that asks for Digest, each time",
    "HTTPTests.DigestTests", STATEMENT)
defect(
    "cut-coding-looks-whole", HTTP, "ContentDecoder.isCut",
    "hasBegun && stages.contains { !$0.isComplete }",
    "false",
    "half of a packed feed is taken for the whole",
    "HTTPTests.BodyEndTests")
defect(
    "codings-without-limit", HTTP, "ContentDecoder.init",
    "codings.count <= Self.mostCodings",
    "codings.count <= Self.mostCodings + 1",
    "a server has a body unpacked as often as it likes",
    "HTTPTests.BodyEndTests")
defect(
    "octal-host-public", "Text", "HostName.number",
    'part.hasPrefix("0")',
    "false",
    "0177.0.0.1 leads into the house's network",
    "HTTPTests.PolicyTests|HTTPTests.URLTests")
defect(
    "local-name-public", HTTP, "HostName.isPublic",
    "!specialUse.contains(String(last))",
    "true",
    "a feed's link reaches a name of the house's network",
    "HTTPTests.PolicyTests")
defect(
    "proxy-of-its-own-overridden", HTTP, "RoutedTransport.routed",
    "request.proxy == nil",
    "true",
    "a request leaves the way that was chosen for it",
    "HTTPTests.ProxyTests")

# WebSocket: the frames of a server that is not trusted.

WEBSOCKET = "WebSocket"
defect(
    "message-limit-per-frame", WEBSOCKET, "WebSocketDecoder.check",
    "frame.length <= maxMessageBytes - (unfinished?.payload.count ?? 0)",
    "frame.length <= maxMessageBytes",
    "a message of many frames takes all memory",
    "WebSocketTests")
defect(
    "masked-server-frame-taken", WEBSOCKET, "IncomingFrame.init",
    "isMasked == (role == .server)",
    "isMasked || role == .client",
    "a server that masks its frames is believed",
    "WebSocketTests")
defect(
    "long-ping-taken", WEBSOCKET, "IncomingFrame.init",
    "!isFinal || short > WebSocketFrame.longestControlPayload",
    "!isFinal",
    "a ping of any length is answered",
    "WebSocketTests")

# Services: sources and sign-ins.

SERVICES = "Services"
defect(
    "comment-lost-on-page", SERVICES, "FeedAPIDiscussion.send",
    "response.isAcceptance",
    "true",
    "a comment is gone where a page of the network answers in the server's place",
    "RepositoryTests.OutboxTests")
defect(
    "watched-text-forgotten", SERVICES, "RecipeFeed.read",
    "recipe.stored",
    "nil as FeedRecipe?",
    "each refresh of a watched page brings all of its text as a new article",
    "TelexTests.PageFeedVerbTests")
defect(
    "program-leaves-others", SERVICES, "ProgramRun.end",
    "kill(-process, SIGKILL)",
    "kill(process, SIGKILL)",
    "what the program of a feed has started goes on for ever",
    "ServicesTests.ProgramFeedTests", STATEMENT)
defect(
    "program-failure-is-a-feed", SERVICES, "ProgramRun.run",
    "status == 0",
    "status == 0 || true",
    "a program that fails half-way leaves a feed that looks whole",
    "ServicesTests.ProgramFeedTests")
defect(
    "graphql-circle-unnoticed", SERVICES, "GraphQLCursor.init",
    "page & (page - 1) == 0 ? digest : place?.earlier ?? digest",
    "place?.earlier ?? digest",
    "the older pages of a GraphQL server that form a circle behind their first never end",
    "ServicesTests.GraphQLSourceTests")
defect(
    "graphql-secret-as-password", SERVICES, "FeedSignature.credential",
    "isBearer ? \"Bearer \\(secret)\" : secret",
    "isBearer ? \"Basic \\(secret)\" : secret",
    "no token opens a GraphQL server",
    "ServicesTests.GraphQLSourceTests")
defect(
    "condition-not-sent", SERVICES, "HTTPRequest.setCondition",
    "validators.etag",
    "nil",
    "every refresh transfers every feed",
    "ServicesTests.SourceTests|ServicesTests.ValidatorTests")
defect(
    "content-location-of-others", SERVICES, "HTTPResponse.baseURL",
    "WebAddress.isAt(url, origin: head.url)",
    "true",
    "a server says for another where links lead",
    "ServicesTests.SourceTests")
defect(
    "same-page-for-ever", SERVICES, "NumberedPage.repeats",
    "StableDigest(of: entries).value == before",
    "false",
    "a server that ignores page numbers is asked for ever",
    "ServicesTests.NumberedPageTests|ServicesTests.PagingTests")
defect(
    "signed-by-anothers-account", SERVICES, "SignInTable.signIn",
    "$0.account == account.id",
    "$0.account != nil",
    "a request in one user's name bears another's token",
    "ServicesTests.SignInTableTests|TelexTests.SharedOriginTests")
defect(
    "document-signed-by-account", SERVICES, "SignInTable.signIn",
    "!isOfAPI || nearest.isEmpty",
    "nearest.isEmpty",
    "a feed is found with one sign-in and refreshed with another",
    "ServicesTests.SignInTableTests")
defect(
    "farther-base-chosen", SERVICES, "[SignIn].nearest",
    "$0.basePath?.utf8.count == longest",
    "longest != nil",
    "of two accounts of a user the wrong one signs",
    "ServicesTests.SignInTableTests")
defect(
    "sync-server-asked-for-feeds", SERVICES, "SignInTable.signIn",
    "(byOrigin[url.origin] ?? []).filter(\\.signsRequests)",
    "byOrigin[url.origin] ?? []",
    "two users of a sync server cannot add a feed of the same host",
    "ServicesTests.SignInTableTests")
defect(
    "origin-of-the-typed-page", SERVICES, "SignIns.signedIn",
    "try Self.origin(of: found) ?? address.origin",
    "address.origin",
    "a password is kept where nobody looks for it",
    "ServicesTests.SignInTests")
defect(
    "added-and-never-refreshed", SERVICES, "Sources.settled",
    "try await signIns.signIn(at: located.url, for: local) != used",
    "try await signIns.signIn(at: located.url, for: local) == used",
    "a feed is added that no refresh can fetch",
    "ServicesTests.SignInTests")
defect(
    "signed-in-over-http", SERVICES, "SignIns.authorization",
    "address.isSecure || address.isLoopback",
    "true",
    "a credential goes over plain http",
    "ServicesTests.SignInTests")
defect(
    "feed-password-elsewhere", SERVICES, "Fetcher.sign",
    "url.origin == signature.origin",
    "true",
    "a feed's password goes to another server",
    "ServicesTests.SourceTests|TelexTests.AddressPasswordTests")
defect(
    "feed-password-over-http", SERVICES, "Fetcher.sign",
    "url.isSecure || url.isLoopback",
    "true",
    "a feed's password goes over plain http",
    "ServicesTests.SourceTests|TelexTests.AddressPasswordTests")
defect(
    "password-not-read-again", SERVICES, "FeedSecrets.keep",
    "try await read(signIn) == password",
    "try await read(signIn) ?? password == password",
    "a password is taken out of its address and lies nowhere",
    "ServicesTests.SignInTests")
defect(
    "proxy-of-a-feed-ignored", SERVICES, "Fetcher.routed",
    "request.proxy = try await route()",
    "_ = try await route()",
    "a feed that is to go through a proxy goes past it",
    "ServicesTests.FeedProxyTests", STATEMENT)
defect(
    "toggle-sent-again", SERVICES, "SyncTransfer.prepared",
    "pace == .once",
    "false",
    "a star whose answer was lost is taken away again",
    "ServicesTests.MinifluxTests")
defect(
    "sign-in-page-taken-for-success", SERVICES, "SyncAnswer.checkTaken",
    "!head.becameGet",
    "head.status > 0",
    "a change that the server has led to its sign-in is lost",
    "ServicesTests.SyncRedirectTests")
defect(
    "toggle-sent-blindly", SERVICES, "MinifluxClient.mark",
    "entry.starred != isSet",
    "entry.starred || !entry.starred",
    "a star that is there already is taken away",
    "ServicesTests.MinifluxTests")
defect(
    "shifted-page-taken-for-whole", SERVICES, "MinifluxClient.listedIDs",
    "(answer.entry_ids.first ?? .min) < last",
    "last < 0",
    "unread articles that a page has passed over become read",
    "ServicesTests.MinifluxTests")
defect(
    "capped-list-taken-for-whole", SERVICES, "FeverClient.ids",
    "ids.count == Self.listedIDs",
    "ids.count < 0",
    "all unread articles but a thousand become read",
    "ServicesTests.FeverTests")
defect(
    "refusal-taken-for-answer", SERVICES, "FeverClient.call",
    "head.auth.number == 1",
    "head.auth.number != nil",
    "a wrong password is kept",
    "ServicesTests.FeverTests")
defect(
    "saved-toggled-blindly", SERVICES, "FeverClient.markSaved",
    "saved.contains($0) != isSaved",
    "saved.contains($0) || !$0.isEmpty",
    "what is saved already is saved no more",
    "ServicesTests.FeverTests")

# Secrets.

defect(
    "foreign-log-continued", SERVICES, "LogAppending.init",
    "RunningDigest.of(found.prefix(size)) == log.digest",
    "size >= 0",
    "two machines with one name write into one log, and each loses what the other says",
    "ServicesTests.LogTextTests")

defect(
    "upload-never-asks", SERVICES, "AttachmentUpload.send",
    "error.status == 416 || error.status == 409",
    "false",
    "an upload of which the server has less than is stored here fails for good",
    "ServicesTests.AttachmentUploadTests")
defect(
    "attachment-gone-for-good", SERVICES, "AttachmentUpload.comment",
    'error.serverError?.code == "unknown_attachment"',
    "false",
    "a file that the server has dropped is not sent again",
    "ServicesTests.AttachmentUploadTests")

defect(
    "feedbin-next-page-missed", SERVICES, "FeedbinClient.arrivals",
    "page.hasNext",
    "false",
    "of what has come at Feedbin only the newest hundred are found",
    "ServicesTests.FeedbinTests")
defect(
    "feedbin-number-of-another", SERVICES, "FeedbinClient.subscription",
    "String($0.feed_id) == feed",
    "String($0.id) == feed",
    "the subscription that is removed is not that of the feed",
    "ServicesTests.FeedbinTests")

defect(
    "nextcloud-history-cut", SERVICES, "NextcloudNewsClient.ids",
    "modified < since ?? now().addingTimeInterval(-Self.history)",
    "true",
    "of what has come at Nextcloud News only the first page is found",
    "ServicesTests.NextcloudNewsTests")
defect(
    "nextcloud-doubt-untold", SERVICES, "NextcloudNewsClient.ids",
    "bad > 0",
    "false",
    "an article of Nextcloud News that cannot be read becomes read",
    "ServicesTests.NextcloudNewsTests")

defect(
    "ttrss-shift-unnoticed", SERVICES, "TinyTinyRSSClient.ids",
    "!ids.contains(last)",
    "false",
    "unread articles that a shifting list passes over become read",
    "ServicesTests.TinyTinyRSSTests")
defect(
    "ttrss-read-as-unread", SERVICES, "TinyTinyRSSClient.mark",
    "isSet ? 0 : 1",
    "isSet ? 1 : 0",
    "what is read here becomes unread at Tiny Tiny RSS",
    "ServicesTests.TinyTinyRSSTests")
defect(
    "session-not-renewed", SERVICES, "SyncToken.signing",
    "error.status == 401",
    "false",
    "a session that has ended signs the user out",
    "ServicesTests.TinyTinyRSSTests")

defect(
    "newsblur-tags-erased", SERVICES, "NewsBlurClient.markStarred",
    "starred.contains($0) != isStarred",
    "true",
    "starring a story again takes its tags away",
    "ServicesTests.NewsBlurTests")

SECRETS = "Secrets"
defect(
    "secrets-written-in-place", SECRETS, "CredentialFile.save",
    "open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)",
    """{
      rename(path, newPath)
      return open(newPath, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }()""",
    "a kill while a password is stored loses all of them",
    "SecretsTests.FileStoreTests")
defect(
    "secrets-renamed-unfinished", SECRETS, "CredentialFile.save",
    "errno = isWritten ? errno : reason",
    """_ = reason
      rename(newPath, path)
      errno = ENOSPC""",
    "a full disk loses all passwords",
    "SecretsTests.FileStoreTests", STATEMENT)
defect(
    "secrets-without-lock", SECRETS, "CredentialFile.withLock",
    "LOCK_EX | LOCK_NB",
    "LOCK_SH | LOCK_NB",
    "two processes lose each other's passwords",
    "SecretsTests.FileStoreTests")
defect(
    "secrets-readable-by-group", SECRETS, "CredentialFile.requirePrivate",
    "status.st_mode & 0o077 == 0",
    "status.st_mode & 0o007 == 0",
    "a file that the group reads is taken",
    "SecretsTests.FileStoreTests")
defect(
    "secret-of-another-kind", SECRETS, "SecretSelection.contains",
    "(kind ?? name.kind) == name.kind",
    "true",
    "removing one secret takes another",
    "SecretsTests.FileStoreTests")
defect(
    "secret-printed", SECRETS, "Secret.customMirror",
    "Mirror(self, children: [])",
    'Mirror(self, children: ["text": text])',
    "a crash report shows a password",
    "SecretsTests.SecretTests")
defect(
    "keyring-misses-removal", SECRETS, "SecretStore.moveIntoKeyring",
    "for selection in contents.removed { try keyring.remove(selection) }",
    "",
    "what was removed while the ring was locked comes back",
    "SecretsTests.KeyringTests", STATEMENT)

defect(
    "keyring-away-is-empty", SECRETS, "SecretStore.find",
    "!contents.isRemoved(name)",
    "contents.isRemoved(name)",
    "a sync while the keyring is locked signs an account out",
    "SecretsTests.KeyringTests|TelexTests.AbsentKeyringTests")

# Text, News, Syndication, Markup: what others write.

TEXT_TARGET = "Text"
defect(
    "c1-kept", TEXT_TARGET, "verdict",
    "second <= 0x9F",
    "second <= 0x9A",
    "a title moves the cursor of the terminal",
    "TextTests.PlainTextTests")
defect(
    "bidi-kept", TEXT_TARGET, "verdict",
    "third >= 0xAA && third <= 0xAE",
    "third >= 0xAA && third <= 0xAD",
    "U+202E turns a line around",
    "TextTests.PlainTextTests")
defect(
    "escape-kept", TEXT_TARGET, "verdict",
    "(.drop, 1)",
    "(bytes[index] == 0x1B ? .keep : .drop, 1)",
    "a title sends escape sequences",
    "TextTests.PlainTextTests")
defect(
    "direction-unchecked", TEXT_TARGET, "LabelRules.keepsDirection",
    "directions.contains(.europeanNumber)",
    "false",
    "a name of a host is shown in another order than it is read",
    "TextTests.HostFormTests")
defect(
    "joiner-anywhere", TEXT_TARGET, "LabelRules.hasJoinerInPlace",
    'isNonJoiner || label[index] == "\\u{200D}"',
    'label[index] == "\\u{200D}"',
    "two names that look the same are two hosts",
    "TextTests.HostFormTests")
defect(
    "quote-without-a-name", TEXT_TARGET, "MarkupTokenizer.beginsName",
    "before == endOfValue",
    "false",
    "a quote that opens no value hides the end of a tag, and the text behind it",
    "TextTests.PlainTextTests")

DISCOVERY = "Discovery"
defect(
    "search-without-end", DISCOVERY, "FeedSearch.perform",
    "context.requestsLeft > 0",
    "context.requestsLeft > -1_000",
    "looking for a feed asks a site for all that its page names",
    "DiscoveryTests.FeedSearchTests")
defect(
    "page-taken-for-a-feed-elsewhere", DISCOVERY, "GuessStep.resume",
    "document.digest == page.digest",
    "document.digest != document.digest",
    "a site that answers everything alike is asked in the wrong order",
    "DiscoveryTests.FeedSearchTests")
defect(
    "wish-behind-prefetch", "Repository", "FetchQueue.next",
    "Lane.allCases",
    "Lane.allCases.reversed()",
    "what the user asks for waits behind what nobody asked for",
    "RepositoryTests.FetchQueueTests")

SYNDICATION = "Syndication"
defect(
    "changed-page-is-empty", SYNDICATION, "PageFeedReader.feed",
    "!found.isEmpty",
    "!found.isEmpty || true",
    "a page that has changed its form looks like one without news",
    "SyndicationTests.PageFeedTests")
defect(
    "graphql-errors-untold", SYNDICATION, "GraphQLReader.page",
    "errors.sentences",
    "[]",
    "errors beside the data of a GraphQL server are told to nobody",
    "SyndicationTests.GraphQLTests")
defect(
    "bomb-unpacked", SYNDICATION, "Unpacking.unpack",
    "taken < made",
    "false",
    "a packed document is cut at the limit without a word",
    "SyndicationTests.FeedParserTests")
defect(
    "second-gzip-member-lost", SYNDICATION, "Unpacking.unpack",
    "isDone = true startNextMember()",
    "isDone = true",
    "half of a feed is missing without a word",
    "SyndicationTests.FeedFixtureTests/.*written", STATEMENT)
defect(
    "quoted-entry-ends-the-quoting", SYNDICATION, "QuotedEntry.isClosed",
    "holders == 0",
    "holders < 0",
    "an article that quotes an entry is cut where the quotation begins",
    "SyndicationTests.FeedFixtureTests/.*written")

MARKUP = "Markup"
defect(
    "nesting-without-end", MARKUP, "HTMLNormalizer.readStartTag",
    "outerCount + open.count >= HTMLNormalizer.deepest",
    "outerCount + open.count >= HTMLNormalizer.deepest * 1_000",
    "a page of nested elements takes minutes, or crashes",
    "MarkupTests.HostileMarkupTests")
defect(
    "scripts-shown", MARKUP, "HTMLNormalizer.readStartTag",
    "skipContent(of: tag) return",
    "return",
    "code is shown as text",
    "MarkupTests.MarkupTests", STATEMENT)

# Screen, CursesTerminal: the terminal.

SCREEN = "Screen"
defect(
    "right-to-left-as-written", SCREEN, "Frame.inVisualOrder",
    "order(line.scalars, stretch.direction)",
    "order(line.scalars, .leftToRight)",
    "paragraphs of Hebrew and Arabic have their parts in the wrong order",
    "CursesTerminalTests.FriBidiTests")
defect(
    "thai-words-broken", SCREEN, "Wrapper.isWordEnd",
    "words?.contains(offset) == true",
    "offset % 2 == 0",
    "lines of Thai end within words",
    "ScreenTests.WordBreakTests")
defect(
    "control-drawn", SCREEN, "ScalarKind.init",
    "scalar.value",
    "scalar.value == 0x9B ? 0x41 : scalar.value",
    "what the sanitiser missed reaches the terminal",
    "ScreenTests")
defect(
    "half-glyph-left", SCREEN, "Frame.write",
    "if startsInsideGlyph { cells[row + start - 1] = Cell(style: cells[row + start - 1].style) }",
    "_ = startsInsideGlyph",
    "half of a wide letter stays on the screen",
    "ScreenTests", STATEMENT)
defect(
    "clip-off-by-one", SCREEN, "TextWidth.prefix",
    "used > columns",
    "used >= columns",
    "a title is cut one column too early",
    "ScreenTests")

CURSES = "CursesTerminal"
defect(
    "mouse-left-on", CURSES, "CursesTerminal.leaveModes",
    "TerminalLine.write(TerminalLine.mouseOff)",
    "_ = wantsMouse",
    "after quitting, the mouse types into the shell",
    "CursesTerminalTests", STATEMENT)
defect(
    "modes-not-restored", CURSES, "CursesTerminal.leaveModes",
    "TerminalLine.modes = modes",
    "_ = modes",
    "after quitting, the shell shows nothing that is typed",
    "CursesTerminalTests", STATEMENT)
defect(
    "rescue-not-armed", CURSES, "CursesTerminal.enterModes",
    "Rescue.arm(true)",
    "Rescue.arm(false)",
    "a crash leaves the terminal unusable",
    "CursesTerminalTests", STATEMENT)
defect(
    "clusters-not-compared", CURSES, "FramePainter.changedColumns",
    "!rowsWithClusters[y]",
    "true",
    "a changed letter with an accent is not drawn",
    "CursesTerminalTests")
defect(
    "curses-control-drawn", CURSES, "CellText.width",
    "return nil",
    "return 1",
    "a control character reaches the terminal",
    "CursesTerminalTests", STATEMENT)

# Reader: what the user sees.

READER = "Reader"
defect(
    "mark-undone-by-snapshot", READER, "PendingMarks.settle",
    "for (kind, isSet) in mark.shown { row.status[kind] = isSet }",
    "_ = row",
    "a mark flickers back while it is written",
    "ReaderTests.MarkTests|ReaderTests.PropertyTests", STATEMENT)
defect(
    "late-snapshot-taken", READER, "ListState.receive",
    "snapshot.query == query",
    "true",
    "the rows of another list appear",
    "ReaderTests.ListTests")
defect(
    "selection-jumps", READER, "ListState.receive",
    "selectedPosition = rows[index].position",
    "select(0)",
    "the list jumps while it is read",
    "ReaderTests.ListTests|ReaderTests.PropertyTests", STATEMENT)
defect(
    "typed-address-lost", READER, "AddressSearches.receiveFailure",
    "state.addresses.lastAddress = address",
    "_ = address",
    "an address that failed has to be typed again",
    "ReaderTests.PromptTests", STATEMENT)
defect(
    "unseen-region-empty", READER, "ListState.unseenRegion",
    "seen.lastID",
    "Int64.max",
    "mark-all-read takes what came in above the screen along",
    "ReaderTests.MarkTests|ReaderTests.ListTests")
defect(
    "screen-covers-question", READER, "ScreenStack.insert",
    "type(of: $0).layer > layer",
    "false",
    "keys that answer a question choose a feed that was found meanwhile",
    "ReaderTests.StackTests|ReaderTests.ChoiceTests")
defect(
    "neighbour-not-selected", READER, "ScrollingSelection.nearestIndex",
    "max(0, min(rows.count - 1, index))",
    "0",
    "after something is done with a row, the first one is selected instead of the next",
    "ReaderTests.OutboxTests|ReaderTests.HealthTests")

# NetworkMonitor, telex, FeedServer.

defect(
    "begun-sequence-never-ends", READER, "ReaderState.continueSequence",
    "begun = nil",
    "_ = begun",
    "after the first key of a sequence every key belongs to it",
    "ReaderTests.KeySchemeTests", STATEMENT)
defect(
    "key-kept-that-begins-a-sequence", READER, "KeyMap.init",
    "Set(own).union(own.flatMap(\\.beginnings))",
    "Set(own)",
    "a sequence of the user's own cannot be typed",
    "ReaderTests.KeySchemeTests")
defect(
    "place-lost-in-another-text", READER, "ArticleState.placeToKeep",
    "page?.other != nil",
    "false",
    "reading a translation moves the place in the article",
    "ReaderTests.OwnCommandTests")
defect(
    "event-program-interrupts", READER, "ProgramRuns.receiveEnd",
    "end == .exited(0)",
    "false",
    "each refresh puts a line over the keys",
    "ReaderTests.OwnCommandTests")
defect(
    "preview-marks-read", READER, "Previewing.showPreview",
    "preview.isPreview = true", "preview.isPreview = false",
    "Looking at an article forgets how far another one was read.",
    "ReaderTests.PreviewTests", STATEMENT)
defect(
    "late-preview-shows", READER, "Previewing.showPreview",
    "state.previewed == id", "state.previewed != nil",
    "An article that the selection has passed shows beside another one.",
    "ReaderTests.PreviewTests")
defect(
    "divider-eats-a-pane", READER, "Divider.bounded",
    "min(room - after, columns)", "columns",
    "A divider that is dragged to the edge leaves no room for a pane.",
    "ReaderTests.DividerTests")
defect(
    "words-end-with-the-line", READER, "FoldedText.add",
    "letters.append(letter)", "letters.append(letter == Self.lineEnd ? Self.end : letter)",
    "Words are not found across the end of a line.",
    "ReaderTests.FindTests", STATEMENT)
defect(
    "find-loses-the-place", READER, "Finding.cancelFind",
    "state.article?.scroll(toLine: top)", "_ = top",
    "Giving up a search in an article leaves the user somewhere else.",
    "ReaderTests.FindTests", STATEMENT)
defect(
    "count-ignores-the-row", READER, "ListPane.move",
    "if let count = press.count { return state.list.goToEnd(.row(count - 1)) }", "",
    "12G goes to an end of the list.",
    "ReaderTests.CountTests", STATEMENT)
defect(
    "events-refresh-for-ever", READER, "KeyScheme.refusal",
    'event == "on_refresh"', 'event == "on_never"',
    "A refresh asks for another one without end.",
    "ReaderTests.OwnCommandTests")

MONITOR = "NetworkMonitor"
defect(
    "dead-link-counts", MONITOR, "NetlinkMessage.link",
    "flags & up != 0 && flags & running != 0",
    "flags & (up | running) != 0",
    "a pulled cable is a network",
    "NetworkMonitorTests.NetlinkMessageTests|NetworkMonitorTests.NamespaceTests")
defect(
    "failed-address-counts", MONITOR, "NetlinkMessage.address",
    "scope == 0 && flags & (failed | tentative) == 0",
    "scope == 0 && flags & failed & tentative == 0",
    "an address that is not usable yet counts",
    "NetworkMonitorTests.NetlinkMessageTests|NetworkMonitorTests.NamespaceTests")

# What any front end needs.
KIT = "TelexKit"
defect(
    "sign-in-by-anothers-proxy", KIT, "Feed.isReached",
    "account.id == id",
    "id.rawValue > 0",
    "the proxy of one user sees the sign-in of another",
    "TelexTests.SharedOriginTests")
defect(
    "folder-of-any-account", KIT, "Subscriptions.folder",
    "owners.count == 1",
    "owners.count > 0",
    "articles of another account's folder are listed",
    "TelexTests.SyncServerTests")
defect(
    "min-tls-not-passed-on", KIT, "Composition",
    "network.minTLS = settings.minTLS",
    "_ = settings.minTLS",
    "min_tls in the settings does nothing",
    "TelexTests.TLSSettingsTests", STATEMENT)
defect(
    "unreadable-is-empty", KIT, "StoredFile.contents",
    "errno == ENOENT",
    "errno == ENOENT || true",
    "a list of downloads that cannot be read for a moment is written over",
    "TelexTests.DownloadVerbTests")
defect(
    "forgotten-list-goes-on", KIT, "ListFollowing.update",
    "former != nil || isNew",
    "former != nil || isNew || true",
    "feeds of a list come that the user has forgotten while it was read",
    "TelexTests.ListFollowingTests")

TELEX = "telex"
defect(
    "any-scheme-opened", TELEX, "Browser.arguments",
    "schemes.contains(scheme)",
    "(schemes.contains(scheme) || true)",
    "a link runs something other than a browser",
    "TelexTests.ReaderBrowserTests")
defect(
    "cut-output-looks-whole", TELEX, "Output.write",
    "_exit(1)",
    "_exit(0)",
    "a full disk cuts an export and nobody is told",
    "TelexTests.UsageTests", STATEMENT)
defect(
    "output-not-cleaned", TELEX, "Output.writeCleaned",
    "clean(text)",
    "text",
    "what a server or an argument says steers the terminal",
    "TelexTests.HostileTextTests")
defect(
    "json-c1-kept", TELEX, "JSONOutput.lengthOfControl",
    "second <= 0x9F",
    "second <= 0x9A",
    "JSON that is looked at on a terminal steers it",
    "TelexTests.HostileTextTests")

defect(
    "escapes-of-programs-kept", TELEX, "OutputText.withoutEscapes",
    "text.utf8.contains(0x1B)",
    "false",
    "colours of a program stand as signs between its words",
    "TelexTests.ReaderProgramTests")
defect(
    "title-taken-for-an-option", TELEX, "ArticleProgram.word",
    "$0 == \"-\" || $0 == \" \"",
    "false",
    "a title is an option of the program it is given to",
    "TelexTests.ReaderProgramTests")
defect(
    "archive-told-as-new", TELEX, "findNew",
    "!$0.isFromNewFeed",
    "true",
    "the first refresh of a feed notifies of its archive",
    "TelexTests.ReaderProgramTests")

NEWS = "News"
SERVER = "FeedServer"
defect(
    "spent-token-taken", SERVER, "SessionBook.answer",
    "refresh.removeValue(forKey: given.refreshToken)",
    "refresh[given.refreshToken]",
    "the reference server takes a spent token, and tests prove nothing",
    "FeedServerTests.SessionTests")
defect(
    "foreign-event-id", SERVER, "LiveJournal.beginning",
    "(lastNumber - events.count...lastNumber).contains(number)",
    "number <= lastNumber",
    "a gap in the live news is not reported",
    "FeedServerTests.LiveTests")

defect(
    "query-without-not", STORE, "QuerySQL.init",
    "\"NOT (\\(text))\"",
    "\"(\\(text))\"",
    "what a query rules out is what it finds",
    "StoreTests.QueryTests")
defect(
    "query-of-merged-feeds", STORE, "ArticleSelection.init",
    "\"feedID = ?\" + (conditions.sql.map { \" AND (\\($0.text))\" } ?? \"\")",
    "\"feedID = ?\"",
    "a query over a folder finds all of its feeds",
    "StoreTests.QueryTests")
defect(
    "either-is-both", NEWS, "QueryParser.alternatives",
    ".any(all)",
    ".all(all)",
    "either is both",
    "StoreTests.QueryTests")
defect(
    "kept-query-without-its-list", READER, "queryText",
    "\"\\(around) (\\(query.conditionText))\"",
    "query.conditionText",
    "a limit kept in a feed's list finds articles of all feeds",
    "ReaderTests.LimitTests")
defect(
    "limit-on-a-limit", READER, "finishLimit",
    "whole = inner",
    "_ = inner",
    "a changed limit narrows the one before",
    "ReaderTests.LimitTests", STATEMENT)
defect(
    "heard-stays-queued", STORE, "PlaybackEdit.set",
    "if playback.isHeard { try dequeue(file, of: article) }",
    "if playback.seconds > 0 { try dequeue(file, of: article) }",
    "what was heard is played again",
    "StoreTests.QueueTests", STATEMENT)
defect(
    "place-of-the-file-before", TELEX, "PlayerLink.read",
    "(file, playback, reported) = (next, Playback(), Playback())",
    "(playback, reported) = (Playback(), Playback())",
    "the place in the second file is kept for the first",
    "TelexTests.ReaderFileTests", STATEMENT)
defect(
    "import-replaces-texts", STORE, "ArticlesEdit.add",
    ".taken(read: read)",
    ".imported(areRead: false)",
    "an import puts the text of another reader in the place of the one that was fetched",
    "StoreTests.ImportTests|TelexTests.SwitchVerbTests")
defect(
    "deleted-comes-again", STORE, "withoutDeleted",
    "articles.filter { !buried.contains($0.key) }",
    "articles",
    "what was deleted in the other reader comes again with the next refresh",
    "StoreTests.ImportTests|TelexTests.SwitchVerbTests")
defect(
    "half-transaction-copied", STORE, "ForeignDatabase.copy",
    '[""] + companions',
    '[""]',
    "a transaction of the other reader that is half written is taken for the whole",
    "StoreTests.ForeignDatabaseTests")
defect(
    "hidden-comes-again", STORE, "hide",
    "try bury.execute(arguments: [seconds(now), rule, article])",
    "_ = bury",
    "what a rule hides is removed and comes again with each refresh",
    "StoreTests.RuleTests|TelexTests.RulesVerbTests", STATEMENT)
defect(
    "rule-without-end", STORE, "RulesEdit.apply",
    "$0 > now",
    "$0 > .distantPast",
    "a rule for two weeks is kept for ever",
    "StoreTests.RuleTests")
defect(
    "rules-before-the-index", STORE, "StoreEdit.run",
    "try edit.indexing.write(to: db)",
    "_ = edit",
    "rules do not see the words of what has come",
    "StoreTests.RuleTests|StoreTests.SearchTests", STATEMENT)
defect(
    "trimmed-comes-again", STORE, "trim",
    "try bury.execute(arguments: [row[0] as Int64, row[1] as Int64, seconds(now)])",
    "_ = bury",
    "what was trimmed comes again with the next refresh",
    "StoreTests.TrimmingTests|TelexTests.CacheVerbTests", STATEMENT)
defect(
    "trimmed-asked-for-again", STORE, "trim",
    "try unlink.execute(arguments: [article])",
    "_ = unlink",
    "an account's article that was trimmed is fetched with each sync",
    "StoreTests.TrimmingTests", STATEMENT)
defect(
    "oldest-first-from-the-newest", STORE, "SliceReader.found",
    "order == .oldest ? direction.mirrored : direction",
    "direction",
    "a list with the oldest first begins with the newest",
    "StoreTests.OrderTests")
defect(
    "undo-of-what-was-changed-since", STORE, "perform",
    "try edit.marks.isMarked($0, mark.kind) == !isSet",
    "try edit.marks.isMarked($0, mark.kind) != nil",
    "undo counts articles that were marked otherwise since",
    "StoreTests.UndoTests|StoreTests.MarkTests")
defect(
    "picked-for-ever", READER, "performOnPicked",
    "state.list.picked = MultipleSelection()",
    "_ = state.list",
    "a command is about what was picked for the one before",
    "ReaderTests.PickingTests", STATEMENT)
defect(
    "picked-feeds-for-ever", READER, "ReaderState.receive",
    "sidebar.picked.keep(known.contains)",
    "_ = known",
    "a command is about feeds that are gone",
    "ReaderTests.PickingFeedsTests", STATEMENT)
defect(
    "not-told-of-the-return", STORE, "perform",
    "try edit.removals.restore(of: action.id, now: now, isTold: kept.contains)",
    "try edit.removals.restore(of: action.id, now: now, isTold: { _ in false })",
    "a server is not told of feeds that come back together",
    "StoreTests.UndoTests")
defect(
    "kept-folder-stays-behind", STORE, "move",
    "try edit.outlines.replace(change.former, by: change.rows)",
    "_ = change",
    "a folder without feeds is not moved, and what was noted of others stays behind",
    "StoreTests.FolderMoveTests", STATEMENT)
defect(
    "password-of-a-former-proxy", KIT, "Articles.apply",
    "try? await composition.vault.forgetProxyPassword(entry.replacedProxy, of: feed)",
    "_ = feed",
    "the password of a proxy that was taken back stays behind",
    "TelexTests.ProxyVerbTests", STATEMENT)
defect(
    "search-everywhere", READER, "SearchPrompt.timeline",
    ".matching(query, in: scope)",
    ".search(words)",
    "a search in one list finds articles of all",
    "ReaderTests.SearchPromptTests")
defect(
    "rewritten-once", STORE, "noteChanged",
    "edit.newcomers.changed.append(id)",
    "_ = id",
    "a title that a rule has rewritten is again what its feed wrote, once the feed changes the article",
    "StoreTests.RuleTests", STATEMENT)
defect(
    "letters-without-their-last", STORE, "SearchText.tokenized",
    "last != .inPair",
    "last == .asEnd",
    "the last letter of a Japanese text is found by no search for it alone",
    "StoreTests.SearchTextTests", EXPRESSION)
defect(
    "indexed-twice", STORE, "isIndexed",
    "try id > lastUnindexed(in: db)",
    "true",
    "an article that changes while the index is filled is in it twice",
    "StoreTests.IndexCompletionTests")
defect(
    "full-text-of-another-page", STORE, "FullTextsEdit.keepsText",
    "asked == row[0] as String?",
    "!asked.isEmpty",
    "an article whose feed has given it another address keeps the text of the former page",
    "StoreTests.FullTextTests")
defect(
    "full-text-not-in-index", STORE, "FullTextsEdit.copy",
    "try edit.indexing.add(other, in: db)",
    "_ = other",
    "the full text of an article of two feeds that became one is found by no search",
    "StoreTests.FullTextTests", STATEMENT)
defect(
    "fetch-goes-on", READER, "cancelFullText",
    "wish.isAsked ? [.cancel(.article(.fullText))] : []",
    "wish.isAsked ? [] : []",
    "a page is fetched on though its article was left",
    "ReaderTests.FullTextTests")
