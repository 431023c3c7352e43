internal import News
internal import Services
internal import Text

/// Change of a connection to a GraphQL server: the recipe of a file, and a secret.
package struct ConnectionChange: Sendable {
  /// Nil keeps that of the subscription.
  private let recipe: GraphQLRecipe?
  /// What tells the feed from others of the same server.
  private let name: String
  private let secret: (text: String, header: String)?

  /// - Parameters:
  ///   - file: the path of a recipe; `-` for standard input; nil for that of the subscription.
  ///   - secret: a token or key with the header that carries it; in `Authorization` a bearer token.
  /// - Throws: `SourceError` of stage `.config`, with the place of the mistake.
  package init(file: String?, secret: (text: String, header: String)? = nil) throws {
    let file = try file.map(RecipeFile.init)
    recipe = try file?.recipe()
    name = file?.name ?? ""
    self.secret = secret
  }

  package var hasSecret: Bool { secret != nil }

  /// The secret, where nothing else is asked for.
  var secretAlone: (text: String, header: String)? { recipe == nil ? secret : nil }

  /// The feed with its newest page.
  ///
  /// - Parameter feeds: a subscription at the address gives its secret and its proxy.
  func located(
    at address: String, among feeds: [Feed], by sources: Sources
  ) async throws -> LocatedFeed {
    let url = Sources.address(
      WebAddress.withoutUser(try WebAddress.entered(address)), named: name)
    let known = feeds.first { $0.url == url && $0.account.id == .local }
    guard let recipe = recipe ?? known?.recipe.flatMap(GraphQLRecipe.init) else {
      throw SourceError(
        .decoding, stage: .config, subject: WebAddress.redacted(url),
        message: "how this feed is asked for is not known here", next: "give --graphql FILE")
    }
    return try await sources.connection(
      at: address, name: name, recipe: recipe, known: known, secret: secret)
  }
}
