internal import News
internal import Reader
internal import Synchronization
internal import TelexKit

/// Runs user commands and subcommands, and finds new articles for events.
struct ProgramPerformer: EffectPerformer {
  nonisolated let context: EffectContext
  nonisolated let look: ArticleLook

  func perform(_ effect: Effect.Programs) {
    let id = effect.id
    switch effect {
    case .runVerb(let number, let words, let width):
      run(number, id) {
        let child = try place.verb(words, width: width)
        return await child.run { inbox.send(.programs(.printed(number, $0))) }
      }
    case .run(let number, let program, let subject, let width):
      run(number, id) {
        var article: Article?
        if let id = subject.article { article = try await articles.existing(id) }
        var prepared = try ArticleProgram(program, for: article, clock: look.clock, at: place)
        if subject.newCount > 0 { prepared.variables["TELEX_NEW"] = String(subject.newCount) }
        return await run(number, program, prepared, article, width: width)
      }
    case .runInTerminal(let program, let article):
      start {
        let prepared = try ArticleProgram(
          program, for: try await articles.existing(article), clock: look.clock, at: place)
        try await runInTerminal(prepared, name: program.name)
        return nil
      }
    case .findNew(let queries, let since):
      start(id) {
        let (found, lastID) = try await findNew(queries, since: since)
        return .programs(.newFound(found, lastID: lastID))
      }
    case .signal(let signal, let text): self.signal(signal, text)
    }
  }

  /// Runs a program and reports its end, cancelled or not.
  private func run(
    _ number: ProgramID, _ id: EffectID?, _ work: @escaping @Sendable () async throws -> ProgramEnd
  ) {
    scheduler.start(id) {
      let end: ProgramEnd
      do { end = try await work() } catch { end = .failed(SourceError(describing: error).line) }
      inbox.send(.programs(.ended(number, end)))
    }
  }

  /// Runs a user command for an article, and shows its output as the command says.
  private nonisolated func run(
    _ number: ProgramID, _ program: OwnProgram, _ prepared: ArticleProgram, _ article: Article?,
    width: Int
  ) async -> ProgramEnd {
    guard program.output != .page else {
      return await prepared.run { inbox.send(.programs(.printed(number, $0))) }
    }
    let printed = Mutex("")
    let end = await prepared.run { part in printed.withLock { $0 += part } }
    let text = printed.withLock { $0 }
    guard end == .exited(0) else {
      inbox.send(.programs(.printed(number, text)))
      return end
    }
    guard program.output != .none, let article else { return end }
    guard !text.allSatisfy(\.isWhitespace) else {
      return .failed("\(program.name) has printed nothing; the article's own text stays")
    }
    let other = OtherText(by: program.name, text, isHTML: program.output == .articleHTML)
    inbox.send(.article(.arrived(await look.page(of: article, width: width, with: other))))
    return end
  }

  private func runInTerminal(_ prepared: ArticleProgram, name: String) throws {
    let end = try context.program.lendTerminal { try prepared.runInTerminal(stop: $0) }
    guard let failure = end.failure else { return }
    let message = if case .failed = end { failure } else { "it \(failure)" }
    throw SourceError(.program, stage: .config, subject: name, message: message)
  }

  /// The unread articles of each query with a higher id, without those of new feeds.
  private nonisolated func findNew(
    _ queries: [ArticleQuery?], since: Int64
  ) async throws -> (articles: [NewArticles], lastID: Int64) {
    var (found, lastID): ([NewArticles], Int64) = ([], since)
    for (rule, wanted) in queries.enumerated() {
      let query = TimelineQuery(
        wanted.map { .matching($0, in: .all) } ?? .all, unreadOnly: true, mergesDuplicates: true,
        olderCount: 1, arrivedAfter: since)
      var arrivals: Arrivals?
      for try await snapshot in snapshots.timeline(query) {
        arrivals = snapshot.arrivals
        break
      }
      guard let arrivals else { continue }
      lastID = max(lastID, arrivals.lastID)
      let news = arrivals.articles.filter { !$0.isFromNewFeed }.map(\.position)
      guard let newest = news.max(), let article = try await articles.find(ArticleID(newest.id))
      else { continue }
      found.append(
        NewArticles(
          rule: rule, count: news.count, article: article.id, title: article.shownTitle,
          feed: article.feedTitle))
    }
    return (found, lastID)
  }

  private func signal(_ signal: NewArticleRule.Signal, _ text: String) {
    guard signal == .notifySend else { return context.program.signal(signal, text) }
    do {
      try Spawn.run(["notify-send", "--app-name=Telex", "--", "Telex", text], detached: true)
    } catch {
      let message = (error as? Spawn.Failure)?.message ?? ""
      inbox.send(
        .failed(SourceError(.program, stage: .config, subject: "notify-send", message: message)))
    }
  }
}
