internal import Text

package import struct Foundation.Date

/// Failure as it is shown to the user.
///
/// Without secrets: addresses have no name, password and query. Its parts may come from servers,
/// files and arguments: each is sanitised (`PlainText`) when it is set or decoded, so that it
/// cannot control a terminal.
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
    /// An error status (`SourceError.status`).
    case status
    case decoding
    case tooLarge
    /// Too many redirects, a circle, or one from https to http.
    case redirect
    case cancelled
    case proxy
    /// An https document links to the address over plain http only.
    case insecure
    /// Telex cannot use the address.
    case address
    /// `feedURL` is the feed that the page links to.
    case notAFeed
    /// A password or token could not be read or stored.
    case secret
    case file
    case store
    /// A program of the user could not be started, took too long, or failed.
    case program
  }

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
  /// A host, an address without its query, a file.
  package var subject: String { didSet { subject = PlainText.sanitizedName(subject) } }
  /// A sentence with a full stop, and with a capital unless it begins with a name.
  package var message: String { didSet { message = Self.sentence(message, about: subject) } }
  /// A key, a command, or when Telex tries again: the end of a sentence, without its full stop.
  package var next: String? { didSet { next = Self.advice(next) } }
  /// The HTTP status; nil without a response.
  package var status: Int?
  /// `Retry-After` of the server.
  package var retryAfter: Date?
  /// The end of the pause of a failing server (circuit breaker).
  package var pausedUntil: Date?
  /// The feed that a page in the place of a feed links to. With its query, so that it can be
  /// requested: not to be shown. Nil for anything but a web address.
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

  /// The error as one sentence on one line; without the subject where the message names it.
  package var line: String {
    let text = isSubjectNamed ? message : "\(subject): \(message)"
    guard let next else { return text }
    return "\(text.hasSuffix(".") ? String(text.dropLast()) : text); \(next)."
  }

  /// Whether the message contains the subject as a word.
  private var isSubjectNamed: Bool {
    let name = WebAddress.host(of: subject) ?? subject
    guard !name.isEmpty, let place = message.firstRange(of: name) else { return name.isEmpty }
    let isCut = { (character: Character?) in character.map { $0.isLetter || $0.isNumber } ?? false }
    return !isCut(message[..<place.lowerBound].last) && !isCut(message[place.upperBound...].first)
  }

  /// A request while the user has turned the network off.
  package static func offlineByChoice(subject: String) -> SourceError {
    SourceError(
      .offline, stage: .connect, subject: subject, message: "Telex is offline by choice",
      next: "run without --offline, set network.offline to false, or run :offline in the reader")
  }

  /// The time before which no automatic attempt is made.
  package var nextAttempt: Date? { [retryAfter, pausedUntil].compactMap { $0 }.max() }

  /// Whether the user has to do something, such as to sign in or to change the address. Others may end by themselves.
  package var needsUser: Bool {
    switch kind {
    case .tls, .secret, .insecure, .address, .notAFeed: true
    case .status, .proxy: [401, 404, 407, 410].contains(status)
    default: false
    }
  }

  /// Whether the network is missing, as opposed to a fault of the server.
  package var isConnectivity: Bool {
    switch kind {
    case .offline, .dns, .refused, .timeout: true
    // A server that sent a status was reached.
    case .cutShort: status == nil
    // A proxy that answers was reached: it asks for a sign-in, or forbids the request.
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

  /// Whether a text begins with a word of the language, as opposed to a host, file, command or
  /// setting.
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
  /// The normal form of an address from the user or a list of feeds (`WebAddress.normalized`).
  ///
  /// - Throws: an error for the user.
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
