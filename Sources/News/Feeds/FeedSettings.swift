internal import Foundation
internal import Text

/// Settings of one feed; nil and false for those of the program.
package struct FeedSettings: Hashable, Sendable {
  /// Reaction to an article that its feed has changed.
  package enum Update: String, CaseIterable, Hashable, Sendable {
    case nothing
    /// It becomes unread again.
    case unread
    /// It is marked as changed until it is opened, and its former text is kept.
    case changed
  }

  /// The levels of unasked fetches on a metered connection; each includes those before it.
  package enum Metered: String, CaseIterable, Hashable, Sendable {
    case nothing, text, pictures
    /// Downloads, too, and files that the user sends.
    case all

    package func includes(_ level: Metered) -> Bool {
      Self.allCases.drop { $0 != level }.contains(self)
    }
  }

  /// Seconds between automatic refreshes; 0 for none.
  package var interval: Int64?
  /// Whether it is fetched only when it is named.
  package var isPaused = false
  /// Whether All and Unread leave out its articles. Queries find them.
  package var isHidden = false
  /// Whether only its own list shows its failures.
  package var isSilent = false
  package var update = Update.nothing
  /// Whether pictures are shown as text.
  package var hidesPictures = false
  /// Whether a refresh fetches the full text of its unread articles.
  package var fullText = false
  package var joinsStories = true
  package var metered: Metered?
  /// The command that opens its pages; `%u` stands for the address.
  package var browser: String?
  /// RFC 9110 §10.1.5.
  package var userAgent: String?
  /// Sent to the feed's own server.
  package var headers: [RequestHeader] = []

  /// Seconds for which its articles are kept; `unbounded` for ever.
  package var keepFor: Int64?
  /// The number of articles that are kept; `unbounded` for all.
  package var keepAtMost: Int?
  /// Other addresses that stand for the feed in lists: former ones, and the page it was found at.
  /// Not set by users.
  package var otherURLs: [String] = []
  /// Whether the feed is still to be searched for at its address, added without a network. Not set
  /// by users.
  package var isSought = false
  /// The list that added the feed and may remove it, an address or a path; nil for a feed of the
  /// user.
  package var list: String?

  /// No bound, whatever the settings of the program.
  package static let unbounded: Int64 = 0

  package init() {}

  /// Notes an address that stands for the feed in lists.
  package mutating func note(_ url: String) {
    guard !otherURLs.contains(url) else { return }
    otherURLs = Array((otherURLs + [url]).suffix(Self.otherURLLimit))
  }

  private static let otherURLLimit = 8

  /// These settings with the properties that no user sets of another feed's.
  package func keepingOrigin(of other: FeedSettings) -> FeedSettings {
    var settings = self
    (settings.otherURLs, settings.list) = (other.otherURLs, other.list)
    settings.isSought = other.isSought
    return settings
  }
}

/// Header of a request that holds no secret.
package struct RequestHeader: Hashable, Sendable, Codable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package var text: String { "\(name): \(value)" }
}

