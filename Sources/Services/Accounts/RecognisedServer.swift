/// Protocol of sync servers, with its name.
package enum SyncProtocol: String, Hashable, Sendable, CaseIterable {
  case feedAPI = "Feed API"
  case googleReader = "Google Reader API"
  /// Miniflux's own API.
  case miniflux = "Miniflux"
  case fever = "Fever API"
  case nextcloudNews = "Nextcloud News"
  case feedbin = "Feedbin"
  case newsBlur = "NewsBlur"
  case tinyTinyRSS = "Tiny Tiny RSS"
}

/// Server at an address, recognised without credentials.
package struct RecognisedServer: Hashable, Sendable {
  /// Protocol with the address below which it lies.
  package struct Wire: Hashable, Sendable {
    package var kind: SyncProtocol
    /// Without a slash at its end.
    package var base: String

    package init(_ kind: SyncProtocol, base: String) {
      self.kind = kind
      self.base = base
    }
  }

  /// Reason why a sign-in cannot succeed.
  package enum Trouble: Hashable, Sendable {
    /// The web server in front drops the header that signs requests.
    case losesAuthorization
    /// The administrator has not enabled the API.
    case isSwitchedOff
  }

  /// Best first; never empty.
  package var wires: [Wire]
  /// The dialect of the Google Reader API.
  package var product: GoogleReaderProduct?
  package var trouble: Trouble?

  package var name: String { product?.name ?? wires[0].kind.rawValue }
}

extension RecognisedServer {
  init(_ kind: SyncProtocol, base: String, _ product: GoogleReaderProduct? = nil) {
    self.init(wires: [Wire(kind, base: base)], product: product)
  }

  /// Services known by their host, so that nothing is probed: their API lies elsewhere than their
  /// pages. Nil for any other host.
  static func known(host: String) -> RecognisedServer? {
    let host = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    return switch host {
    case "theoldreader.com": Self(.googleReader, base: "https://theoldreader.com", .theOldReader)
    case "bazqux.com": Self(.googleReader, base: "https://www.bazqux.com", .bazQux)
    case "inoreader.com": Self(.googleReader, base: "https://www.inoreader.com", .inoreader)
    case "feedbin.com", "api.feedbin.com": Self(.feedbin, base: "https://api.feedbin.com/v2")
    case "newsblur.com": Self(.newsBlur, base: "https://www.newsblur.com")
    case "reader.miniflux.app": .miniflux(at: "https://reader.miniflux.app")
    default: nil
    }
  }

  static func freshRSS(at base: String, trouble: Trouble? = nil) -> RecognisedServer {
    RecognisedServer(
      wires: [
        Wire(.googleReader, base: base + "/api/greader.php"),
        Wire(.fever, base: base + "/api/fever.php"),
      ], product: .freshRSS, trouble: trouble)
  }

  static func miniflux(at base: String) -> RecognisedServer {
    RecognisedServer(
      wires: [
        Wire(.miniflux, base: base + "/v1"), Wire(.googleReader, base: base),
        Wire(.fever, base: base + "/fever"),
      ], product: .miniflux)
  }
}
