package import Foundation
internal import GRDB
package import News

// Actions of the user in order: rows of `userAction`, for undo, redo and the journal. A row of kind
// NULL is a batch of read marks (`articleStatus.batch`).

extension JournalEdit {
  /// Notes an action, and returns its number. Undone actions cannot be redone from then on.
  @discardableResult
  func note(
    _ kind: UserActionKind, isSet: Bool = true, count: Int = 1, article: ArticleID? = nil,
    feed: FeedID? = nil, subject: String? = nil, _ detail: ActionDetail? = nil, now: Date
  ) throws -> Int64 {
    if kind.endsRedo {
      // An article that was opened has been read all the same.
      try db.run(
        """
        UPDATE userAction SET isUndone = 0, value = 0
        WHERE isUndone AND kind = '\(UserActionKind.opened.rawValue)'
        """)
      // A subscription that was taken back is a feed that was removed, which can come back for thirty days.
      try db.run(
        """
        UPDATE userAction SET kind = '\(UserActionKind.removeFeed.rawValue)', isUndone = 0,
          createdAt = ?
        WHERE isUndone AND kind = '\(UserActionKind.addFeed.rawValue)'
        """, [seconds(now)])
      try db.run("DELETE FROM userAction WHERE isUndone")
    }
    var (feed, subject) = (feed?.rawValue, subject)
    if let article,
      let row = try db.row("SELECT feedID, title FROM article WHERE id = ?", [article])
    {
      feed = row[0]
      subject = row[1]
    }
    try db.run(
      """
      INSERT INTO userAction (createdAt, count, kind, value, articleID, feedID, subject, detail)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        seconds(now), count, kind == .readAll ? nil : kind.rawValue, isSet, article, feed, subject,
        detail?.text,
      ])
    edit.journalKeeping.hasGrown = true
    return db.lastInsertedRowID
  }

  /// Notes what others are told of articles, so that `undo` stops there.
  package func note(_ kind: UserActionKind, of articles: [ArticleID], now: Date) throws {
    try note(
      kind, count: articles.count, article: articles.count == 1 ? articles[0] : nil, now: now)
  }

  /// Forgets the actions with a feed and its articles, and its part of actions with several feeds.
  func forget(of feed: FeedID) throws {
    try db.run("DELETE FROM userAction WHERE feedID = ?", [feed])
    let rows = try JournalRow.fetchAll(
      db,
      sql: """
        SELECT * FROM userAction
        WHERE feedID IS NULL AND (instr(detail, '"feeds":') OR instr(detail, '"filed":'))
        """)
    for row in rows where row.detail?.idsOfFeeds.contains(feed.rawValue) == true {
      try db.run(
        "UPDATE userAction SET detail = ? WHERE id = ?", [row.detail?.without(feed).text, row.id])
    }
  }

  /// Empties the journal. Removals cannot be undone any more.
  package func clear() throws {
    try db.execute(
      sql: """
        DELETE FROM removal;
        UPDATE articleStatus SET batch = NULL WHERE batch IS NOT NULL
          AND abs(batch) NOT IN (SELECT batch FROM outbox WHERE batch IS NOT NULL);
        DELETE FROM userAction WHERE id NOT IN (SELECT batch FROM outbox WHERE batch IS NOT NULL);
        """)
    try edit.noteErasure()
  }
}

// MARK: - Doing what can be taken back

extension ActionsEdit {
  /// Sets or removes a tag, as an action for `undo`. Returns how many articles have changed.
  package func tag(
    _ articles: [ArticleID], _ name: String, _ isSet: Bool, now: Date
  ) throws -> Int {
    try tag(articles, adding: isSet ? [name] : [], removing: isSet ? [] : [name], now: now)
  }

  /// Sets and removes several tags, as one action for `undo`. Returns how many articles have
  /// changed.
  package func tag(
    _ articles: [ArticleID], adding added: [String], removing removed: [String], now: Date
  ) throws -> Int {
    var wishes = removed.map { ($0, false, articles) } + added.map { ($0, true, articles) }
    if removed.contains(where: Later.isTag) {
      wishes += try view.tags.dueTags(on: articles).map { ($0, false, articles) }
    }
    return try tag(wishes, now: now).articles.count
  }

  /// Adds articles to Later or removes them, as one action for `undo`.
  ///
  /// - Parameters:
  ///   - isAdded: nil removes them where all are in Later.
  ///   - due: when they come back to Later; nil for at once.
  package func setLater(
    _ articles: [ArticleID], _ isAdded: Bool?, until due: Date?, now: Date
  ) throws -> Later.Change {
    let known = try view.tags.laterTags(on: articles)
    let isAdded = isAdded ?? (known.articles.count < Set(articles).count)
    let wanted = isAdded ? due.map(Later.dueTag) : nil
    var wishes = try view.tags.dueTags(on: articles).filter { $0 != wanted }
      .map { ($0, false, articles) }
    if isAdded {
      let others = articles.filter { !known.articles.contains($0) }
      wishes +=
        [(Later.tag, true, others)] + [wanted].compactMap(\.self).map { ($0, true, articles) }
    } else {
      wishes += known.names.map { ($0, false, articles) }
    }
    let (changed, atServers) = try tag(wishes, isSet: isAdded, now: now)
    try edit.tags.removeUnusedDueTags()
    return Later.Change(isAdded: isAdded, articles: changed, atServers: atServers)
  }

  /// Sets and removes tags, as one action for `undo`.
  ///
  /// - Parameter isSet: for the journal; nil where that is told by the tags.
  /// - Returns: the changed articles, and how many of them go to the reading lists of servers.
  private func tag(
    _ wishes: [(String, Bool, [ArticleID])], isSet: Bool? = nil, now: Date
  ) throws -> (articles: [ArticleID], atServers: Int) {
    var changes: [ChangedTag] = []
    var atServers = 0
    for (name, isSet, articles) in wishes {
      let changed = try edit.tags.setReporting(named: name, isSet, on: articles, now: now)
      guard !changed.isEmpty else { continue }
      changes.append(ChangedTag(name: name, isSet: isSet, articles: changed.map(\.rawValue)))
      guard Later.isTag(name) else { continue }
      if isSet {
        atServers += try changed.count { try edit.outbox.saveForLater($0, now: now) }
      } else {
        try edit.outbox.dropForLater(changed)
      }
    }
    let changed = Set(changes.flatMap(\.articles)).sorted().map { ArticleID($0) }
    guard let first = changes.first else { return ([], 0) }
    let isOne = changes.count == 1 && !Later.isDueTag(first.name)
    try edit.journal.note(
      .tag, isSet: isSet ?? changes.contains(where: \.isSet), count: changed.count,
      article: changed.count == 1 ? changed[0] : nil,
      isOne ? .articles(first.articles, tag: first.name) : .tags(changes), now: now)
    return (changed, atServers)
  }

  /// Deletes articles; `undo` restores them for thirty days. Returns those that are gone, without
  /// those of synced accounts.
  package func delete(_ articles: [ArticleID], now: Date) throws -> [ArticleID] {
    let action = try edit.journal.note(
      .deleteArticles, count: articles.count, article: articles.count == 1 ? articles[0] : nil,
      now: now)
    let gone = try edit.removals.archive(articles, by: action, now: now)
    guard !gone.isEmpty else {
      try db.run("DELETE FROM userAction WHERE id = ?", [action])
      return []
    }
    try db.run(
      "UPDATE userAction SET count = ?, detail = ? WHERE id = ?",
      [gone.count, ActionDetail.articles(gone.map(\.rawValue)).text, action])
    return gone
  }

  /// Ends a subscription; `undo` restores it for thirty days.
  ///
  /// - Parameter isTold: whether its server is told.
  package func remove(_ feed: FeedID, isTold: Bool, now: Date) throws {
    guard let known = try view.feeds.feed(feed) else { return }
    let action = try edit.journal.note(
      .removeFeed, feed: feed, subject: known.displayTitle, .feed(isTold: isTold), now: now)
    _ = try edit.removals.archive(feed, by: action, isTold: isTold, now: now)
  }

  /// Ends several subscriptions as one action. Returns how many there were.
  ///
  /// - Parameter told: the feeds whose server is told.
  @discardableResult
  package func remove(_ feeds: [FeedID], told: Set<FeedID>, now: Date) throws -> Int {
    let known = try feeds.filter(view.feeds.contains)
    guard known.count > 1 else {
      for feed in known { try remove(feed, isTold: told.contains(feed), now: now) }
      return known.count
    }
    let changed = known.map { ChangedFeed(feed: $0.rawValue, isTold: told.contains($0)) }
    let action = try edit.journal.note(.removeFeed, count: known.count, .feeds(changed), now: now)
    for feed in known {
      _ = try edit.removals.archive(feed, by: action, isTold: told.contains(feed), now: now)
    }
    return known.count
  }

  /// Notes a new subscription, so that `undo` removes it.
  package func noteAdded(_ feed: FeedID, isTold: Bool, now: Date) throws {
    try edit.journal.note(
      .addFeed, feed: feed, subject: view.feeds.feed(feed)?.displayTitle, .feed(isTold: isTold),
      now: now)
  }

  /// Notes new feeds of the local account, so that one `undo` removes them.
  package func noteAdded(_ feeds: [FeedID], now: Date) throws {
    guard feeds.count > 1 else {
      for feed in feeds { try noteAdded(feed, isTold: false, now: now) }
      return
    }
    let added = feeds.map { ChangedFeed(feed: $0.rawValue, isTold: false) }
    try edit.journal.note(.addFeed, count: feeds.count, .feeds(added), now: now)
  }

  /// Renames a feed, as an action for `undo`.
  ///
  /// - Parameter title: nil for that of the feed itself.
  package func rename(_ feed: FeedID, to title: String?, isTold: Bool, now: Date) throws {
    guard let known = try view.feeds.feed(feed) else { return }
    let former = isTold ? known.displayTitle : try ownTitle(of: feed)
    try edit.journal.note(
      .renameFeed, feed: feed, subject: known.displayTitle,
      .name(former: former, title, isTold: isTold), now: now)
    try setName(title, of: feed, isTold: isTold, now: now)
  }

  package func file(_ feed: FeedID, into folders: [String], isTold: Bool, now: Date) throws {
    guard let known = try view.feeds.feed(feed) else { return }
    try edit.journal.note(
      .fileFeed, feed: feed, subject: known.displayTitle,
      .folders(former: known.folders, folders, isTold: isTold), now: now)
    try setPlaces(folders, of: feed, isTold: isTold, now: now)
  }

  /// Puts several feeds into folders as one action. Returns how many have changed.
  ///
  /// - Parameters:
  ///   - places: the folders of each feed; several where its account takes several.
  ///   - told: the feeds whose server is told.
  @discardableResult
  package func file(
    _ places: [(feed: FeedID, folders: [String])], told: Set<FeedID>, now: Date
  ) throws -> Int {
    let filed = try places.compactMap { place -> FiledFeed? in
      guard let feed = try view.feeds.feed(place.feed), feed.folders != place.folders else {
        return nil
      }
      return FiledFeed(
        feed: place.feed.rawValue, former: feed.folders, folders: place.folders,
        isTold: told.contains(place.feed))
    }
    guard filed.count > 1 else {
      for one in filed {
        let id = FeedID(one.feed)
        try file(id, into: one.folders, isTold: told.contains(id), now: now)
      }
      return filed.count
    }
    let said = places.map(\.folders).max { $0.count < $1.count }
    try edit.journal.note(.fileFeed, count: filed.count, .filed(filed, folders: said), now: now)
    return try file(filed, isUndoing: false, isTold: false, now: now)
  }

  /// Changes settings of several feeds as one action. Returns how many have changed.
  ///
  /// - Throws: errors of `change`; nothing changes then.
  @discardableResult
  package func set(
    _ feeds: [FeedID], now: Date, _ change: (inout FeedSettings) throws -> Void
  ) throws -> Int {
    let changed = try feeds.compactMap { id -> ChangedFeed? in
      guard let feed = try view.feeds.feed(id) else { return nil }
      var settings = feed.settings
      try change(&settings)
      guard settings != feed.settings else { return nil }
      return ChangedFeed(feed: id.rawValue, formerSettings: feed.settings, settings: settings)
    }
    guard changed.count > 1 else {
      for one in changed { try set(one.settings ?? FeedSettings(), of: FeedID(one.feed), now: now) }
      return changed.count
    }
    var wanted = FeedSettings()
    try change(&wanted)
    try edit.journal.note(
      .setFeed, count: changed.count, .settingsOfFeeds(changed, wanted), now: now)
    for one in changed {
      try edit.feeds.setSettings(one.settings ?? FeedSettings(), of: FeedID(one.feed))
    }
    return changed.count
  }

  package func set(_ settings: FeedSettings, of feed: FeedID, now: Date) throws {
    guard let known = try view.feeds.feed(feed), known.settings != settings else { return }
    try edit.journal.note(
      .setFeed, feed: feed, subject: known.displayTitle,
      .settings(former: known.settings, settings), now: now)
    try edit.feeds.setSettings(settings, of: feed)
  }

  /// Sets the proxy of a feed without its password, as an action for `undo`.
  ///
  /// - Parameter proxy: nil for that of the settings.
  package func set(_ proxy: FeedProxy?, of feed: FeedID, now: Date) throws {
    guard let known = try view.feeds.feed(feed), known.proxy != proxy else { return }
    try edit.journal.note(
      .setProxy, feed: feed, subject: known.displayTitle,
      .proxy(former: known.proxy?.text, proxy?.text), now: now)
    try edit.feeds.setProxy(proxy, of: feed)
  }

  /// Notes a change of a feed's address or recipe, as an action for `undo`.
  package func noteWay(insteadOfThatOf former: Feed, now: Date) throws {
    guard let known = try view.feeds.feed(former.id), FeedWay(former) != FeedWay(known) else {
      return
    }
    try edit.journal.note(
      .setRecipe, feed: known.id, subject: known.displayTitle,
      .way(former: FeedWay(former), FeedWay(known)), now: now)
  }

  package func makeRule(
    _ query: ArticleQuery, _ action: RuleAction, until: Date?, now: Date
  ) throws -> RuleID {
    let id = try edit.rules.add(query, action, until: until, now: now)
    try edit.journal.note(.addRule, .rules(edit.rules.stored([id])), now: now)
    return id
  }

  /// Ends rules, as an action for `undo`. Hidden articles come when their feed lists them again.
  package func endRules(_ ids: [RuleID], now: Date) throws {
    let rules = try edit.rules.stored(ids)
    guard !rules.isEmpty else { return }
    for id in ids { _ = try edit.rules.remove(id) }
    try edit.journal.note(.removeRule, count: rules.count, .rules(rules), now: now)
  }

  /// Moves the feeds of a folder, and of those inside it, as one action. Returns how many have
  /// moved.
  ///
  /// - Parameters:
  ///   - path: of the folder from now on; its parent, or an empty one, removes the folder.
  ///   - isTold: whether a server is told.
  @discardableResult
  package func move(
    _ folder: FolderID, to path: String, isTold: Bool, now: Date
  ) throws -> Int {
    let filed = try view.feeds.all().compactMap { feed -> FiledFeed? in
      let folders = feed.folders(moving: folder, to: path)
      return folders == feed.folders
        ? nil : FiledFeed(feed: feed.id.rawValue, former: feed.folders, folders: folders)
    }
    var moved = MovedFolder(formerPath: folder.path, path: path, isTold: isTold, filed: filed)
    if folder.account == .local {
      let rows = try edit.outlines.rows(in: folder.path)
      let change = rows.moving(
        folder, to: path, isRemoval: moved.isRemoval, among: try edit.outlines.rows())
      (moved.formerRows, moved.rows) = (change.former, change.rows)
      try edit.outlines.replace(change.former, by: change.rows)
    }
    guard !filed.isEmpty || moved.formerRows?.isEmpty == false else { return 0 }
    try edit.journal.note(
      .moveFolder, count: filed.count, subject: folder.path, .folder(moved), now: now)
    return try file(filed, isUndoing: false, isTold: isTold, now: now)
  }

  /// - Returns: how many feeds have changed.
  fileprivate func file(
    _ feeds: [FiledFeed], isUndoing: Bool, isTold: Bool, now: Date
  ) throws -> Int {
    var count = 0
    for filed in feeds {
      let (from, to) = isUndoing ? (filed.folders, filed.former) : (filed.former, filed.folders)
      let id = FeedID(filed.feed)
      // One that has been put elsewhere since stays there.
      guard let feed = try view.feeds.feed(id), Set(feed.folders) == Set(from) else { continue }
      try setPlaces(to, of: id, isTold: filed.isTold ?? isTold, now: now)
      count += 1
    }
    return count
  }

  /// Adds a folder of the local account that stays without feeds. Returns false where there is one.
  package func addFolder(_ path: String, now: Date) throws -> Bool {
    let former = try edit.outlines.rows().filter { $0.folder == path }
    guard !path.isEmpty, former.first?.isKept != true else { return false }
    var row = former.first ?? OutlineRow(folder: path)
    row.isKept = true
    try edit.outlines.replace(former, by: [row])
    try edit.journal.note(.addFolder, subject: path, .rows(former: former, [row]), now: now)
    return true
  }

  /// - Returns: false where something is noted about a folder of that path already.
  fileprivate func moveOutline(_ former: String, to path: String) throws -> Bool {
    try db.run(
      "UPDATE OR IGNORE folderOutline SET folder = ? WHERE account = ? AND folder = ?",
      [path, AccountID.local, former])
    return db.changesCount > 0
  }

  private func ownTitle(of feed: FeedID) throws -> String? {
    try db.value("SELECT ownTitle FROM feed WHERE id = ?", [feed])
  }

  fileprivate func setName(_ title: String?, of feed: FeedID, isTold: Bool, now: Date) throws {
    if isTold, let title { return try edit.subscriptions.queueTitle(title, of: feed, now: now) }
    try db.run("UPDATE feed SET ownTitle = ? WHERE id = ?", [title, feed])
  }

  fileprivate func setPlaces(_ folders: [String], of feed: FeedID, isTold: Bool, now: Date) throws {
    if isTold {
      try edit.subscriptions.queueFolders(folders, of: feed, now: now)
    } else {
      try edit.subscriptions.setFolders(folders, of: feed)
    }
  }
}

// MARK: - Taking back and doing again

extension JournalEdit {
  /// Undoes the last action. Marks that have changed since stay, and earlier actions are undone
  /// instead. Servers are told of the reverse.
  ///
  /// - Returns: the action with the number of changed articles, or with a `refusal`; nil without
  ///   one.
  @discardableResult
  package func undo(now: Date) throws -> JournalEntry? {
    try step(Self.isNextToUndo, isUndoing: true, now: now) { _ in true }
  }

  /// Undoes the last action, with consent to end a subscription.
  ///
  /// - Parameter agreed: the action that the user has agreed to undo; nil for none.
  package func undo(agreedTo agreed: JournalEntry.ID?, now: Date) throws -> JournalEntry? {
    try step(Self.isNextToUndo, isUndoing: true, now: now) { entry in
      let feeds = [entry.feed].compactMap(\.self) + entry.feeds
      return try entry.kind != .addFeed || entry.id == agreed
        || !feeds.contains(where: view.feeds.contains)
    }
  }

  /// Undoes the last action of a kind, among the last thousand. Returns as `undo`; nil where it was
  /// undone or changed since.
  ///
  /// - Parameter article: of the action; nil for any.
  package func undoLast(
    _ kind: UserActionKind, of article: ArticleID?, now: Date
  ) throws -> JournalEntry? {
    let wanted = try JournalRow.fetchCursor(
      db,
      sql: """
        SELECT * FROM userAction
        WHERE kind = ? AND isUndone = 0 AND NOT \(Self.isPassed("userAction"))
        ORDER BY id DESC LIMIT 1000
        """, arguments: [kind.rawValue]
    ).first { row in article.map(row.articles.contains) ?? true }
    guard let wanted else { return nil }
    return try step("id = \(wanted.id) AND isUndone = 0", isUndoing: true, now: now) { _ in true }
  }

  private static let isNextToUndo =
    "isUndone = 0 AND NOT \(isPassed("userAction")) ORDER BY id DESC"

  /// Redoes the last undone action. Returns as `undo`.
  package func redo(now: Date) throws -> JournalEntry? {
    try step("isUndone ORDER BY id", isUndoing: false, now: now) { _ in true }
  }

  private static func names(_ kinds: [UserActionKind]) -> String {
    "(\(kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }

  /// The kinds at which `undo` looks, as SQL. What a later version of the program has done is left to it.
  private static let knownKinds = names(UserActionKind.allCases)

  /// Whether others have been told of an action, as SQL.
  static func isToldOthers(_ table: String) -> String {
    "coalesce(\(table).kind, '') IN \(names(UserActionKind.allCases.filter { !$0.isUndoable }))"
  }

  /// Whether `undo` goes past an action, as SQL: what is only told of in the journal, with the value 0.
  static func isPassed(_ table: String) -> String {
    """
    (coalesce(\(table).value, 1) = 0
      AND (\(isToldOthers(table)) OR \(table).kind IS '\(UserActionKind.opened.rawValue)'))
    """
  }

  /// Lets `undo` skip actions that others were told of.
  ///
  /// - Parameter condition: of such rows, with an argument.
  private func pass(_ condition: String, _ id: Int64) throws {
    try db.run(
      """
      UPDATE userAction SET isUndone = 0, value = 0
      WHERE \(condition) AND (\(Self.isToldOthers("userAction"))
        OR kind IS '\(UserActionKind.opened.rawValue)')
      """, [id])
  }

  /// - Parameter isAllowed: whether an action is turned; otherwise it is returned with a refusal.
  private func step(
    _ condition: String, isUndoing: Bool, now: Date, isAllowed: (JournalEntry) throws -> Bool
  ) throws -> JournalEntry? {
    while let action = try JournalRow.fetchOne(
      db,
      sql: """
        SELECT * FROM userAction
        WHERE (kind IS NULL OR kind IN \(Self.knownKinds)) AND \(condition) LIMIT 1
        """)
    {
      if var entry = action.entry {
        if !entry.kind.isUndoable {
          try pass("id = ?", action.id)
          entry.refusal = .cannotBeTakenBack
          return entry
        }
        if try !isAllowed(entry) {
          entry.refusal = .needsConsent
          return entry
        }
      }
      var told = 0
      let count =
        action.entry == nil ? 0 : try perform(action, isUndoing: isUndoing, now: now, told: &told)
      guard count > 0, var entry = action.entry else {
        // It is no longer as it was done.
        if action.entry?.kind == .opened {
          try pass("id = ?", action.id)
        } else {
          try db.run("DELETE FROM userAction WHERE id = ?", [action.id])
        }
        continue
      }
      try db.run("UPDATE userAction SET isUndone = ? WHERE id = ?", [isUndoing, action.id])
      // Articles that were opened meanwhile are not the last action.
      if !isUndoing { try pass("id > ? AND isUndone = 0", action.id) }
      // A folder may have moved without any feed; what was opened is one article.
      if entry.count > 0, entry.kind != .opened { entry.count = count }
      if case .proxy(let former, let proxy) = action.detail {
        noteProxy(isUndoing ? proxy : former, isUndoing ? former : proxy, &entry)
      }
      if told > 0 {
        entry.remark =
          "\(count == 1 ? "its server was" : "servers were") told already, and articles come back as "
          + "\(count == 1 ? "it brings" : "they bring") them"
      }
      return entry
    }
    return nil
  }

  /// Undoes or redoes an action. Returns how many articles or feeds have changed.
  ///
  /// - Parameter told: set to the number of restored feeds whose servers were told of the removal.
  private func perform(
    _ action: JournalRow, isUndoing: Bool, now: Date, told: inout Int
  ) throws -> Int {
    guard let entry = action.entry else { return 0 }
    let isSet = entry.isSet != isUndoing
    switch (entry.kind, action.detail) {
    case (.comment, _), (.changeComment, _): return 0
    case (.readAll, _): return try edit.marks.turnBatch(action.id, isRead: !isUndoing, now: now)
    case (.opened, _), (.read, _), (.starred, _):
      let mark = Mark(entry.kind == .starred ? .starred : .read, isSet)
      // Articles that were marked otherwise since stay as they are.
      let articles = try action.articles.filter { try edit.marks.isMarked($0, mark.kind) == !isSet }
      try edit.marks.set(mark, of: articles, now: now)
      return articles.count
    case (.tag, .articles(_, let tag)):
      return try edit.tags.set(named: tag ?? "", isSet, on: action.articles, now: now)
    case (_, .articles):
      if isUndoing == (entry.kind == .deleteArticles) {
        return try edit.removals.restore(of: action.id, now: now) { _ in false }.articles
      }
      return try edit.removals.archive(action.articles, by: action.id, now: now).count
    case (_, .tags(let tags)):
      return try Set(
        tags.flatMap { tag in
          try edit.tags.setReporting(
            named: tag.name, tag.isSet != isUndoing, on: tag.articles.map { ArticleID($0) },
            now: now)
        }
      ).count
    case (_, .feeds(let feeds)):
      let kept = Set(feeds.filter { $0.isTold == true }.map { FeedID($0.feed) })
      if isUndoing == (entry.kind == .removeFeed) {
        let restored = try edit.removals.restore(of: action.id, now: now, isTold: kept.contains)
        told = restored.told
        return restored.feeds.count
      }
      return try feeds.count { one in
        let id = FeedID(one.feed)
        return try edit.removals.archive(id, by: action.id, isTold: kept.contains(id), now: now)
      }
    case (_, .filed(let filed, _)):
      return try edit.actions.file(filed, isUndoing: isUndoing, isTold: false, now: now)
    case (_, .rules(let rules)):
      guard (entry.kind == .addRule) == isUndoing else {
        return try rules.count { try edit.rules.insert($0) }
      }
      return try rules.count { try edit.rules.remove(RuleID($0.id)) }
    case (_, .smartFeed(let former, let smart)):
      let (from, to) = isUndoing ? (smart, former) : (former, smart)
      return try edit.smartFeeds.turn(from, into: to, now: now) ? 1 : 0
    case (_, .rows(let former, let rows)):
      return try turnRows(former, rows, isUndoing: isUndoing) ? 1 : 0
    case (_, .folder(let folder)):
      let isTurned = try turnRows(folder.formerRows ?? [], folder.rows ?? [], isUndoing: isUndoing)
      for former in folder.outlines ?? [] {
        let moved = folder.path + former.dropFirst(folder.formerPath.count)
        _ =
          try isUndoing
          ? edit.actions.moveOutline(moved, to: former)
          : edit.actions.moveOutline(former, to: moved)
      }
      let count = try edit.actions.file(
        folder.filed, isUndoing: isUndoing, isTold: folder.isTold, now: now)
      return count == 0 && isTurned ? 1 : count
    case (_, .settingsOfFeeds(let feeds, _)):
      return try feeds.count { one in
        try turn(isUndoing ? one.formerSettings : one.settings, of: FeedID(one.feed))
      }
    case (_, let detail?):
      guard let feed = entry.feed else { return 0 }
      return try perform(detail, of: feed, in: action, isUndoing: isUndoing, now: now, told: &told)
        ? 1 : 0
    case (_, nil): return 0
    }
  }

  /// Undoes or redoes an action with one feed. Returns whether it has changed.
  private func perform(
    _ detail: ActionDetail, of feed: FeedID, in action: JournalRow, isUndoing: Bool, now: Date,
    told: inout Int
  ) throws -> Bool {
    switch detail {
    case .feed(let isTold):
      if isUndoing == (action.entry?.kind == .addFeed) {
        return try edit.removals.archive(feed, by: action.id, isTold: isTold, now: now)
      }
      let restored = try edit.removals.restore(of: action.id, now: now) { _ in isTold }
      told = restored.told
      return !restored.feeds.isEmpty
    case .way(let former, let way): return try turn(isUndoing ? former : way, of: feed)
    case .settings(let former, let settings):
      return try turn(isUndoing ? former : settings, of: feed)
    default: break
    }
    guard try view.feeds.contains(feed) else { return false }
    switch detail {
    case .name(let former, let title, let isTold):
      try edit.actions.setName(isUndoing ? former : title, of: feed, isTold: isTold, now: now)
    case .folders(let former, let folders, let isTold):
      try edit.actions.setPlaces(isUndoing ? former : folders, of: feed, isTold: isTold, now: now)
    case .proxy(let former, let proxy):
      try edit.feeds.setProxy((isUndoing ? former : proxy).map(FeedProxy.init(text:)), of: feed)
    default: return false
    }
    return true
  }

  /// Sets the former address and recipe of a feed. Returns false where it is gone, or the address
  /// is taken.
  private func turn(_ way: FeedWay, of feed: FeedID) throws -> Bool {
    guard let known = try view.feeds.feed(feed) else { return false }
    if known.url != way.url {
      let other = try view.feeds.all(url: way.url).contains { $0.account.id == known.account.id }
      guard !other, try edit.feeds.move(feed, to: way.url, isUserEntered: way.isUserEntered) else {
        return false
      }
      try edit.feeds.forgetFetches(of: feed)
    }
    try edit.feeds.setRecipe(way.recipe.map { FeedRecipe($0) }, of: feed)
    return true
  }

  /// Says which proxy another one has replaced, and that its password does not come back.
  private func noteProxy(_ left: String?, _ now: String?, _ entry: inout JournalEntry) {
    entry.replacedProxy = left.map(FeedProxy.init(text:))
    // Its address has a user where it wants a password.
    if let now, now.contains("@"), let feed = entry.feed {
      entry.remark =
        "the password of that proxy is not kept: telex set \(feed.rawValue) --proxy ADDRESS asks for it"
    }
  }

  /// Restores rows about folders, except those that have changed since. Returns whether any was
  /// changed.
  private func turnRows(
    _ former: [OutlineRow], _ rows: [OutlineRow], isUndoing: Bool
  ) throws -> Bool {
    let (from, to) = isUndoing ? (rows, former) : (former, rows)
    let known = try edit.outlines.rows()
    let turned = Set((from + to).map(\.folder)).filter { folder in
      known.first { $0.folder == folder } == from.first { $0.folder == folder }
    }
    try edit.outlines.replace(
      from.filter { turned.contains($0.folder) }, by: to.filter { turned.contains($0.folder) })
    return !turned.isEmpty
  }

  /// - Returns: whether there is such a feed.
  private func turn(_ settings: FeedSettings?, of feed: FeedID) throws -> Bool {
    guard try view.feeds.contains(feed) else { return false }
    let settings = settings ?? FeedSettings()
    try edit.feeds.setSettings(settings.keepingOrigin(of: view.feeds.settings(of: feed)), of: feed)
    return true
  }
}

// MARK: - The journal

extension JournalView {
  package func hasOpenedArticles() throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM userAction
      WHERE kind = '\(UserActionKind.opened.rawValue)' AND articleID IS NOT NULL
      ORDER BY id DESC LIMIT 1
      """)
  }