extension FeedSettings: Codable {
  private enum CodingKeys: String, CodingKey {
    case interval, paused, hidden, silent, update, browser, userAgent, headers, otherURLs, list,
      sought
    case keepFor, keepAtMost, noPictures, fullText, noStories, metered
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    interval = try values.decodeIfPresent(Int64.self, forKey: .interval)
    func flag(_ key: CodingKeys) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    isPaused = try flag(.paused)
    isHidden = try flag(.hidden)
    isSilent = try flag(.silent)
    update =
      try values.decodeIfPresent(String.self, forKey: .update).flatMap(Update.init) ?? .nothing
    hidesPictures = try flag(.noPictures)
    fullText = try flag(.fullText)
    joinsStories = try !flag(.noStories)
    metered =
      try values.decodeIfPresent(String.self, forKey: .metered).flatMap(Metered.init)
    browser = try values.decodeIfPresent(String.self, forKey: .browser)
    userAgent = try values.decodeIfPresent(String.self, forKey: .userAgent)
    headers = try values.decodeIfPresent([RequestHeader].self, forKey: .headers) ?? []
    keepFor = try values.decodeIfPresent(Int64.self, forKey: .keepFor)
    keepAtMost = try values.decodeIfPresent(Int.self, forKey: .keepAtMost)
    otherURLs = try values.decodeIfPresent([String].self, forKey: .otherURLs) ?? []
    list = try values.decodeIfPresent(String.self, forKey: .list)
    isSought = try flag(.sought)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    let flags: [(CodingKeys, Bool)] = [
      (.paused, isPaused), (.hidden, isHidden), (.silent, isSilent), (.noPictures, hidesPictures),
      (.fullText, fullText), (.noStories, !joinsStories), (.sought, isSought),
    ]
    for (key, isOn) in flags where isOn { try values.encode(true, forKey: key) }
    try values.encodeIfPresent(interval, forKey: .interval)
    if update != .nothing { try values.encode(update.rawValue, forKey: .update) }
    try values.encodeIfPresent(metered?.rawValue, forKey: .metered)
    try values.encodeIfPresent(browser, forKey: .browser)
    try values.encodeIfPresent(userAgent, forKey: .userAgent)
    if !headers.isEmpty { try values.encode(headers, forKey: .headers) }
    try values.encodeIfPresent(keepFor, forKey: .keepFor)
    try values.encodeIfPresent(keepAtMost, forKey: .keepAtMost)
    if !otherURLs.isEmpty { try values.encode(otherURLs, forKey: .otherURLs) }
    try values.encodeIfPresent(list, forKey: .list)
  }
}

