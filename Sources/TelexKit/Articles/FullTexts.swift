package import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Syndication
internal import Text

/// Use case: full texts of articles from their pages.
package struct FullTexts: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Pages that one refresh fetches, of one feed and of all.
  private static let (mostOfFeed, mostInAll) = (20, 100)
  /// Hosts that are asked at the same time; one request each.
  private static let hostsAtOnce = 4

  /// Shows the full text of an article from now on, and fetches it where it is not stored.
  ///
  /// - Throws: `SourceError`, where the feed's text stays; `CancellationError`.
  package func show(_ id: ArticleID) async throws -> Article {
    var article = try await find(id)
    if article.fullText != nil {
      try await composition.store.edit { try $0.fullTexts.show(true, of: id) }
      article.fullText?.isShown = true
      return article
    }
    guard let url = article.entry.url else {
      throw SourceError.argument(
        article.entry.title ?? "\(id.rawValue)", "this article has no link to a page",
        next: "its feed says all that there is")
    }
    let feedID = article.feedID
    guard let feed = try await composition.store.view({ try $0.feeds.feed(feedID) }) else {
      throw Articles.missing(id)
    }
    let rules = try SiteRules(path: composition.settings.sitesFile)
    let text = try await PageWalk(composition: composition, feed: feed, rules: rules).fetch(url)
      .get().text
    try Task.checkCancellation()
    guard
      try await composition.store.edit({
        try $0.fullTexts.keep(text, of: id, page: url, now: Date())
      })
    else {
      throw SourceError(
        .address, stage: .fetch, subject: WebAddress.host(of: url) ?? "its page",
        message: "the feed has given the article another address meanwhile", next: "ask again")
    }
    return try await find(id)
  }

  /// Shows the feed's text of an article. Its full text stays stored.
  package func showFeedText(of id: ArticleID) async throws -> Article {
    try await composition.store.edit { try $0.fullTexts.show(false, of: id) }
    return try await find(id)
  }

  private func find(_ id: ArticleID) async throws -> Article {
    guard let article = try await Articles(composition).find(id) else {
      throw Articles.missing(id)
    }
    return article
  }

  // MARK: Feeds that want it always

  /// Result of fetching the pages of feeds that are set to it.
  package struct Report: Hashable, Sendable {
    package var fetched = 0
    package var failed = 0
    /// Why nothing was fetched: the rules for sites cannot be read.
    package var problem: SourceError?
  }

  /// Fetches the pages of unread articles for feeds with that setting, newest first, up to the
  /// bound of a refresh. A failed page is tried again by later refreshes; after a failure of the
  /// network the rest is left to the next one. Cancelling the task ends it.
  func fetchWanted(of feeds: [Feed]) async -> Report {
    guard !feeds.isEmpty, !composition.settings.refresh.isLowData else { return Report() }
    let known = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
    let ids = feeds.filter(\.settings.fullText).map(\.id)
    let found = try? await composition.store.view {
      // An article in Later of a feed that is set to it is in both.
      let waiting = try $0.savedPages.waiting(limit: Self.mostOfFeed, now: Date())
      let others = Set(waiting.map(\.article))
      return try waiting
        + $0.fullTexts.wanted(of: ids, limit: Self.mostOfFeed, now: Date())
        .filter { !others.contains($0.article) }
    }
    let wanted = (found ?? []).filter { known[$0.feed] != nil }.prefix(Self.mostInAll)
    guard !wanted.isEmpty || feeds.contains(where: { $0.settings.fullText || $0.isSaved }) else {
      return Report()
    }
    let rules: SiteRules
    do { rules = try SiteRules(path: composition.settings.sitesFile) } catch {
      return Report(problem: SourceError(describing: error))
    }
    let hosts = Dictionary(grouping: wanted) { WebAddress.host(of: $0.url) ?? "" }
      .values.sorted { ($0.first?.article.rawValue ?? 0) > ($1.first?.article.rawValue ?? 0) }
    let reports = try? await hosts.parallelMap(atMost: Self.hostsAtOnce) { articles in
      await fetch(articles, of: known, by: rules)
    }
    return (reports ?? []).reduce(into: Report()) {
      $0.fetched += $1.fetched
      $0.failed += $1.failed
    }
  }

  private func fetch(
    _ wanted: [WantedFullText], of feeds: [FeedID: Feed], by rules: SiteRules
  ) async -> Report {
    var report = Report()
    for one in wanted {
      guard !Task.isCancelled, let feed = feeds[one.feed] else { return report }
      do {
        try await fetch(one, of: feed, by: rules)
        report.fetched += 1
        if feed.isSaved { try await complete(one.article) }
      } catch is CancellationError {
        return report
      } catch let error as SourceError {
        guard error.kind != .cancelled, error.kind != .store else { return report }
        report.failed += 1
        // A host that cannot be reached says nothing of its pages.
        if error.isConnectivity || error.kind == .paused { return report }
        try? await composition.store.edit {
          try $0.fullTexts.noteFailure(error, of: one.article, page: one.url, now: Date())
        }
      } catch {
        return report
      }
    }
    return report
  }

  private func fetch(_ wanted: WantedFullText, of feed: Feed, by rules: SiteRules) async throws {
    let walk = PageWalk(composition: composition, feed: feed, rules: rules, isTyped: wanted.isTyped)
    let found = try await walk.fetch(wanted.url)
    if feed.isSaved, case .nothing(let title?, _) = found {
      try await composition.store.edit {
        try $0.savedPages.rename(wanted.article, title, now: Date())
      }
    }
    let (text, excerpt) = try found.get()
    try await composition.store.edit { edit in
      if feed.isSaved {
        try edit.savedPages.keep(
          text, excerpt: excerpt, of: wanted.article, page: wanted.url, now: Date())
      } else {
        try edit.fullTexts.keep(text, of: wanted.article, page: wanted.url, now: Date())
      }
    }
  }

  // MARK: Saving pages

  /// A page that was saved.
  package struct Saved: Hashable, Sendable {
    package var article: ArticleID
    /// Why its text is not there yet; nil where it is.
    package var error: SourceError?
    /// Whether it is here with all of its pictures that there are.
    package var isWhole = false
  }

  /// Adds the page at an address to Later, as an article of *Saved*, with its text and pictures. The
  /// address is stored before anything is fetched; later refreshes fetch what fails now. The full
  /// text of an article of a feed is used where there is one.
  ///
  /// - Parameters:
  ///   - isTyped: whether the user has typed the address, so that its host may be anywhere.
  ///   - due: when it comes to Later; nil for at once.
  ///   - noteKept: called as soon as it is stored.
  /// - Throws: `SourceError` for what is no page, may not be connected to, or cannot be kept;
  ///   `CancellationError`.
  package func save(
    _ address: String, isTyped: Bool, until due: Date? = nil, noteKept: @Sendable () -> Void = {}
  ) async throws -> Saved {
    let url = WebAddress.withoutUser(try WebAddress.entered(address))
    guard WebAddress.isWeb(url) else {
      throw SourceError.argument(
        WebAddress.redacted(address), "this is not a web address", next: "nothing was saved")
    }
    let host = WebAddress.host(of: url)
    let isKnown = try await composition.store.view { view in
      try view.feeds.all().contains { $0.isUserEntered && WebAddress.host(of: $0.url) == host }
    }
    let isTrusted = isTyped || isKnown
    let (id, hasText, isNew) = try await composition.store.edit { edit in
      var page = try edit.savedPages.save(
        url, title: WebAddress.withoutScheme(url), isTyped: isTrusted, until: due, now: Date())
      if !page.hasText, let text = try edit.view.savedPages.text(ofPage: url) {
        try edit.savedPages.keep(text, excerpt: nil, of: page.article, page: url, now: Date())
        page.hasText = true
      }
      return page
    }
    noteKept()
    let feed = try await composition.store.view { view in
      try view.articles.article(id).flatMap { try view.feeds.feed($0.feedID) }
    }
    guard !hasText, let feed else {
      return Saved(article: id, isWhole: try await complete(id))
    }
    do {
      let rules = try SiteRules(path: composition.settings.sitesFile)
      try await fetch(
        WantedFullText(article: id, feed: feed.id, url: url, isTyped: isTrusted), of: feed,
        by: rules)
      return Saved(article: id, isWhole: try await complete(id))
    } catch let error as SourceError {
      if isNew, error.kind == .address, error.stage == .connect {
        // It would wait for ever.
        try await composition.store.edit { try $0.savedPages.forget(id) }
        throw error
      }
      if !error.isConnectivity, error.kind != .cancelled, error.stage != .config {
        try await composition.store.edit {
          try $0.fullTexts.noteFailure(error, of: id, page: url, now: Date())
        }
      }
      return Saved(article: id, error: error)
    }
  }

  /// Fetches the pictures of a page with its text there. A failure is repeated when it is read, or
  /// packed.
  ///
  /// - Returns: whether it has all of them.
  /// - Throws: `CancellationError`.
  @discardableResult
  private func complete(_ id: ArticleID) async throws -> Bool {
    do { return try await TripPacking(composition).complete([id]).contains(id) } catch {
      try Task.checkCancellation()
      return false
    }
  }
}