  /// Actions of the user, the last first.
  ///
  /// - Parameters:
  ///   - limit: so many at most.
  ///   - kinds: only these; nil for all.
  package func entries(limit: Int, kinds: [UserActionKind]? = nil) throws -> [JournalEntry] {
    let wanted = kinds.map { kinds in
      let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ",")
      return "coalesce(kind, '\(UserActionKind.readAll.rawValue)') IN (\(names))"
    }
    return try JournalRow.fetchAll(
      db,
      sql: """
        SELECT * FROM userAction WHERE \(wanted ?? "1") ORDER BY id DESC LIMIT ?
        """, arguments: [limit]
    ).compactMap(\.entry)
  }
}

private struct JournalRow: FetchableRecord {
  let id: Int64
  /// Nil for an action that has none.
  private(set) var detail: ActionDetail?
  /// Nil for an action of a later version.
  private(set) var entry: JournalEntry?

  var articles: [ArticleID] {
    if case .articles(let articles?, _) = detail {
      articles.map { ArticleID($0) }
    } else {
      [entry?.article].compactMap(\.self)
    }
  }

  init(row: Row) {
    id = row["id"]
    let name: String? = row["kind"]
    guard let kind = name.map({ UserActionKind(rawValue: $0) }) ?? .readAll else { return }
    detail = ActionDetail(kind, row["detail"])
    entry = JournalEntry(
      id: id, time: Date(seconds: row["createdAt"]), kind: kind, isSet: row["value"] ?? true,
      count: row["count"], article: row["articleID"], feed: row["feedID"],
      subject: StoredText.title(row["subject"] as String?),
      detail: detail?.said.map { StoredText.line($0) }, isUndone: row["isUndone"])
    entry?.feeds = detail?.idsOfFeeds.map { FeedID($0) } ?? []
  }
}
