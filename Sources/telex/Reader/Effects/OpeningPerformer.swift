internal import News
internal import Reader
internal import TelexKit

/// Opens pages and files.
@MainActor
final class OpeningPerformer: EffectPerformer {
  nonisolated let context: EffectContext
  private let browser: Browser
  /// The number of starting browsers by article, which is marked as read unless they fail.
  private var opening: [ArticleID: Int] = [:]

  init(_ context: EffectContext, _ browser: Browser) {
    self.context = context
    self.browser = browser
  }

  func perform(_ effect: Effect.Opening) {
    let copying = CopyingPerformer(context: context)
    switch effect {
    case .openLink(let url): attempt { try open(url) }
    case .openToRead(let id, let link?): attempt { try open(link, reading: id) }
    case .openToRead(let id, nil): openPage(of: id, reads: true)
    case .openArticleLink(let id, let inBackground): openPage(of: id, inBackground: inBackground)
    case .openComments(let id):
      start { [self] in
        let page = try await articles.existing(id).entry.comments?.page
        guard let page else { throw SourceError.missing("this article takes no comments") }
        return try await open(page)
      }
    case .openInBackground(let urls): attempt { try openBeside(urls) }
    case .openFile(let id, let file): start { [self] in try await openFile(file, of: id) }
    case .showAddresses(let addresses): context.program.show(addresses)
    case .copy(let text): copying.copy(text)
    case .copyArticleLink(let id):
      start { [articles] in
        let address = try await articles.existing(id).address
        await copying.copy(address)
        return nil
      }
    }
  }

  /// Marks articles as read whose browsers are starting.
  func finish() {
    for article in opening.keys {
      scheduler.change { [articles] in
        _ = try? await articles.applyByKey(.mark([article], .read(true), isUndoable: true))
      }
    }
    opening = [:]
  }

  /// Runs work at once, and sends its action or its failure.
  private func attempt(_ work: () throws -> Action) {
    do { inbox.send(try work()) } catch { inbox.send(.failed(SourceError(describing: error))) }
  }

  // MARK: Pages

  /// Opens the page of an article with the browser of its feed, if it has one.
  ///
  /// - Parameter reads: whether to mark the article as read if the browser does not fail.
  private func openPage(of id: ArticleID, inBackground: Bool = false, reads: Bool = false) {
    start { [self] in
      let article = try await articles.existing(id)
      let own = try await subscriptions.settings(of: article.feedID).browser
      let url = try article.address
      guard !inBackground else { return try await openBeside([url]) }
      return try await open(url, by: own.map(browser.running), reading: reads ? id : nil)
    }
  }

  /// - Parameter article: marked as read if the browser does not fail.
  private func open(
    _ url: String, by other: Browser? = nil, reading article: ArticleID? = nil
  ) throws -> Action {
    let (browser, moments) = ((other ?? browser).opening(url), FirstMoments())
    try context.program.open(url, with: browser) { moments.note($0) }
    if !browser.usesTerminal {
      watch(moments, of: browser, reading: article)
    } else if let article {
      inbox.send(.opening(.linkOpened(url)))
      return .opening(.openedToRead(article))
    }
    return .opening(.linkOpened(url))
  }

  /// Reports the failure of a browser in the background, else marks the article.
  private func watch(_ moments: FirstMoments, of browser: Browser, reading article: ArticleID?) {
    if let article { opening[article, default: 0] += 1 }
    start { [self] in
      var end = await moments.end(within: .seconds(1))
      if let article {
        await endOpening(of: article)
        if end.flatMap(browser.failure) == nil { inbox.send(.opening(.openedToRead(article))) }
      }
      if end == nil { end = await moments.end(within: .seconds(2)) }
      return end.flatMap(browser.failure).map(Action.failed)
    }
  }

  private func endOpening(of article: ArticleID) {
    opening[article] = opening[article].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Opens pages with a browser in the background.
  private func openBeside(_ urls: [String]) throws -> Action {
    for url in urls {
      guard let browser = browser.opening(url).beside else {
        throw SourceError(
          .program, stage: .config, subject: "",
          message: "the browser uses the terminal and cannot open pages in the background",
          next: "name another one with browser.background in the settings")
      }
      let moments = FirstMoments()
      try browser.open(url, onEnd: { moments.note($0) })
      watch(moments, of: browser, reading: nil)
    }
    return .opening(urls.count == 1 ? .linkOpened(urls[0]) : .linksOpened(urls.count))
  }

  // MARK: Files

  private nonisolated func openFile(_ file: Int?, of id: ArticleID) async throws -> Action? {
    let article = try await articles.existing(id)
    let files = try article.existingFiles()
    // Chapters and transcripts are no choice beside one media file.
    let media = files.indices.filter { files[$0].role == .media }
    guard let file = file ?? (files.count < 2 ? 0 : media.count == 1 ? media[0] : nil) else {
      return .opening(.filesFound(id, title: article.shownTitle, files, for: .open))
    }
    guard files.indices.contains(file) else { return nil }
    if files[file].role != .media {
      let option = files[file].role == .chapters ? "--chapters" : "--transcript"
      return .programs(
        .verbWanted(["queue", option, "\(id.rawValue)", "--enclosure", "\(file + 1)"]))
    }
    return try await open(files[file], of: article, at: transfers.path(of: files[file], of: id))
  }

  private func open(_ file: Enclosure, of article: Article, at path: String?) throws -> Action {
    guard let command = try place.opener.command(for: file, at: path) else {
      return try open(file.url)
    }
    var arguments = command.arguments
    if let link = PlayerLink(to: arguments) {
      arguments = link.arguments(arguments, from: article.playback[file.url])
      let (id, url) = (article.id, file.url)
      link.follow { _, playback in
        Task { @MainActor [weak self] in self?.keep(playback, of: url, in: id) }
      }
    }
    try context.program.run(arguments, usesTerminal: command.usesTerminal)
    return .opening(.fileOpened(path ?? file.url))
  }
}