/// Walk over the pages of one article.
private struct PageWalk {
  let composition: Composition
  /// The feed whose article leads to the page.
  let feed: Feed
  let rules: SiteRules
  /// Whether the user has typed the address.
  var isTyped = false

  /// Pages of a site that are joined into one article.
  private static let mostPages = 10

  enum Found {
    /// An article, and what the page says that it is about.
    case article(FullText, excerpt: String?)
    /// A page without an article, as behind a paywall.
    case nothing(title: String?, SourceError)

    func get() throws -> (text: FullText, excerpt: String?) {
      switch self {
      case .article(let text, let excerpt): (text, excerpt)
      case .nothing(_, let error): throw error
      }
    }
  }

  /// The article of a page, with its later pages.
  func fetch(_ url: String) async throws -> Found {
    var first = try await page(1, at: url, isTyped: isTyped)
    // Once: two pages may lead to each other.
    if let target = first.article.refresh, target != url, target != first.url {
      first = try await page(
        1, at: target, isTyped: isTyped && WebAddress.isAtServer(of: url, target))
    }
    if let complaint = first.article.kind.complaint {
      return .nothing(
        title: first.article.title,
        SourceError(
          .decoding, stage: .parse, subject: WebAddress.host(of: first.url) ?? first.url,
          message: complaint,
          next: feed.isSaved
            ? "its address is kept; a browser shows the page"
            : "what the feed says of the article stays"))
    }
    var text = FullText(
      url: first.url, html: first.article.html, title: first.article.title,
      byline: first.article.byline, siteName: first.article.siteName,
      picture: first.article.picture, language: first.article.language,
      published: first.article.published, fetched: Date())
    var seen: Set = [url, first.url]
    var next = first.article.nextPage
    while let address = next, text.pages < Self.mostPages, seen.insert(address).inserted,
      WebAddress.host(of: address) == WebAddress.host(of: first.url)
    {
      // The pages so far are better than none.
      guard let page = try await laterPage(text.pages + 1, at: address),
        !text.html.holdsBytes(of: page.html)
      else { break }
      text.html += page.html
      text.pages += 1
      next = page.nextPage
    }
    return .article(text, excerpt: first.article.excerpt)
  }

