internal import HTTP
internal import News
internal import Text

/// Feeds that are fetched from their own addresses: documents on the web and files.
struct LocalAccount: AccountSource {
  let sources: Sources

  var service: AccountService { .local }

  func pages(of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void) -> any PageSource {
    let document = document(of: feed, report: report)
    guard let document = document as? WebFeed else { return document }
    // A local feed in the format of the Feed API is from before accounts: the next fetch assigns it
    // to an account at that service.
    return feed.format.map { $0 == .api } ?? true
      ? UnknownFeed(document: document) : document
  }

  /// The source at a feed's own address: a web document, a file, a GraphQL connection, a recipe, or
  /// another protocol than HTTP.
  func document(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    var fetcher = sources.fetcher(for: feed)
    fetcher.report = report
    let connections = sources.connections(of: feed)
    if let recipe = feed.recipe.flatMap(DocumentRecipe.init) {
      return RecipeFeed(url: feed.url, recipe: recipe, fetcher: fetcher, connections: connections)
    }
    if feed.isCommand { return FailingPages(error: .unreadableRecipe(of: feed)) }
    if feed.isSaved { return SavedPages() }
    if feed.url.hasPrefix("file:") { return FileFeed(url: feed.url, limit: fetcher.limit) }
    if let wire = sources.wirePages(of: feed.url, by: fetcher) { return wire }
    if let recipe = feed.recipe.flatMap(GraphQLRecipe.init) {
      return GraphQLSource(
        url: feed.url, recipe: recipe, fetcher: fetcher, connections: connections)
    }
    if feed.recipe != nil || feed.format == .graphQL {
      return FailingPages(error: .unreadableRecipe(of: feed))
    }
    return WebFeed(url: feed.url, fetcher: fetcher, connections: connections)
  }
}

/// A feed whose pages cannot be fetched.
struct FailingPages: PageSource {
  let error: SourceError

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer { throw error }
}

extension SourceError {
  /// The error about a recipe that is lost with a damaged database, or written by a newer version.
  fileprivate static func unreadableRecipe(of feed: Feed) -> SourceError {
    let option =
      feed.isCommand
      ? "--command" : feed.format == .graphQL ? "--graphql FILE" : "--select or --filter"
    return SourceError(
      .decoding, stage: .config, subject: WebAddress.redacted(feed.url),
      message: "how this feed is asked for is not known here any more",
      next: "say it again: telex set FEED \(option)")
  }
}

/// Saved pages: only the user adds any.
private struct SavedPages: PageSource {
  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    PageAnswer(.unchanged(Validators()))
  }
}

/// Imported feed that was never fetched. Its first response decides whether it is a document or the
/// Feed API; from then on the stored format does.
struct UnknownFeed: PageSource {
  let document: WebFeed

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    guard cursor == nil else { return try await document.page(after: cursor, known: known) }
    let response = try await document.fetcher.document(
      at: document.url, accept: WebFeed.accept, known: known, connections: document.connections,
      takesCut: true)
    let movedTo = response.head.permanentURL
    let page = try await document.fetcher.firstPageOfAPI(
      at: movedTo ?? document.url, response, connections: document.connections)
    if let page { return PageAnswer(.page(page), movedTo: movedTo) }
    return try await document.answer(to: response, known: known)
  }
}
