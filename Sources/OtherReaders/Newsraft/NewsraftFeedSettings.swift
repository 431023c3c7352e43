internal import News
internal import Text

/// What newsraft can set for one feed, as far as Telex has a counterpart; nil for what is not set.
struct NewsraftFeedSettings: Hashable {
  /// Seconds between two refreshes; 0 for none by itself.
  var interval: Int64?
  var isSilent: Bool?
  /// So many articles are kept; 0 for all.
  var limit: Int?
  /// A command; empty for the browser of all.
  var browser: String?
  /// Empty for that of all.
  var userAgent: String?
  /// Its address; empty for none.
  var proxy: String?
  /// A query that its articles are shown by; empty for all.
  var rule: String?

  /// Takes a setting.
  ///
  /// - Throws: `QueryError` with the reason, where it has no counterpart for one feed.
  mutating func take(_ name: String, _ value: String) throws(QueryError) {
    switch name {
    case "reload-period":
      interval = Int64(try SettingValue.number(value, 0...100_000)) * 60
    case "suppress-errors": isSilent = try NewsraftValue.flag(value)
    case "item-limit": limit = try SettingValue.number(value, 0...10_000_000)
    case "open-in-browser-command": browser = try NewsraftValue.browser(value)?.browser() ?? ""
    case "user-agent": userAgent = try NewsraftValue.userAgent(value)
    case "proxy": proxy = try value.isEmpty ? "" : NewsraftValue.proxy(value)
    case "item-rule": rule = try value.isEmpty ? "" : NewsraftItemRule.query(of: value)
    default: throw QueryError(NewsraftValue.reason(without: name, isOfFeed: true), at: 0..<0)
    }
  }

  /// These settings, and those of `other` where these say nothing.
  func over(_ other: NewsraftFeedSettings) -> NewsraftFeedSettings {
    NewsraftFeedSettings(
      interval: interval ?? other.interval, isSilent: isSilent ?? other.isSilent,
      limit: limit ?? other.limit, browser: browser ?? other.browser,
      userAgent: userAgent ?? other.userAgent, proxy: proxy ?? other.proxy, rule: rule ?? other.rule
    )
  }
}

extension ReaderLibrary {
  /// Adds a feed with what is set for it.
  mutating func take(_ feed: LibraryFeed, _ settings: NewsraftFeedSettings) {
    var feed = feed
    feed.interval = settings.interval.flatMap { $0 > 0 ? $0 : nil }
    feed.settings.isSilent = settings.isSilent ?? false
    feed.settings.keepAtMost = settings.limit
    feed.settings.browser = settings.browser.flatMap { $0.isEmpty ? nil : $0 }
    feed.settings.userAgent = settings.userAgent.flatMap { $0.isEmpty ? nil : $0 }
    if let proxy = settings.proxy, !feed.runsProgram, let host = WebAddress.host(of: feed.url) {
      set(
        "network.proxies", TOMLText.quoted(host), TOMLText.quoted(proxy.isEmpty ? "direct" : proxy))
    }
    if let rule = settings.rule, !rule.isEmpty {
      do throws(QueryError) {
        let address = try SettingValue.expression(ofAddress: feed.url)
        rules.append(
          LibraryRule(
            try query(rule), .keepOnly(of: "feed:/\(address)/"), at: feed.place))
      } catch {
        left.append(LeftOut("item-rule", at: feed.place, because: error.message))
      }
    }
    feeds.append(feed)
  }

  private func query(_ text: String) throws(QueryError) -> ArticleQuery {
    do { return try ArticleQuery(text) } catch {
      throw QueryError("no rule can ask for it: \(text)", at: 0..<0)
    }
  }
}

/// Values of newsraft's settings.
enum NewsraftValue {
  /// Nothing stands for true.
  static func flag(_ text: String) throws(QueryError) -> Bool {
    switch text {
    case "", "true": return true
    case "false": return false
    default: throw QueryError("\(text) is neither true nor false", at: 0..<0)
    }
  }

  /// The browser of a command; nil for newsraft's own.
  static func browser(_ text: String) throws(QueryError) -> ForeignProgram? {
    if ["auto", "", "${BROWSER:-xdg-open} \"%l\"", "${BROWSER:-open} \"%l\""].contains(text) {
      return nil
    }
    return try program(text)
  }

  /// A command with the signs of `ForeignProgram` for the address and the title of an article.
  ///
  /// - Throws: `QueryError` where it has others.
  static func program(_ command: String) throws(QueryError) -> ForeignProgram {
    var text = ""
    var rest = command[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      switch rest.popFirst() {
      case "l": text += "%u"
      // The title, or the address where there is none.
      case "t", "o": text += "%T"
      default:
        throw QueryError(
          "only %l and %t, the address and the title, can be told to a program", at: 0..<0)
      }
    }
    return ForeignProgram(text)
  }

  /// Empty for newsraft's own.
  static func userAgent(_ text: String) throws(QueryError) -> String {
    guard text != "auto" else { return "" }
    guard !text.isEmpty else {
      throw QueryError("a request always says which program sends it", at: 0..<0)
    }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw QueryError("a header is plain ASCII", at: 0..<0)
    }
    return text
  }

  static func proxy(_ text: String) throws(QueryError) -> String {
    let kind = text.contains("://") ? String(text.prefix { $0 != ":" }) : "http"
    guard ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(kind),
      !text.contains("@"), !text.contains(where: \.isWhitespace)
    else { throw QueryError("set network.proxy, without a password", at: 0..<0) }
    return text.contains("://") ? text : "http://\(text)"
  }

  /// Why a setting does not come along.
  static func reason(without name: String, isOfFeed: Bool = false) -> String {
    switch name {
    case "proxy-user", "proxy-password": "write the user into network.proxy: no password comes"
    case "mark-item-read-on-hover", "read-on-arrival":
      "see preview and mark_read_after below [screen], and telex rules add --read"
    // The first refresh changes imported articles in details: all of them would become unread.
    case "mark-item-unread-on-change": "telex set FEED --update unread does it, after a refresh"
    case "menu-item-sorting": "change-order (,) sorts a list, and is kept"
    case "menu-feed-sorting", "menu-section-sorting":
      "change-feed-order (#) sorts the feeds, and is kept"
    case "item-limit-unread", "item-limit-important": "see [retention] in the manual"
    case "notification-command": "see [[events.on_new]] in the manual"
    case "respect-ttl-element", "respect-expires-header", "send-if-none-match-header",
      "send-if-modified-since-header", "send-user-agent-header":
      "Telex always keeps to what servers ask for"
    case _ where isOfFeed && name.hasPrefix("color-"):
      "colours are those of all feeds; see [[highlights]] in the manual"
    default: isOfFeed ? "it has no counterpart for one feed" : "it has no counterpart"
    }
  }
}
