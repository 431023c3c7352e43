internal import News
internal import Text

/// An older page that a document from an https address names over plain http: it is asked for over
/// https, and over nothing else.
///
/// As a cursor it is a text with a space, which no address has.
struct SecuredPage: Hashable {
  private static let mark = "over-https/1 "

  /// Over https.
  let url: String

  private init(url: String) { self.url = url }

  /// Nil where the address may be asked for as it is.
  init?(_ address: String, namedAt document: String) {
    guard let url = WebAddress.secured(address, namedAt: document) else { return nil }
    self.init(url: url)
  }

  /// Nil for another kind of cursor. One that an earlier Telex has stored is the bare address, and
  /// then the feed's own address has to tell.
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
  /// Whether what failed is the server's answer over https, or that there is none, rather than the
  /// network on this side or a server that fails in passing.
  var isOfSecureServer: Bool {
    switch kind {
    case .offline, .dns, .paused, .cancelled, .address, .proxy, .secret: false
    case .timeout: stage == .connect
    case .status: !(status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? false)
    default: true
    }
  }
}
