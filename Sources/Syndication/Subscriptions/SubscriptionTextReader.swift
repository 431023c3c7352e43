package import News
internal import Text

extension SubscriptionText {
  /// The list is complete only without mistakes.
  package static func read(_ bytes: [UInt8]) -> (list: SubscriptionList, mistakes: [Mistake]) {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var reader = SubscriptionTextReader()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      reader.read(text)
    }
    return (reader.list, reader.mistakes)
  }
}

private struct SubscriptionTextReader {
  private(set) var list = SubscriptionList()
  private(set) var mistakes: [SubscriptionText.Mistake] = []
  private var line = 0
  private var owner: SubscriptionList.Owner?
  private var folder: String?
  /// Index of the feed of indented lines; nil after a heading.
  private var feed: Int?
  private var names: Set<String> = []
  private var places: [Place: Int] = [:]
  private var lines: [Int] = []
  private var settings = FeedSettings()
  /// Whether the feed was listed before, so that only folders are added.
  private var isRepeated = false

  private struct Place: Hashable {
    let owner: SubscriptionList.Owner?
    let key: String
  }

  mutating func read(_ text: String) {
    line += 1
    let trimmed = text.trimmed
    guard let first = trimmed.first, first != "#" else { return }
    if text.first?.isWhitespace == true { return property(text) }
    (feed, names, isRepeated) = (nil, [], false)
    if first == "[" { return heading(text, trimmed) }
    let words = trimmed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    if words[0] == SubscriptionText.account, words.count > 1 || trimmed == text {
      return account(words.count > 1 ? String(words[1]).trimmed : "", text)
    }
    address(String(words[0]), rest: words.count > 1 ? String(words[1]).trimmed : "", text)
  }

  private mutating func heading(_ text: String, _ trimmed: String) {
    guard trimmed.last == "]", trimmed.count > 1 else {
      return mistake(at: text.count, "the heading has no ] at its end")
    }
    folder = SubscriptionList.path(String(trimmed.dropFirst().dropLast()))
  }

  private mutating func account(_ rest: String, _ text: String) {
    let words = rest.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    folder = nil
    guard let base = words.first, base.contains(":") else {
      return mistake(
        at: text.count, "an account is the address of its server and the name of the user")
    }
    guard WebAddress.withoutUser(base) == base else {
      return mistake(
        at: column(of: base, in: text), "the address of the server holds a name; it goes behind it")
    }
    owner = SubscriptionList.Owner(
      base: base, user: words.count > 1 ? PlainText.sanitized(words[1]) : "")
  }

  private mutating func address(_ typed: String, rest: String, _ text: String) {
    guard rest.isEmpty || rest.hasPrefix("#") else {
      return mistake(
        at: column(of: rest, in: text),
        "nothing but a comment stands behind an address; settings go below it, indented")
    }
    guard WebAddress.user(in: typed) == nil, !typed.isEmpty else {
      return mistake(
        at: 1, "the address holds a name or a password; telex add keeps these with the secrets")
    }
    let isCommand = typed.hasPrefix(Feed.commandScheme)
    let url =
      isCommand
      ? typed.replacing("%20", with: " ").replacing("%25", with: "%")
      : SubscriptionList.key(typed)
    if !isCommand, !hasOtherScheme(url) {
      let address = url.split(separator: "#", maxSplits: 1).first.map(String.init) ?? ""
      do throws(AddressRefusal) { _ = try WebAddress.normalized(address) } catch {
        return mistake(at: 1, error.message)
      }
    }
    let place = Place(owner: owner, key: url)
    let folders = folder.map { [$0] } ?? []
    if let known = places[place] {
      (feed, isRepeated) = (known, true)
      list.feeds[known].file(into: list.feeds[known].folders + folders)
      return
    }
    feed = list.feeds.count
    places[place] = feed
    settings = FeedSettings()
    lines.append(line)
    list.feeds.append(SubscriptionList.Feed(owner: owner, url: url, folders: folders))
  }

  /// Other schemes need a wire that only subscribing can look up.
  private func hasOtherScheme(_ url: String) -> Bool {
    guard let scheme = WebAddress.scheme(of: url), url.hasPrefix("\(scheme)://") else {
      return false
    }
    return scheme != "http" && scheme != "https"
  }

  private mutating func property(_ text: String) {
    let start = column(of: text.trimmed, in: text)
    guard let feed else {
      return mistake(at: start, "an indented line belongs to a feed, and none is above it")
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0]).trimmed
    guard parts.count == 2 else {
      return mistake(at: start, "this is no setting such as interval = 2h")
    }
    let value = PlainText.sanitized(String(parts[1]))
    let place = value.isEmpty ? text.count + 1 : column(of: String(parts[1]).trimmed, in: text)
    guard !value.isEmpty else { return mistake(at: place, "\(name) has no value") }
    if name == SubscriptionText.folder {
      return list.feeds[feed].file(into: list.feeds[feed].folders + [value])
    }
    guard !isRepeated else {
      return mistake(at: start, "this feed is in line \(lines[feed]); its settings belong there")
    }
    guard names.insert(name).inserted else {
      return mistake(at: start, "\(name) was given before for this feed")
    }
    set(name, to: value, of: feed, at: start, place)
  }

  private mutating func set(
    _ name: String, to value: String, of feed: Int, at start: Int, _ place: Int
  ) {
    switch name {
    case SubscriptionText.title: list.feeds[feed].title = value
    case SubscriptionText.proxy:
      guard value != "default" else { return }
      guard value == "direct" || (WebAddress.scheme(of: value) != nil && value.contains("://"))
      else {
        return mistake(
          at: place, "a proxy is an address such as socks5h://localhost:9050, or direct")
      }
      let authority = WebAddress.authority(of: value) ?? ""
      guard !authority.prefix(while: { $0 != "@" }).contains(":") || !authority.contains("@") else {
        return mistake(at: place, "the proxy holds a password; telex set FEED --proxy keeps it")
      }
      list.feeds[feed].proxy = FeedProxy(text: value)
    case SubscriptionText.recipe:
      guard value == SubscriptionText.own else {
        return mistake(at: place, "the recipe of a feed is \(SubscriptionText.own) or none")
      }
      list.feeds[feed].hasRecipe = true
    default:
      guard let setting = FeedSetting(rawValue: name) else {
        let known = FeedSetting.allCases.map(\.rawValue).joined(separator: ", ")
        return mistake(
          at: start, "there is no setting \(name.prefix(40)): title, folder, \(known), proxy")
      }
      do {
        try setting.set(value, in: &settings)
        list.feeds[feed].settings[setting] = setting.text(in: settings)
      } catch {
        // The message names the header that is not allowed.
        let error = error as? SourceError
        let isOfHeader = error.map { !$0.subject.hasPrefix(name) } ?? false
        mistake(
          at: place,
          isOfHeader
            ? "\(error?.subject ?? ""): \(error?.message ?? "")" : "\(name) takes \(setting.values)"
        )
      }
    }
  }

  private mutating func mistake(at column: Int, _ message: String) {
    mistakes.append(
      SubscriptionText.Mistake(
        line: line, column: max(1, column), message: PlainText.sanitized(message)))
  }

  private func column(of part: String, in text: String) -> Int {
    text.firstRange(of: part).map { text.distance(from: text.startIndex, to: $0.lowerBound) + 1 }
      ?? 1
  }
}
