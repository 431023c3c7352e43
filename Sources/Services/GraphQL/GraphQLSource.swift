internal import HTTP
package import News
internal import Syndication
internal import Text

/// Connection of a GraphQL server, page by page (Relay's specification of cursors; GraphQL over
/// HTTP). The feed's address is that of the server, with a fragment for each feed.
struct GraphQLSource: PageSource {
  /// Other types are accepted, since servers call JSON all kinds of things.
  private static let accept = "application/graphql-response+json, application/json;q=0.9"

  let url: String
  let recipe: GraphQLRecipe
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let place = cursor.flatMap(GraphQLCursor.init)
    if cursor != nil, place == nil {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(url),
        message: "what is stored of its older pages was read in another way",
        next: "telex set FEED --graphql FILE begins anew")
    }
    let response = try await response(to: try request(after: place))
    let movedTo = place == nil ? response.moved(url) : nil
    let digest = response.bodyDigest
    if place == nil, digest == known.bodyDigest {
      return PageAnswer(.unchanged(Validators()), movedTo: movedTo)
    }
    var page = try await read(response, at: place)
    if place == nil {
      page.bodyDigest = digest
      page.description?.minutesToLive = response.minutesFresh
    } else {
      page.description = nil
    }
    return PageAnswer(.page(page), movedTo: movedTo)
  }

  private func response(to request: HTTPRequest) async throws -> HTTPResponse {
    do { return try await fetcher.response(to: request) } catch var error as SourceError {
      // GraphQL over HTTP answers so where the query does not fit the schema.
      if error.status == 400 || error.status == 422 {
        error.next = "check the query and its variables"
      } else if error.status == 401 || error.status == 403 {
        error.next = "give a token: telex set FEED --bearer, or telex add with it"
      }
      throw error
    }
  }

  func request(after place: GraphQLCursor?) throws -> HTTPRequest {
    var variables = recipe.variables
    if let size = recipe.sizeVariable { variables[size] = .integer(Int64(recipe.pageSize)) }
    if let place, let cursor = recipe.cursorVariable {
      variables[cursor] = .string(place.endCursor)
    }
    let body: HTTPBody
    do {
      body = try .json(
        Request(query: recipe.query, operationName: recipe.operation, variables: variables))
    } catch {
      // The recipe has a number that JSON lacks.
      throw SourceError(
        .decoding, stage: .config, subject: WebAddress.redacted(url),
        message: "the variables of the recipe cannot be written as JSON",
        next: "correct the recipe: telex set FEED --graphql FILE")
    }
    var request = HTTPRequest(
      .post, url, headers: ["Accept": Self.accept, "Content-Type": body.contentType],
      body: body.bytes, limits: fetcher.limits, connections: connections)
    request.isQuery = true
    request.isPolled = true
    return request
  }

  private struct Request: Encodable {
    let query: String
    let operationName: String?
    let variables: [String: GraphQLValue]
  }

  /// Off the caller's actor: a large answer takes long.
  @concurrent
  func read(_ response: HTTPResponse, at place: GraphQLCursor?) async throws -> Page {
    let answer = try GraphQLReader.read(response.body, by: recipe.mapping, url: response.head.url)
    var page = Page(answer.feed)
    page.nextCursor = nil
    page.remark = answer.errors.first.map { first in
      answer.errors.count > 1 ? "\(first) There are more errors." : first
    }
    page.warnings = answer.errors.map { "The server tells an error: \($0)" } + page.warnings
    let entries = StableDigest(of: page.entries).value
    if let place, place.entries == entries, !page.entries.isEmpty {
      page.warnings.append("The server sends the same page again: it has no older ones.")
      page.beginsToRepeat = true
      return page
    }
    guard recipe.cursorVariable != nil, let next = answer.nextCursor else { return page }
    do {
      page.nextCursor = try GraphQLCursor(next, after: place, entries: entries).cursor
    } catch .circle {
      page.beginsToRepeat = true
      page.warnings.append(
        "The server names a cursor again that it has named before: its pages form a circle.")
    } catch .tooMany {
      page.warnings.append(
        "The connection has more than \(GraphQLCursor.mostPages) pages; older ones are not asked for."
      )
    }
    return page
  }

}

// MARK: - Subscribing

extension Sources {
  /// The connection at an address with its newest page, fetched as a refresh will fetch it.
  ///
  /// - Parameters:
  ///   - address: that of the server as a user types it. A name and password in it are used for
  ///     requests to its origin, and are not part of the returned address.
  ///   - name: the fragment of the feed's address, where the typed one has none.
  ///   - known: the subscription at that address, with its secret and proxy; nil for a new one.
  ///   - secret: a token or key with its header, instead of that of `known`.
  /// - Throws: `SourceError` or `CancellationError`.
  package func connection(
    at address: String, name: String, recipe: GraphQLRecipe, known: Feed? = nil,
    secret: (text: String, header: String)? = nil
  ) async throws -> LocatedFeed {
    let typed = try WebAddress.entered(address)
    let url = Self.address(WebAddress.withoutUser(typed), named: name)
    let (fetcher, user) = try fetcher(for: known, at: url, typed, secret)
    fetcher.client.gate.reopen([url])
    let source = GraphQLSource(
      url: url, recipe: recipe, fetcher: fetcher,
      connections: connections(to: url, isUserEntered: true))
    let answer = try await source.page(after: nil, known: KnownPage())
    guard case .page(let page) = answer.body else {
      throw SourceError(
        .decoding, stage: .fetch, subject: WebAddress.redacted(url), message: "no page came")
    }
    var located = LocatedFeed(url: answer.movedTo ?? url, page: page, isUserEntered: true)
    located.recipe = recipe.stored
    located.user = user
    located.secretHeader = secret?.header
    return located
  }

  /// A fetcher for a subscription that the user adds or changes, with the name and password in the
  /// typed address, or a secret instead.
  func fetcher(
    for known: Feed?, at url: String, _ typed: String, _ secret: (text: String, header: String)?
  ) throws -> (Fetcher, AddressUser?) {
    var user = WebAddress.user(in: typed)
    if let secret {
      user = AddressUser(
        origin: try SignIns.origin(of: url), user: user?.user ?? "", secret: secret.text)
    }
    var fetcher = known.map(fetcher(for:)) ?? fetcher
    if let user { fetcher.signature = .typed(user, header: secret?.header) }
    if known == nil, let signIns { fetcher.sign(as: .account(.local), by: signIns) }
    return (fetcher, user)
  }

  /// The address of a feed: that of the server with a fragment, which is never sent.
  ///
  /// - Parameter name: the fragment, where the address has none.
  package static func address(_ server: String, named name: String) -> String {
    guard !server.contains("#") else { return server }
    let legal = name.unicodeScalars.map { scalar -> Character in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~": Character(scalar)
      default: "-"
      }
    }
    return server + "#" + (legal.isEmpty ? "graphql" : String(legal.prefix(80)))
  }
}
