internal import Foundation
internal import HTTP
internal import News

/// Reader of the answers of the Google Reader API, of which only some are JSON.
enum GoogleReaderAnswer {
  /// - Parameter subject: what was requested, as in "the list of feeds".
  static func json<Value: Decodable>(
    _ type: Value.Type, in response: HTTPResponse, _ subject: String
  ) throws -> Value {
    if SyncAnswer.firstByte(of: response) == UInt8(ascii: "[") {
      throw SyncProblem(
        message: "sent an empty answer instead of \(subject)",
        next: "this server does not have it; tell the people who run Telex")
    }
    return try SyncAnswer.json(type, in: response, subject)
  }

  /// One line, such as a token.
  static func word(in response: HTTPResponse, _ subject: String) throws -> String {
    try SyncAnswer.refusePage(response, subject)
    let word = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !word.isEmpty, word.utf8.count <= 4_096,
      word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw SyncProblem(
        message: "sent something else than \(subject)",
        next: "check that the address is that of the API")
    }
    return word
  }

  /// The line `Auth=` of an answer to a sign-in.
  static func signIn(in response: HTTPResponse) throws -> String {
    try SyncAnswer.refusePage(response, "a sign-in")
    let text = String(decoding: response.body, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("Auth=") {
      let token = line.dropFirst("Auth=".count)
      guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { break }
      return String(token)
    }
    throw SyncProblem(
      message: "answered a sign-in without a token",
      next: "check that the address is that of the API")
  }

  /// `OK`.
  static func confirmation(in response: HTTPResponse, _ subject: String) throws {
    try SyncAnswer.refusePage(response, subject)
    let text = String(decoding: response.body.prefix(64), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard text == "OK" || text == "\"OK\"" else {
      throw SyncProblem(
        message: "did not confirm \(subject)", next: "it is sent again with the next sync")
    }
  }

  /// Nil without headers of a quota.
  static func quota(in headers: HTTPHeaders) -> GoogleReaderQuota? {
    func number(_ name: String) -> Int? {
      headers[name].flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded(.up)) }
    }
    func zone(_ number: Int?, _ limit: Int?) -> GoogleReaderQuota.Zone? {
      guard let number, let limit else { return nil }
      return GoogleReaderQuota.Zone(used: number, limit: limit)
    }
    let quota = GoogleReaderQuota(
      reads: zone(number("X-Reader-Zone1-Usage"), number("X-Reader-Zone1-Limit")),
      writes: zone(number("X-Reader-Zone2-Usage"), number("X-Reader-Zone2-Limit")),
      resetsAfter: number("X-Reader-Limits-Reset-After").map { .seconds($0) })
    return quota == GoogleReaderQuota() ? nil : quota
  }
}
