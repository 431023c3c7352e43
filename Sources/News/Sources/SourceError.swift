internal import Text

package import struct Foundation.Date

/// Failure as it is shown to the user: its subject, what happened, at which step, and the next step.
///
/// It contains no secrets: addresses are without name, password and query. Its parts may come from
/// servers, files and arguments: each is sanitised (`PlainText`) when it is set and when it is decoded, so
/// that it cannot control a terminal.
package struct SourceError: Error, Hashable, Sendable {
  /// Category of the failure, as far as front ends distinguish them.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// No network at all.
    case offline
    case timeout
    /// The host name could not be resolved.
    case dns
    /// The server refused the connection.
    case refused
    /// The connection ended before the response was complete.
    case cutShort
    case tls
    /// The server failed several times in a row and is not asked for a while.
    case paused
    /// The server answered with an error status (`SourceError.status`).
    case status
    /// The response could not be decoded.
    case decoding
    case tooLarge
    /// Too many redirects, one that leads in a circle, or one from https to http.
    case redirect
    case cancelled
    /// The proxy failed, or refused the request.
    case proxy
    /// An https document links to the address over plain http only.
    case insecure
    /// The address is not one that Telex can use.
    case address
    /// The document is no feed; `feedURL` is the feed that the page links to.
    case notAFeed
    /// A password or token could not be read or stored.
    case secret
    /// A file could not be read.
    case file
    /// The store failed.
    case store
    /// A program of the user's own could not be started, took too long, or ended with a failure.
    case program
  }

  /// The step that failed.
  package enum Stage: String, Hashable, Sendable, Codable {
    case arguments
    case config
    case address
    case connect
    case fetch
    case parse
    case store
  }

  package var kind: Kind
  package var stage: Stage
  /// The subject of the failure: a host, an address without its query, a file.
  package var subject: String { didSet { subject = PlainText.sanitizedName(subject) } }
  /// What happened, as a sentence with a full stop, and with a capital unless it begins with a name.
  package var message: String { didSet { message = Self.sentence(message, about: subject) } }
  /// The next step: a key, a command, or when Telex tries again. The end of a sentence, without its full
  /// stop.
  package var next: String? { didSet { next = Self.advice(next) } }
  /// The HTTP status; nil without a response.
  package var status: Int?
  /// The time of the next attempt that the server asks for (`Retry-After`).
  package var retryAfter: Date?
  /// Until when a failing server is not asked (circuit breaker).
  package var pausedUntil: Date?
  /// The feed that a page in the place of a feed links to. With its query, so that it can be requested:
  /// not to be shown. Nil for what is no web address.
  package var feedURL: String? { didSet { feedURL = Self.address(feedURL) } }

  package init(
    _ kind: Kind, stage: Stage, subject: String, message: String, next: String? = nil,
    status: Int? = nil, retryAfter: Date? = nil, pausedUntil: Date? = nil, feedURL: String? = nil
  ) {
    self.kind = kind
    self.stage = stage
    self.subject = PlainText.sanitizedName(subject)
    self.message = Self.sentence(message, about: self.subject)
    self.next = Self.advice(next)
    self.status = status
    self.retryAfter = retryAfter
    self.pausedUntil = pausedUntil
    self.feedURL = Self.address(feedURL)
  }

  /// The error as one sentence on one line; the subject is left out where the message names it.
  package var line: String {
    let text = isSubjectNamed ? message : "\(subject): \(message)"
    guard let next else { return text }
    return "\(text.hasSuffix(".") ? String(text.dropLast()) : text); \(next)."
  }

  /// Whether the message contains the subject as a word, not within another.
  private var isSubjectNamed: Bool {
    let name = WebAddress.host(of: subject) ?? subject
    guard !name.isEmpty, let place = message.firstRange(of: name) else { return name.isEmpty }
    let isCut = { (character: Character?) in character.map { $0.isLetter || $0.isNumber } ?? false }
    return !isCut(message[..<place.lowerBound].last) && !isCut(message[place.upperBound...].first)
  }

  /// The time before which no automatic attempt is made.
  package var nextAttempt: Date? { [retryAfter, pausedUntil].compactMap { $0 }.max() }

  /// Whether the network is missing, as opposed to a fault of the server.
  package var isConnectivity: Bool {
    switch kind {
    case .offline, .dns, .refused, .timeout: true
    // One that has said how it answers was there.
    case .cutShort: status == nil
    // One that answers is reached: it wants a sign-in, or does not allow this.
    case .proxy: stage == .connect
    default: false
    }
  }
}

// MARK: - What its parts may hold

extension SourceError {
  private static func sentence(_ text: String, about subject: String) -> String {
    var text = PlainText.sanitized(text)
    guard let first = text.first else { return text }
    if first.isASCII, first.isLowercase, isWord(text, about: subject) {
      text = first.uppercased() + text.dropFirst()
    }
    return ".!?…:".contains(text.last ?? ".") ? text : text + "."
  }

  /// Whether a text begins with a word of the language: names of hosts, files, commands and settings
  /// are written as they are.
  private static func isWord(_ text: String, about subject: String) -> Bool {
    let word = text.prefix { $0 != " " }
    let letters = word.hasSuffix(",") || word.hasSuffix(":") ? word.dropLast() : word
    return letters.allSatisfy { $0.isASCII && $0.isLowercase } && letters != "telex"
      && letters != subject && String(letters) != WebAddress.host(of: subject)
  }

  private static func advice(_ text: String?) -> String? {
    guard let text else { return nil }
    let advice = PlainText.sanitized(text)
    return advice.hasSuffix(".") && !advice.hasSuffix("..") ? String(advice.dropLast()) : advice
  }

  private static func address(_ text: String?) -> String? {
    text.flatMap { WebAddress.isWeb($0) && PlainText.sanitized($0) == $0 ? $0 : nil }
  }
}

// MARK: - As it is stored

extension SourceError: Codable {
  private enum CodingKeys: CodingKey {
    case kind, stage, subject, message, next, status, retryAfter, pausedUntil, feedURL
  }

  /// What earlier versions have stored passes what a new error passes.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(Kind.self, forKey: .kind),
      stage: try values.decode(Stage.self, forKey: .stage),
      subject: try values.decode(String.self, forKey: .subject),
      message: try values.decode(String.self, forKey: .message),
      next: try values.decodeIfPresent(String.self, forKey: .next),
      status: try values.decodeIfPresent(Int.self, forKey: .status),
      retryAfter: try values.decodeIfPresent(Date.self, forKey: .retryAfter),
      pausedUntil: try values.decodeIfPresent(Date.self, forKey: .pausedUntil),
      feedURL: try values.decodeIfPresent(String.self, forKey: .feedURL))
  }
}

extension WebAddress {
  /// The normal form of an address from the user or a list of feeds
  /// (`WebAddress.normalized`).
  ///
  /// - Throws: what to tell the user where it is none.
  package static func entered(_ text: String) throws(SourceError) -> String {
    do {
      return try normalized(text)
    } catch {
      throw SourceError(
        .address, stage: .address, subject: error.subject, message: error.message,
        next: "type an address such as https://example.org/feed")
    }
  }
}
