package import News

/// The schemes of sign-ins as settings and verbs name them.
extension SignIn.Scheme {
  /// The scheme that the settings name; Basic for any other name.
  ///
  /// - Parameters:
  ///   - base: of the Feed API.
  ///   - header: of a key; nil for the usual one.
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

  /// In words.
  package var summary: String {
    switch self {
    case .bearer: "tokens of the Feed API"
    case .basic: "name and password"
    case .apiKey(let header): "a key in \(header)"
    case .syncServer: "name and password of a sync server"
    case .folder: "a folder, which takes no password"
    }
  }

  /// Whether it is at a folder of this machine rather than at a server.
  package var isOfFolder: Bool { if case .folder = self { true } else { false } }

  /// The part of a sign-in that is kept in the vault.
  package enum Secret: Hashable, Sendable {
    /// A pair of tokens, which changes.
    case tokens
    case password
    case key
  }

  package var secret: Secret {
    switch self {
    case .bearer: .tokens
    // Nothing is kept of a folder.
    case .basic, .syncServer, .folder: .password
    case .apiKey: .key
    }
  }
}
