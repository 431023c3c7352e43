internal import Foundation
internal import HTTP
internal import News
internal import Text

/// Failure in an answer with a status of success.
struct SyncProblem: Error {
  /// The rest of a sentence that begins with the host.
  var message: String
  var next: String
  /// The status that the server should have sent.
  var status: Int?
}

/// Reader of JSON answers, which never takes a page for browsers for an empty list.
enum SyncAnswer {
  /// - Parameter subject: what was requested, as in "the list of feeds".
  static func json<Value: Decodable>(
    _ type: Value.Type, in response: HTTPResponse, _ subject: String
  ) throws -> Value {
    switch firstByte(of: response) {
    case _ where isJSON(response): break
    case nil:
      throw SyncProblem(message: "sent nothing instead of \(subject)", next: "try again later")
    default:
      try refusePage(response, subject)
      throw SyncProblem(
        message: "sent something else than \(subject)",
        next: "check that the address is that of the API")
    }
    do {
      return try HTTPCoding.decoder.decode(type, from: Data(response.body))
    } catch let error as DecodingError {
      if case .dataCorrupted = error {
        throw SyncProblem(message: "sent \(subject) damaged or without its end", next: "try again")
      }
      throw error
    }
  }

  /// Refuses a page for browsers.
  ///
  /// - Throws: `SyncProblem`.
  static func refusePage(_ response: HTTPResponse, _ subject: String) throws {
    guard firstByte(of: response) == UInt8(ascii: "<") else { return }
    throw SyncProblem(
      message: "sent a page for browsers instead of \(subject)",
      next: "check that the address is that of the API, or sign in again: telex login URL")
  }

  /// Refuses a success without effect: after a redirect that dropped the body, as to a sign-in, and
  /// a redirect without a target. A 307 or 308 keeps the body.
  ///
  /// - Throws: `SyncProblem`.
  static func checkTaken(_ response: HTTPResponse) throws {
    let head = response.head
    guard !head.statusClass.isError else { return }
    guard (200..<300).contains(head.status) else {
      throw notTaken("answered what it was sent by a redirect that leads nowhere (\(head.status))")
    }
    guard !head.becameGet else { throw notTaken(ledTo: head.url) }
  }

  /// Refuses a redirect without a target as an answer to a read: its body is no list.
  ///
  /// - Throws: `SyncProblem`.
  static func checkRead(_ response: HTTPResponse) throws {
    let head = response.head
    guard !head.statusClass.isError, !(200..<300).contains(head.status) else { return }
    throw SyncProblem(
      message: "answered with a redirect that leads nowhere (\(head.status))",
      next: "check that the address is that of the API")
  }

  /// Refuses a page for browsers as an answer to a write.
  ///
  /// - Throws: `SyncProblem`.
  static func checkNoPage(_ response: HTTPResponse) throws {
    guard !response.head.statusClass.isError, firstByte(of: response) == UInt8(ascii: "<") else {
      return
    }
    guard response.head.redirectCount == 0 else { throw notTaken(ledTo: response.head.url) }
    throw notTaken("answered what it was sent with a page for browsers")
  }

  private static func notTaken(ledTo url: String) -> SyncProblem {
    notTaken("did not take what it was sent, and led to \(WebAddress.redacted(url))")
  }

  private static func notTaken(_ message: String) -> SyncProblem {
    SyncProblem(
      message: message,
      next: "it is sent again; check the address of the API, or sign in again: telex login URL")
  }

  /// Whether the body begins as JSON does.
  static func isJSON(_ response: HTTPResponse) -> Bool {
    let first = firstByte(of: response)
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The first byte after white space and a byte order mark.
  static func firstByte(of response: HTTPResponse) -> UInt8? {
    response.body.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
  }

  /// A complete list of subscriptions: feeds that are missing from an incomplete one may be at the
  /// server.
  static func subscriptions(
    _ subscriptions: [Subscription], badEntries: Int, base: String
  ) throws -> [Subscription] {
    guard badEntries == 0 else {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(base),
        message: "\(badEntries) entries of the list of subscriptions could not be read",
        next: "no feed is removed here; try again later")
    }
    return subscriptions
  }

  static func warnings(_ badEntries: Int) -> [String] {
    badEntries > 0 ? ["\(badEntries) articles of an answer could not be read"] : []
  }
}

extension Subscription {
  /// A feed in the list of a sync server.
  ///
  /// - Parameter folders: their names; those that cannot be shown are left out.
  init(
    listed id: String, at url: String, _ title: String?, page: String? = nil, in folders: [String?]
  ) {
    self.init(
      url: SyncEntry.webAddress(url) ?? id, id: id, title: title,
      link: SyncEntry.webAddress(page), folders: folders.compactMap { SyncEntry.folderName($0) })
  }
}

/// Parts of an article as sync servers send them, to be sanitised and resolved.
struct SyncEntry {
  var id: String
  var url: String?
  var title: String?
  var author: String?
  var html: String?
  var published: Date?
  var updated: Date?
  var categories: [String] = []
  var enclosures: [(url: String, type: String?, length: Int64?)] = []
  var commentsPage: String?

  /// - Parameter base: of relative addresses where the article has none.
  func entry(base: String) -> Entry {
    let page = WebAddress.absolute(url, against: base)
    var entry = Entry(
      id: id, url: page, title: title.map(PlainText.sanitized).nonempty,
      authors: [author.map(PlainText.sanitized).nonempty].compactMap(\.self).map { Author($0) },
      published: published.flatMap(\.plausible), updated: updated.flatMap(\.plausible),
      contentHTML: html.nonempty.map {
        MarkupLinks.absolutized(PlainText.sanitizedMarkup($0), base: page ?? base)
      },
      enclosures: enclosures.compactMap { file in
        WebAddress.absolute(file.url, against: page ?? base).map {
          Enclosure(
            url: $0, type: file.type.map(PlainText.sanitized).nonempty,
            length: file.length.flatMap { $0 > 0 ? $0 : nil })
        }
      },
      categories: categories.map(PlainText.sanitized).filter { !$0.isEmpty }.map { Category($0) })
    entry.comments = WebAddress.absolute(commentsPage, against: base).map { CommentLinks(page: $0) }
    return entry
  }

  /// The address of a feed or its page; nil for one that is not on the web.
  static func webAddress(_ text: String?) -> String? {
    guard let text, let address = WebAddress.resolve(text, against: nil) else { return nil }
    return WebAddress.isWeb(address) ? address : nil
  }

  /// Nil for a name with control characters: it could not be shown, and changed it would name
  /// another.
  static func folderName(_ text: String?) -> String? {
    text.flatMap { !$0.isEmpty && PlainText.sanitizedName($0) == $0 ? $0 : nil }
  }
}

extension WebAddress {
  /// The absolute address of a reference; nil for a blank one.
  static func absolute(_ reference: String?, against base: String) -> String? {
    reference.flatMap { isBlank($0) ? nil : resolve($0, against: base) }
  }
}

extension Optional<String> {
  var nonempty: String? { self?.isEmpty == true ? nil : self }
}

extension Date {
  /// Nil for dates before 1970 or after 9999.
  fileprivate var plausible: Date? {
    (1..<253_402_300_799).contains(timeIntervalSince1970) ? self : nil
  }
}
