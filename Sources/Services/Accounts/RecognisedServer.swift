/// Protocol of sync servers. Raw values are stored and never change their meaning.
package enum SyncProtocol: String, Hashable, Sendable, CaseIterable {
  case feedAPI
  case googleReader
  /// Miniflux's own API.
  case miniflux
  case fever
  case nextcloudNews
  case feedbin
  case newsBlur
  case tinyTinyRSS
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

  /// The name of the product; "Google Reader API" where it is unknown.
  package var name: String
  /// Best first; never empty.
  package var wires: [Wire]
  /// The dialect of the Google Reader API.
  package var product: GoogleReaderProduct?
  package var trouble: Trouble?
}

extension RecognisedServer {
  /// Services known by their host, so that nothing is probed: their API lies elsewhere than their
  /// pages. Nil for any other host.
  static func known(host: String) -> RecognisedServer? {
    let host = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    func reader(_ name: String, _ base: String, _ product: GoogleReaderProduct) -> RecognisedServer
    {
      RecognisedServer(name: name, wires: [Wire(.googleReader, base: base)], product: product)
    }
    return switch host {
    case "theoldreader.com": reader("The Old Reader", "https://theoldreader.com", .theOldReader)
    case "bazqux.com": reader("BazQux Reader", "https://www.bazqux.com", .bazQux)
    case "inoreader.com": reader("Inoreader", "https://www.inoreader.com", .inoreader)
    case "feedbin.com", "api.feedbin.com":
      RecognisedServer(name: "Feedbin", wires: [Wire(.feedbin, base: "https://api.feedbin.com/v2")])
    case "newsblur.com":
      RecognisedServer(name: "NewsBlur", wires: [Wire(.newsBlur, base: "https://www.newsblur.com")])
    case "reader.miniflux.app": .miniflux(at: "https://reader.miniflux.app")
    default: nil
    }
  }

  static func freshRSS(at base: String, trouble: Trouble? = nil) -> RecognisedServer {
    RecognisedServer(
      name: "FreshRSS",
      wires: [
        Wire(.googleReader, base: base + "/api/greader.php"),
        Wire(.fever, base: base + "/api/fever.php"),
      ], product: .freshRSS, trouble: trouble)
  }

  static func miniflux(at base: String) -> RecognisedServer {
    RecognisedServer(
      name: "Miniflux",
      wires: [
        Wire(.miniflux, base: base + "/v1"), Wire(.googleReader, base: base),
        Wire(.fever, base: base + "/fever"),
      ], product: .miniflux)
  }
}
