package import News

/// Names of the schemes in settings and commands.
extension SignIn.Scheme {
  /// Basic for any unknown name.
  ///
  /// - Parameters:
  ///   - base: of the Feed API.
  ///   - header: of a key; nil for the default.
  package init(named name: String, base: String, header: String?) {
    self =
      switch name {
      case "feed-api": .bearer(base: base)
      case "api-key": .apiKey(header: header ?? "X-API-Key")
      default: .basic
      }
  }

  package var name: String {
    switch self {
    case .bearer: "feed-api"
    case .basic: "basic"
    case .apiKey: "api-key"
    case .syncServer(let service, _): service.dialect ?? service.kind.rawValue
    case .folder: "folder"
    }
  }

  package var summary: String {
    switch self {
    case .bearer: "tokens of the Feed API"
    case .basic: "name and password"
    case .apiKey(let header): "a key in \(header)"
    case .syncServer: "name and password of a sync server"
    case .folder: "a folder, which takes no password"
    }
  }

  /// Whether it is a folder of this device rather than a server.
  package var isOfFolder: Bool { if case .folder = self { true } else { false } }

  /// Part of a sign-in that is stored in the vault.
  package enum Secret: Hashable, Sendable {
    /// A pair of tokens, which changes.
    case tokens
    case password
    case key
  }

  package var secret: Secret {
    switch self {
    case .bearer: .tokens
    // A folder has no secret.
    case .basic, .syncServer, .folder: .password
    case .apiKey: .key
    }
  }
}
