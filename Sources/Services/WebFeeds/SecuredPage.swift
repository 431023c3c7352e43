internal import News
internal import Text

/// Cursor to an older page that an https document links to over plain http. It is requested over
/// https only. As a `Cursor` it is a text with a space, which no address contains.
struct SecuredPage: Hashable {
  private static let mark = "over-https/1 "

  /// With https.
  let url: String

  private init(url: String) { self.url = url }

  /// Nil where the address can be requested as it is.
  init?(_ address: String, namedAt document: String) {
    guard let url = WebAddress.secured(address, namedAt: document) else { return nil }
    self.init(url: url)
  }

  /// Nil for another kind of cursor. A bare address needs https where the feed has it.
  init?(_ cursor: Cursor, of feed: String) {
    if cursor.rawValue.hasPrefix(Self.mark) {
      self.init(url: String(cursor.rawValue.dropFirst(Self.mark.count)))
    } else {
      self.init(cursor.rawValue, namedAt: feed)
    }
  }

  var cursor: Cursor { Cursor(Self.mark + url) }
}

extension SourceError {
  /// Whether the server does not offer the page over https, as opposed to a failure of the network
  /// or a passing one of the server.
  var isOfSecureServer: Bool {
    switch kind {
    case .offline, .dns, .paused, .cancelled, .address, .proxy, .secret: false
    case .timeout: stage == .connect
    case .status: !(status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? false)
    default: true
    }
  }
}
