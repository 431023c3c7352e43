internal import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Syndication
internal import Text

/// Use case: following lists of feeds that others change. New feeds are subscribed and gone ones
/// removed, each undoable; feeds that the user added stay, and those that the user removed stay
/// away.
package struct ListFollowing: Sendable {
  private let composition: Composition
  private let subscriptions: Subscriptions
  private let lists: FollowedLists

  package init(_ composition: Composition) {
    self.composition = composition
    subscriptions = Subscriptions(composition)
    lists = FollowedLists(folder: composition.store.folder)
  }

  package struct Report: Sendable {
    /// An address, or the path of a file.
    package let source: String
    package internal(set) var added: [Feed] = []
    package internal(set) var removed: [Feed] = []
    /// Feeds that were subscribed, and could not be fetched.
    package internal(set) var unfetched: [(feed: Feed, error: SourceError)] = []
    /// Why the list could not be read; nothing has changed then.
    package internal(set) var error: SourceError?

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  }

  /// How old a list may be before a refresh reads it again, in seconds.
  private static let interval: Int64 = 86_400

  /// Follows a list, and applies it now.
  ///
  /// - Parameter typed: an address or the path of a file.
  /// - Throws: `SourceError` where no list can be read; nothing has changed.
  package func follow(_ typed: String) async throws -> Report {
    let report = try await update(try Self.source(typed), isAsked: true, isNew: true)
    if let error = report.error { throw error }
    return report
  }

  /// Unfollows a list; its feeds stay.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where it is not followed.
  package func unfollow(_ typed: String) async throws {
    let source = try Self.source(typed)
    guard try lists.forget(source) else {
      throw SourceError.argument(
        WebAddress.redacted(source), "this list is not followed",
        next: "telex apply --follow prints the followed lists")
    }
    try await release(source)
  }

  /// Makes the feeds of a list the user's own.
  private func release(_ source: String) async throws {
    try await composition.store.edit { edit in
      for var feed in try edit.view.feeds.all() where feed.settings.list == source {
        feed.settings.list = nil
        try edit.feeds.setSettings(feed.settings, of: feed.id)
      }
    }
  }

  /// Reads the followed lists again.
  ///
  /// - Parameter isForced: whether also those that were read within a day.
  /// - Throws: `CancellationError`; `SourceError` where the followed lists cannot be read.
  package func updateAll(isForced: Bool) async throws -> [Report] {
    let now = Int64(Date.now.timeIntervalSince1970)
    var reports: [Report] = []
    for list in try lists.all() {
      let age = list.checked.map { now - $0 }
      guard isForced || age.map({ $0 < 0 || $0 >= Self.interval }) ?? true else { continue }
      reports.append(try await update(list.source, isAsked: isForced, isNew: false))
    }
    return reports
  }

  // MARK: One list

  private static func source(_ typed: String) throws -> String {
    let isPath = ["/", ".", "~"].contains { typed.hasPrefix($0) }
    if !isPath,
      WebAddress.scheme(of: typed) != nil || !FileManager.default.fileExists(atPath: typed)
    {
      let url = try WebAddress.entered(typed)
      guard WebAddress.user(in: url) == nil else {
        throw SourceError.argument(
          WebAddress.redacted(url), "the address of a list holds no name and password",
          next: "telex login keeps them for its server")
      }
      return url
    }
    return URL(filePath: (typed as NSString).expandingTildeInPath).standardizedFileURL.path
  }

  /// - Parameters:
  ///   - isAsked: whether the user asked for it now, and looks at the result.
  ///   - isNew: whether it is followed from now on; else nothing is done where it is no longer
  ///     followed.
  private func update(_ source: String, isAsked: Bool, isNew: Bool) async throws -> Report {
    var report = Report(source: source)
    do {
      let feeds = try await read(source)
      let former = try lists.all().first { $0.source == source }
      guard former != nil || isNew else { return report }
      let keys = Set(feeds.map { SubscriptionList.key($0.url) })
      let seen = Set(former?.urls ?? [])
      try await remove(all: feeds, from: source, listed: seen, isAsked: isAsked, &report)
      try await add(
        feeds.filter { !seen.contains(SubscriptionList.key($0.url)) }, from: source, &report)
      let list = FollowedLists.List(
        source: source, checked: Int64(Date.now.timeIntervalSince1970), urls: keys.sorted())
      // Forgotten while feeds were subscribed: those are the user's own, too.
      if try !lists.keep(list, isNew: isNew) { try await release(source) }
    } catch let error as SourceError { report.error = error }
    return report
  }

  /// The feeds of a list, which is OPML or text.
  private func read(_ source: String) async throws -> [OPMLDocument.Feed] {
    let bytes =
      source.hasPrefix("/")
      ? try InputDocument.bytes(of: source)
      : try await composition.sources.list(at: source)
    func refused(_ message: String) -> SourceError {
      SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(source), message: message,
        next: "nothing has changed")
    }
    let feeds: [OPMLDocument.Feed]
    let start = bytes.first { $0 > 0x20 && $0 < 0x80 }
    if start == UInt8(ascii: "<") {
      // What is missing behind a cut would be taken for removed.
      let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).lowercased()
      guard text.contains("</opml>") || text.contains("<opml/>") else {
        throw refused("the list is cut off before its end")
      }
      do {
        feeds = try OPML.parse(bytes).feeds
      } catch {
        var error = error
        error.subject = WebAddress.redacted(source)
        throw error
      }
    } else {
      let (list, mistakes) = SubscriptionText.read(bytes)
      if let mistake = mistakes.first {
        throw refused("line \(mistake.line), column \(mistake.column): \(mistake.message)")
      }
      feeds = list.feeds.filter { $0.owner == nil && WebAddress.isWeb($0.url) }.map { feed in
        OPMLDocument.Feed(
          url: feed.url, title: feed.title, hasCustomTitle: feed.title != nil,
          categories: feed.folders.map(FolderPath.names))
      }
    }
    // As a server sends it that is being set up: no reason to remove all.
    guard !feeds.isEmpty else { throw refused("the list has no feeds") }
    return feeds
  }

  /// Feeds that may be removed at once without the user; more only while fewer than half of all.
  private static let fewRemovals = 3

  /// Removes feeds that have gone from a list.
  ///
  /// - Parameter listed: the addresses at the last reading: feeds that came back by undo since are
  ///   kept.
  private func remove(
    all feeds: [OPMLDocument.Feed], from source: String, listed: Set<String>, isAsked: Bool,
    _ report: inout Report
  ) async throws {
    let known = try subscriptions.feeds().filter { $0.settings.list == source }
    let ids = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let own = SubscriptionList(
      try subscriptions.list().feeds.filter { $0.id.map { ids[$0] != nil } ?? false })
    let wanted = SubscriptionList(
      feeds.map { SubscriptionList.Feed(url: SubscriptionList.key($0.url)) })
    let others = try lists.all().filter { $0.source != source }
    var gone: [Feed] = []
    for change in own.changes(to: wanted, removesOthers: true) where change.isRemoval {
      guard let before = change.before, let id = before.id, var feed = ids[id] else { continue }
      let keys = Set(([before.url] + before.otherURLs).map(SubscriptionList.key))
      guard !listed.isDisjoint(with: keys) else { continue }
      if let other = others.first(where: { !keys.isDisjoint(with: $0.urls) }) {
        // Another list has it still.
        feed.settings.list = other.source
        let settings = feed.settings
        try await composition.store.edit { try $0.feeds.setSettings(settings, of: id) }
        continue
      }
      gone.append(feed)
    }
    guard isAsked || gone.count <= Self.fewRemovals || gone.count * 2 < known.count else {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(source),
        message:
          "\(gone.count) of \(known.count) feeds are no longer in the list; nothing was removed",
        next: "telex apply --follow removes them, where that is meant")
    }
    for feed in gone {
      try await subscriptions.remove(feed.id)
      report.removed.append(feed)
    }
  }

  /// Subscribes to new feeds. Addresses by others lead to public hosts only.
  private func add(
    _ feeds: [OPMLDocument.Feed], from source: String, _ report: inout Report
  ) async throws {
    let present = try subscriptions.list()
    let wanted = SubscriptionList(
      feeds.map { SubscriptionList.Feed(url: SubscriptionList.key($0.url)) })
    let new = Set(
      present.changes(to: wanted, removesOthers: false).filter(\.isAddition).map(\.url))
    let before = Set(try subscriptions.feeds().map(\.id))
    _ = try await subscriptions.take(
      OPMLDocument(feeds: feeds.filter { new.contains(SubscriptionList.key($0.url)) }),
      isTrusted: source.hasPrefix("/"))
    let now = Date()
    let added = try await composition.store.edit { edit in
      let added = try edit.view.feeds.all().filter { !before.contains($0.id) }
      for var feed in added {
        feed.settings.list = source
        try edit.feeds.setSettings(feed.settings, of: feed.id)
        try edit.actions.noteAdded(feed.id, isTold: false, now: now)
      }
      return added
    }
    guard !added.isEmpty else { return }
    report.unfetched = try await FeedRefresh(composition).run(added.map(\.id)).failed
    report.added = try subscriptions.feeds().filter { feed in added.contains { $0.id == feed.id } }
  }
}