  private func laterPage(_ number: Int, at url: String) async throws -> PageArticle? {
    do {
      let page = try await page(number, at: url, isTyped: isTyped)
      return page.article.length > 0 && page.article.kind != .consent ? page.article : nil
    } catch let error as SourceError where error.kind != .cancelled {
      return nil
    }
  }

  private func page(
    _ number: Int, at url: String, isTyped: Bool
  ) async throws -> (url: String, article: PageArticle) {
    let answer = try await WebPageDocument(
      composition.sources, url: url, of: feed, isTyped: isTyped
    ).fetch()
    return (answer.url, try await read(answer, number))
  }

  /// Off the caller's actor: a large page takes long.
  @concurrent
  private func read(
    _ answer: WebPageDocument.Answer, _ number: Int
  ) async throws -> PageArticle {
    try PageArticleReader.read(
      answer.bytes, contentType: answer.contentType, url: answer.url, number: number,
      rules: rules.rules(for: answer.url))
  }
}

extension String {
  /// Whether another text is a part of it, byte by byte: Knuth-Morris-Pratt, linear where
  /// `contains` is quadratic for repetitive texts.
  fileprivate func holdsBytes(of other: String) -> Bool {
    let part = Array(other.utf8)
    guard !part.isEmpty, part.count <= utf8.count else { return part.isEmpty }
    // By place: how many bytes before it are those that the part begins with.
    var borders = [0]
    borders.reserveCapacity(part.count)
    var length = 0
    for byte in part.dropFirst() {
      while length > 0, part[length] != byte { length = borders[length - 1] }
      if part[length] == byte { length += 1 }
      borders.append(length)
    }
    length = 0
    for byte in utf8 {
      while length > 0, part[length] != byte { length = borders[length - 1] }
      if part[length] == byte { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}
