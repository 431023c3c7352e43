package import struct Foundation.Date

/// Why something the reader wanted did not come, in the four parts that a person can act on.
///
/// What it says carries no secret: addresses appear without user, password and query.
package struct SourceError: Error, Hashable, Sendable, Codable {
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
  package var subject: String
  /// What happened, as a plain sentence.
  package var message: String
  /// What helps: a key, a command, or when Telex tries again by itself.
  package var next: String?
  /// The HTTP status, where a server answered.
  package var status: Int?
  /// The server's wish to be left alone until then (`Retry-After`).
  package var retryAfter: Date?
  /// The feed that is named by the page which has taken a feed's place. With its query, so that it
  /// can be asked for: it is not to be shown with the error.
  package var feedURL: String?

  package init(
    _ kind: Kind, stage: Stage, subject: String, message: String, next: String? = nil,
    status: Int? = nil, retryAfter: Date? = nil, feedURL: String? = nil
  ) {
    self.kind = kind
    self.stage = stage
    self.subject = subject
    self.message = message
    self.next = next
    self.status = status
    self.retryAfter = retryAfter
    self.feedURL = feedURL
  }

  /// The error on one line; the subject is left out where the message names it.
  package var line: String {
    let text = isSubjectNamed ? message : "\(subject): \(message)"
    guard let next else { return text }
    return "\(text.hasSuffix(".") ? String(text.dropLast()) : text); \(next)"
  }

  /// As a word: a feed called `f` is not named by any message that has that letter.
  private var isSubjectNamed: Bool {
    let name = WebAddress.host(of: subject) ?? subject
    guard !name.isEmpty, let place = message.firstRange(of: name) else { return name.isEmpty }
    let isCut = { (character: Character?) in character.map { $0.isLetter || $0.isNumber } ?? false }
    return !isCut(message[..<place.lowerBound].last) && !isCut(message[place.upperBound...].first)
  }

  /// Whether this is the network's absence rather than the server's fault.
  package var isConnectivity: Bool {
    switch kind {
    case .offline, .dns, .refused, .timeout, .cutShort: true
    // One that answers is reached: it wants a sign-in, or does not allow this.
    case .proxy: stage == .connect
    default: false
    }
  }
}