/// Setting of a feed, named as on the command line, in the reader and in lists of subscriptions.
package enum FeedSetting: String, CaseIterable, Hashable, Sendable {
  case interval, paused, hidden, silent, update, pictures, browser
  case userAgent = "user-agent"
  case headers
  case keepFor = "keep-for"
  case keepAtMost = "keep-at-most"
  case fullText = "full-text"
  case stories, metered

  /// The value that resets a setting.
  package static let none = "default"

  /// The valid values, for messages.
  package var values: String {
    switch self {
    case .interval: "a time such as 30min, 2h or 1d, or 0 for only when you ask"
    case .paused, .hidden, .silent, .fullText, .pictures, .stories: "yes or no"
    case .update: "nothing, unread or changed"
    case .metered: "nothing, text, pictures or all"
    case .browser: "a command, with %u for the address"
    case .userAgent: "the user agent to send"
    case .headers: "headers such as Accept-Language: de, separated by |"
    case .keepFor: "a time such as 90d or 1y, or all for ever"
    case .keepAtMost: "a number of articles, or all"
    }
  }

  /// Nil for the default.
  package func text(in settings: FeedSettings) -> String? {
    func flag(_ isOn: Bool) -> String? { isOn ? "yes" : nil }
    return switch self {
    case .interval: settings.interval.map { $0 == 0 ? "0" : Self.text(ofSeconds: $0) }
    case .paused: flag(settings.isPaused)
    case .hidden: flag(settings.isHidden)
    case .silent: flag(settings.isSilent)
    case .fullText: flag(settings.fullText)
    case .update: settings.update == .nothing ? nil : settings.update.rawValue
    case .pictures: settings.hidesPictures ? "no" : nil
    case .stories: settings.joinsStories ? nil : "no"
    case .metered: settings.metered?.rawValue
    case .browser: settings.browser
    case .userAgent: settings.userAgent
    case .headers:
      settings.headers.isEmpty ? nil : settings.headers.map(\.text).joined(separator: " | ")
    case .keepFor:
      settings.keepFor.map { $0 == FeedSettings.unbounded ? "all" : Self.text(ofSeconds: $0) }
    case .keepAtMost:
      settings.keepAtMost.map { $0 == Int(FeedSettings.unbounded) ? "all" : String($0) }
    }
  }

  /// Sets a value as a user types it; `default` and an empty text reset it.
  ///
  /// - Throws: `SourceError` of stage `.arguments` for an invalid value.
  package func set(_ typed: String, in settings: inout FeedSettings) throws {
    let text = typed.trimmingCharacters(in: .whitespaces)
    let isNone = text.isEmpty || text == Self.none
    switch self {
    case .interval: settings.interval = try isNone ? nil : text == "0" ? 0 : seconds(text)
    case .paused: settings.isPaused = try !isNone && flag(text)
    case .hidden: settings.isHidden = try !isNone && flag(text)
    case .silent: settings.isSilent = try !isNone && flag(text)
    case .fullText: settings.fullText = try !isNone && flag(text)
    case .update:
      guard let update = isNone ? .nothing : FeedSettings.Update(rawValue: text) else {
        throw mistake(text)
      }
      settings.update = update
    case .pictures: settings.hidesPictures = try !isNone && !flag(text)
    case .stories: settings.joinsStories = try isNone || flag(text)
    case .metered:
      settings.metered = FeedSettings.Metered(rawValue: text)
      guard isNone || settings.metered != nil else { throw mistake(text) }
    case .browser: settings.browser = isNone ? nil : try command(text)
    case .userAgent: settings.userAgent = isNone ? nil : try line(text)
    case .headers:
      settings.headers = try isNone ? [] : text.split(separator: "|").map(header)
    case .keepFor:
      settings.keepFor = try isNone ? nil : text == "all" ? FeedSettings.unbounded : seconds(text)
    case .keepAtMost:
      settings.keepAtMost =
        try isNone ? nil : text == "all" ? Int(FeedSettings.unbounded) : number(text)
    }
  }

  // MARK: Values

  private static let units: [(String, Int64)] = [
    ("w", 7 * 86_400), ("d", 86_400), ("h", 3_600), ("min", 60),
  ]

  private static func text(ofSeconds seconds: Int64) -> String {
    let (unit, length) = units.first { seconds % $0.1 == 0 } ?? ("min", 60)
    return "\(max(1, seconds / length))\(unit)"
  }

  private func seconds(_ text: String) throws -> Int64 {
    guard let seconds = ArticleQuery.seconds(of: text), seconds > 0 else { throw mistake(text) }
    return seconds
  }

  private func number(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw mistake(text) }
    return number
  }

  private func flag(_ text: String) throws -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on": true
    case "no", "false", "off": false
    default: throw mistake(text)
    }
  }

  /// RFC 9110 §5.5: one line of ASCII.
  private func line(_ text: String) throws -> String {
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw mistake(text) }
    return text
  }

  private func command(_ text: String) throws -> String? {
    do throws(CommandWords.Mistake) {
      guard try CommandWords.opening(text) != nil else { return nil }
    } catch {
      throw SourceError(
        .address, stage: .arguments, subject: text, message: error.message,
        next: "name a program with its arguments, or a script of your own")
    }
    return try line(text)
  }

  private func header(_ part: Substring) throws -> RequestHeader {
    let halves = part.split(separator: ":", maxSplits: 1)
    guard halves.count == 2 else { throw mistake(String(part)) }
    let name = halves[0].trimmingCharacters(in: .whitespaces)
    let value = try line(halves[1].trimmingCharacters(in: .whitespaces))
    guard !name.isEmpty, !value.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
      throw mistake(String(part))
    }
    let lowercased = name.lowercased()
    guard !Self.secretHeaders.contains(lowercased),
      !Self.wordsOfSecrets.contains(where: lowercased.contains)
    else {
      throw SourceError(
        .secret, stage: .arguments, subject: name,
        message: "what this header carries is a secret, and would be readable here",
        next: "telex set FEED --header \(name) asks for it and keeps it with the secrets")
    }
    guard !Self.isReserved(name) else {
      throw SourceError(
        .address, stage: .arguments, subject: name,
        message: "this header is part of how a request is sent", next: "nothing has changed")
    }
    return RequestHeader(name, value)
  }

  /// Whether a header is part of how requests are sent, so that users cannot set it.
  package static func isReserved(_ header: String) -> Bool {
    reservedHeaders.contains(header.lowercased())
  }

  private static let secretHeaders: Set = ["authorization", "cookie", "proxy-authorization"]
  /// Parts of the names of headers that carry a key, as in `X-Api-Key`.
  private static let wordsOfSecrets = ["key", "token", "secret", "password", "session"]
  /// Headers of the transfer itself and of conditional requests.
  private static let reservedHeaders: Set = [
    "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since",
    "if-none-match", "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent",
  ]

  /// RFC 9110 §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private func mistake(_ text: String) -> SourceError {
    SourceError(
      .address, stage: .arguments, subject: "\(rawValue) \(text)",
      message: "this takes \(values)", next: "nothing has changed; default resets it")
  }
}
