internal import Foundation
internal import HTTP
internal import News

/// Why an answer with a status of success is none.
struct GoogleReaderProblem: Error {
  /// What came, as the rest of a sentence that begins with the host.
  var message: String
  var next: String
}

/// Reading the answers of the Google Reader API: strict about what is no answer at all, so that a page for
/// browsers is never taken for an empty list.
enum GoogleReaderAnswer {
  /// - Parameter subject: what was asked for, as in "the list of feeds".
  static func json<Value: Decodable>(
    _ type: Value.Type, in response: HTTPResponse, _ subject: String
  ) throws -> Value {
    try refusePage(response, subject)
    switch response.body.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "["):
      throw GoogleReaderProblem(
        message: "sent an empty answer instead of \(subject)",
        next: "this server does not have it; tell the people who run Telex")
    case nil:
      throw GoogleReaderProblem(
        message: "sent nothing instead of \(subject)", next: "try again later")
    default:
      throw GoogleReaderProblem(
        message: "sent something else than \(subject)",
        next: "check that the address is that of the API")
    }
    do {
      return try HTTPCoding.decoder.decode(type, from: Data(response.body))
    } catch let error as DecodingError {
      if case .dataCorrupted = error {
        throw GoogleReaderProblem(
          message: "sent \(subject) damaged or without its end", next: "try again")
      }
      throw error
    }
  }

  /// A text of one line, such as a token.
  static func word(in response: HTTPResponse, _ subject: String) throws -> String {
    try refusePage(response, subject)
    let word = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !word.isEmpty, word.utf8.count <= 4_096,
      word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw GoogleReaderProblem(
        message: "sent something else than \(subject)",
        next: "check that the address is that of the API")
    }
    return word
  }

  /// The line `Auth=` of an answer to a sign-in.
  static func signIn(in response: HTTPResponse) throws -> String {
    try refusePage(response, "a sign-in")
    let text = String(decoding: response.body, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("Auth=") {
      let token = line.dropFirst("Auth=".count)
      guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { break }
      return String(token)
    }
    throw GoogleReaderProblem(
      message: "answered a sign-in without a token",
      next: "check that the address is that of the API")
  }

  /// The one word that says that something was done.
  static func confirmation(in response: HTTPResponse, _ subject: String) throws {
    try refusePage(response, subject)
    let text = String(decoding: response.body.prefix(64), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard text == "OK" || text == "\"OK\"" else {
      throw GoogleReaderProblem(
        message: "did not confirm \(subject)", next: "it is sent again with the next sync")
    }
  }

  private static func refusePage(_ response: HTTPResponse, _ subject: String) throws {
    let first = response.body.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    guard first == UInt8(ascii: "<") else { return }
    throw GoogleReaderProblem(
      message: "sent a page for browsers instead of \(subject)",
      next: "check that the address is that of the API, or sign in again: telex login URL")
  }

  /// Nil where no header tells of a quota.
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
