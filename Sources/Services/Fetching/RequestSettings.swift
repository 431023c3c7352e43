internal import HTTP
internal import News
internal import Text

/// The user's settings for the requests for one feed.
struct RequestSettings: Sendable {
  /// In place of the program's own name, to every server.
  private let userAgent: String?
  /// In place of those that a request has otherwise.
  private let headers: [RequestHeader]
  /// The address at whose server requests carry the headers; nil for that of each request.
  private let home: String?

  /// None.
  init() { (userAgent, headers, home) = (nil, [], nil) }

  /// - Parameter home: the feed's address: what the feed leads to at other servers, such as files and older pages, is
  ///   requested without the headers. Nil where a feed is looked for at an address that the user has typed.
  init(_ settings: FeedSettings, home: String?) {
    (userAgent, headers) = (settings.userAgent, settings.headers)
    self.home = home
  }

  var hasHeaders: Bool { !headers.isEmpty }

  func apply(to request: inout HTTPRequest) {
    if let userAgent { request.headers["User-Agent"] = userAgent }
    guard home.map({ WebAddress.isAtServer(of: $0, request.url) }) ?? true else { return }
    for header in headers { request.headers[header.name] = header.value }
    request.serverHeaders += headers.map(\.name)
  }
}
