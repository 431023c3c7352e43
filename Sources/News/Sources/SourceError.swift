internal import Text

package import struct Foundation.Date

/// A failure as the user is told of it: what it is about, what happened, at which step, and what helps.
///
/// What it says carries no secret: addresses appear without user, password and query. Its parts hold
/// words of servers, names of files and arguments: each passes `PlainText` whenever it is set, and
/// when it is decoded, so that nothing of it can speak to a terminal.
package struct SourceError: Error, Hashable, Sendable {
  /// What went wrong, as far as the screen tells cases apart.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// No network at all.
    case offline
    case timeout
    /// The name did not resolve.
    case dns
    /// Nothing listens there.
    case refused
    /// The connection ended before the answer did.
    case cutShort
    case tls
    /// The server failed several times in a row and is left alone for a while.
    case paused
    /// The server answered, with an error; `SourceError.status` says which.
    case status
    /// The answer could not be read as what it should be.
    case decoding
    case tooLarge
    /// Too many redirects, one that leads in a circle, or one from https to http.
    case redirect
    case cancelled
    /// The proxy on the way fails, or does not let this pass.
    case proxy
    /// What an https document leads to over plain http only.
    case insecure
    /// The address is not one that Telex can use.
    case address
    /// What came is no feed; `feedURL` says what its page names.
    case notAFeed
    /// A password or token that cannot be had or kept.
    case secret
    /// A file that cannot be read.
    case file
    /// The store could not do its part.
    case store
  }

  /// The step at which it went wrong.
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
  /// What it went wrong with: a host, an address without its query, a file.
  package var subject: String { didSet { subject = PlainText.sanitizedName(subject) } }
  /// What happened, as a plain sentence: with a capital, unless a name begins it, and a full stop.
  package var message: String { didSet { message = Self.sentence(message, about: subject) } }
  /// What helps: a key, a command, or when Telex tries again by itself. The end of a sentence, without
  /// its full stop.
  package var next: String? { didSet { next = Self.advice(next) } }
  /// The HTTP status, where a server answered.
  package var status: Int?
  /// The server's wish to be left alone until then (`Retry-After`).
  package var retryAfter: Date?
  /// Until when a server that keeps failing is left alone, which it has not asked for.
  package var pausedUntil: Date?
  /// The feed that is named by the page which has taken a feed's place. With its query, so that it
  /// can be asked for: it is not to be shown with the error. Nil for what is no web address.
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

  /// As a word: a feed called `f` is not named by any message that has that letter.
  private var isSubjectNamed: Bool {
    let name = WebAddress.host(of: subject) ?? subject
    guard !name.isEmpty, let place = message.firstRange(of: name) else { return name.isEmpty }
    let isCut = { (character: Character?) in character.map { $0.isLetter || $0.isNumber } ?? false }
    return !isCut(message[..<place.lowerBound].last) && !isCut(message[place.upperBound...].first)
  }

  /// Before when nobody asks without being told to.
  package var nextAttempt: Date? { [retryAfter, pausedUntil].compactMap { $0 }.max() }

  /// Whether this is the network's absence rather than the server's fault.
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
