internal import Foundation
internal import HTTP
package import News
internal import Syndication
internal import Text

/// Feed whose document is obtained by a `DocumentRecipe`. It has no older pages: those that the
/// document names are not converted.
struct RecipeFeed: PageSource {
  let url: String
  let recipe: DocumentRecipe
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  /// `Accept` for pages.
  private static let pages = "text/html, application/xhtml+xml, application/json;q=0.9, */*;q=0.8"

  /// Unread document.
  private struct Document {
    var bytes: [UInt8]
    var contentType: String?
    /// The base of relative addresses; nil for a document from no web address.
    var base: String?
    var validators = Validators()
    var movedTo: String?

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ response: HTTPResponse) {
      bytes = response.body
      contentType = response.head.headers["Content-Type"]
      base = response.head.url
      validators = response.validators
    }
  }

  /// Applies the recipe to an answer from the feed's address; an empty page where the watched part
  /// has not changed.
  func page(of response: HTTPResponse) async throws -> Page {
    var document = Document(response)
    try await filter(&document)
    return try await read(document) ?? Page()
  }

  private func filter(_ document: inout Document) async throws {
    guard let filter = recipe.filter else { return }
    document.bytes = try await run(filter, reading: document.bytes)
    document.contentType = nil
  }

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    guard cursor == nil else { return PageAnswer(.page(Page())) }
    var document: Document
    if let command = recipe.command {
      document = Document(bytes: try await run(command))
    } else if url.hasPrefix("file:") {
      document = Document(bytes: try await FileFeed.read(url, limit: fetcher.limit))
    } else {
      let response = try await fetcher.document(
        at: url, accept: recipe.reading == nil ? WebFeed.accept : Self.pages, known: known,
        connections: connections)
      document = Document(response)
      document.movedTo = response.moved(url)
      if let validators = response.unchanged(since: known) {
        return PageAnswer(.unchanged(validators), movedTo: document.movedTo)
      }
    }
    let digest = StableDigest(of: document.bytes).stored
    if digest == known.bodyDigest {
      return PageAnswer(.unchanged(document.validators), movedTo: document.movedTo)
    }
    try await filter(&document)
    guard var page = try await read(document) else {
      return PageAnswer(.unchanged(document.validators), movedTo: document.movedTo)
    }
    page.nextCursor = nil
    page.validators = document.validators
    if !page.isCut { page.bodyDigest = digest }
    return PageAnswer(.page(page), movedTo: document.movedTo)
  }

  private func run(_ words: [String], reading input: [UInt8] = []) async throws -> [UInt8] {
    var time = Duration.seconds(recipe.seconds ?? DocumentRecipe.usualSeconds)
    if let deadline = fetcher.deadline { time = min(time, deadline - .now) }
    return try await ProgramRun(
      words, input: input, time: max(time, .zero), mostBytes: fetcher.limit
    ).output()
  }

  /// Off the caller's actor: a large document takes long.
  ///
  /// - Returns: nil where the watched part has not changed.
  @concurrent
  private func read(_ document: Document) async throws -> Page? {
    let feed: ParsedFeed
    do {
      switch recipe.reading {
      case nil:
        feed = try FeedParser.parse(
          document.bytes, contentType: document.contentType, baseURL: document.base)
      case .page(let mapping):
        feed = try PageFeedReader.read(
          document.bytes, by: mapping, contentType: document.contentType, url: document.base)
      case .json(let mapping):
        feed = try GraphQLReader.read(document.bytes, by: mapping, url: document.base)
      case .watch(let watch):
        let now = Date.now
        guard
          let look = try watch.look(
            at: document.bytes, contentType: document.contentType, url: document.base, now: now,
            date: now.formatted(Self.day))
        else { return nil }
        var page = Page(look.feed)
        var recipe = recipe
        recipe.reading = .watch(look.watch)
        page.recipe = recipe.stored
        return page
      }
      var page = Page(feed)
      page.isCut = feed.isCut
      return page
    } catch { throw error.about(url) }
  }

  /// As in `2026-03-09 08:05`, in the zone of the user.
  private static let day = Date.VerbatimFormatStyle(
    format:
      "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
    timeZone: .current, calendar: Calendar(identifier: .gregorian))

}

// MARK: - Subscribing

extension Sources {
  /// The feed of a recipe with its newest page, obtained as a refresh will do it.
  ///
  /// - Parameters:
  ///   - address: of the document as a user types it, with a fragment for each of its feeds; of a
  ///     file with the scheme `file`. Not used where the recipe has a program.
  ///   - known: the subscription at that address, with its secret and proxy; nil for a new one.
  ///   - secret: a token or key with its header, instead of that of `known`.
  /// - Throws: `SourceError` or `CancellationError`.
  package func feed(
    at address: String, by recipe: DocumentRecipe, known: Feed? = nil,
    secret: (text: String, header: String)? = nil
  ) async throws -> LocatedFeed {
    let url = try Self.address(address, of: recipe)
    let (fetcher, user) = try fetcher(for: known, at: url, address, secret)
    if recipe.command == nil { fetcher.client.gate.reopen([url]) }
    let source = RecipeFeed(
      url: url, recipe: recipe, fetcher: fetcher,
      connections: connections(to: url, isUserEntered: known?.isUserEntered ?? true))
    let answer = try await source.page(after: nil, known: KnownPage())
    let page: Page
    switch answer.body {
    case .page(let newest): page = newest
    // The watched part has not changed.
    case .unchanged(let validators): page = Page(validators: validators)
    }
    // The target of a redirect to another server was not typed.
    let moved = answer.movedTo ?? url
    let isTyped =
      (known?.isUserEntered ?? true) && WebAddress.host(of: moved) == WebAddress.host(of: url)
    var located = LocatedFeed(url: moved, page: page, isUserEntered: isTyped)
    located.recipe = recipe.stored
    located.user = user
    located.secretHeader = secret?.header
    return located
  }

  /// The address of the feed of a recipe: for a program a readable name, else that of its document.
  ///
  /// - Parameter typed: that of the document as a user types it.
  /// - Throws: `SourceError` for an invalid address.
  package static func address(
    _ typed: String, of recipe: DocumentRecipe
  ) throws(SourceError) -> String {
    if let command = recipe.command {
      return Feed.commandScheme + WebAddress.clean(CommandWords.text(of: command))
    }
    if let file = fileAddress(typed) { return file }
    let url = WebAddress.withoutUser(try WebAddress.entered(typed))
    let fragment = typed.drop { $0 != "#" }.dropFirst()
    return fragment.isEmpty ? url : address(url, named: String(fragment))
  }
}
