internal import Foundation
internal import News
internal import Text

/// Details of an action for undo and redo, as JSON with keys by the kind of the action.
enum ActionDetail: Sendable {
  /// Several articles, or those with marks that not all of them had, and the name of a tag.
  case articles([Int64]?, tag: String? = nil)
  /// Tags that were changed together, each with the articles that it has changed.
  case tags([ChangedTag])
  /// Whether a server keeps the subscription that was added or removed, and is told.
  case feed(isTold: Bool)
  case feeds([ChangedFeed])
  /// Names of a feed; nil for its own.
  case name(former: String?, String?, isTold: Bool)
  case folders(former: [String], [String], isTold: Bool)
  /// Feeds that were put into other folders together, and the folders that the journal names.
  case filed([FiledFeed], folders: [String]?)
  case folder(MovedFolder)
  /// Rows about folders that were changed, and what they were changed into.
  case rows(former: [OutlineRow], [OutlineRow])
  case settings(former: FeedSettings, FeedSettings)
  /// Feeds that were set otherwise together, and what was set.
  case settingsOfFeeds([ChangedFeed], FeedSettings)
  /// As `FeedProxy.text`; nil for that of the settings.
  case proxy(former: String?, String?)
  case way(former: FeedWay, FeedWay)
  case rules([StoredRule])
  /// A smart feed before and after; nil for none.
  case smartFeed(former: StoredSmartFeed?, StoredSmartFeed?)

  var idsOfFeeds: [Int64] {
    switch self {
    case .feeds(let feeds), .settingsOfFeeds(let feeds, _): feeds.map(\.feed)
    case .filed(let filed, _): filed.map(\.feed)
    case .folder(let folder): folder.filed.map(\.feed)
    default: []
    }
  }

  /// The action on several feeds without one of them.
  func without(_ feed: FeedID) -> ActionDetail {
    switch self {
    case .feeds(let feeds): return .feeds(feeds.filter { $0.feed != feed.rawValue })
    case .settingsOfFeeds(let feeds, let said):
      return .settingsOfFeeds(feeds.filter { $0.feed != feed.rawValue }, said)
    case .filed(let filed, let folders):
      return .filed(filed.filter { $0.feed != feed.rawValue }, folders: folders)
    case .folder(var folder):
      folder.filed.removeAll { $0.feed == feed.rawValue }
      return .folder(folder)
    default: return self
    }
  }
}

extension ActionDetail: Encodable {
  private enum Key: String, CodingKey {
    case articles, tag, tags, isTold, feeds, formerTitle, title, formerFolders, folders, filed
    case formerRows, rows, formerSettings, settings, formerProxy, proxy, formerWay, way, rules
    case formerSmart, smart
  }

  private struct Fields: Decodable {
    let values: KeyedDecodingContainer<Key>

    init(from decoder: any Decoder) throws { values = try decoder.container(keyedBy: Key.self) }

    func callAsFunction<Value: Decodable>(_ key: Key) -> Value? {
      try? values.decodeIfPresent(Value.self, forKey: key)
    }
  }

  /// - Returns: nil for an action of a kind that has no detail, or whose detail cannot be read.
  init?(_ kind: UserActionKind, _ text: String?) {
    guard let field: Fields = StoredJSON.decode(text ?? "{}") else { return nil }
    let isTold = field(.isTold) ?? false
    switch kind {
    case .readAll, .comment, .changeComment: return nil
    case .opened, .read, .starred, .deleteArticles, .savePage: self = .articles(field(.articles))
    case .tag: self = field(.tags).map(Self.tags) ?? .articles(field(.articles), tag: field(.tag))
    case .addFeed, .removeFeed: self = field(.feeds).map(Self.feeds) ?? .feed(isTold: isTold)
    case .renameFeed: self = .name(former: field(.formerTitle), field(.title), isTold: isTold)
    case .fileFeed:
      if let filed: [FiledFeed] = field(.filed) {
        self = .filed(filed, folders: field(.folders))
      } else {
        self = .folders(former: field(.formerFolders) ?? [], field(.folders) ?? [], isTold: isTold)
      }
    case .moveFolder:
      guard let folder: MovedFolder = StoredJSON.decode(text) else { return nil }
      self = .folder(folder)
    case .addFolder: self = .rows(former: field(.formerRows) ?? [], field(.rows) ?? [])
    case .setFeed:
      let settings: FeedSettings = field(.settings) ?? FeedSettings()
      if let feeds: [ChangedFeed] = field(.feeds) {
        self = .settingsOfFeeds(feeds, settings)
      } else {
        self = .settings(former: field(.formerSettings) ?? FeedSettings(), settings)
      }
    case .setProxy: self = .proxy(former: field(.formerProxy), field(.proxy))
    case .setRecipe:
      guard let former: FeedWay = field(.formerWay), let way: FeedWay = field(.way) else {
        return nil
      }
      self = .way(former: former, way)
    case .addRule, .removeRule: self = .rules(field(.rules) ?? [])
    case .setSmartFeed: self = .smartFeed(former: field(.formerSmart), field(.smart))
    }
  }

  var text: String? { StoredJSON.encode(self) }

  func encode(to encoder: any Encoder) throws {
    if case .folder(let folder) = self { return try folder.encode(to: encoder) }
    var fields = encoder.container(keyedBy: Key.self)
    func set(_ key: Key, _ value: (some Encodable)?) throws {
      try fields.encodeIfPresent(value, forKey: key)
    }
    func change(
      _ formerKey: Key, _ former: (some Encodable)?, _ key: Key, _ value: (some Encodable)?
    ) throws {
      try set(formerKey, former)
      try set(key, value)
    }
    switch self {
    case .articles(let articles, let tag): try change(.articles, articles, .tag, tag)
    case .tags(let tags): try set(.tags, tags)
    case .feed(let isTold): try set(.isTold, isTold)
    case .feeds(let feeds): try set(.feeds, feeds)
    case .name(let former, let title, let isTold):
      try change(.formerTitle, former, .title, title)
      try set(.isTold, isTold)
    case .folders(let former, let folders, let isTold):
      try change(.formerFolders, former, .folders, folders)
      try set(.isTold, isTold)
    case .filed(let filed, let folders): try change(.filed, filed, .folders, folders)
    case .folder: break
    case .rows(let former, let rows): try change(.formerRows, former, .rows, rows)
    case .settings(let former, let settings):
      try change(.formerSettings, former, .settings, settings)
    case .settingsOfFeeds(let feeds, let settings): try change(.feeds, feeds, .settings, settings)
    case .proxy(let former, let proxy): try change(.formerProxy, former, .proxy, proxy)
    case .way(let former, let way): try change(.formerWay, former, .way, way)
    case .rules(let rules): try set(.rules, rules)
    case .smartFeed(let former, let smart): try change(.formerSmart, former, .smart, smart)
    }
  }
}

extension ActionDetail {
  /// As the journal says it; nil where the kind and the subject of the action say all.
  var said: String? {
    switch self {
    case .articles(_, let tag): tag
    case .tags(let tags):
      Self.said(tags.filter { !Later.isDueTag($0.name) }) ?? Later.tag
    case .name(_, let title, _): title
    case .folders(_, let folders, _): folders.joined(separator: " and ")
    case .filed(_, let folders): folders?.joined(separator: " and ")
    case .folder(let folder): folder.isRemoval ? "" : folder.path
    case .settings(_, let settings), .settingsOfFeeds(_, let settings):
      FeedSetting.allCases.compactMap { setting in
        setting.text(in: settings).map { "\(setting.rawValue) \($0)" }
      }.joined(separator: ", ")
    case .proxy(_, let proxy): proxy.map(WebAddress.redacted)
    case .rules(let rules): rules.map(\.text).joined(separator: ", ")
    case .smartFeed(let former, let smart):
      // One that was made or ended is the subject.
      if let former, let smart {
        former.name == smart.name ? smart.query : "“\(smart.name)”"
      } else {
        nil
      }
    case .feed, .feeds, .rows, .way: nil
    }
  }

  /// Nil without tags. Those that were taken off beside others have a minus.
  private static func said(_ tags: [ChangedTag]) -> String? {
    let names = tags.map { tag in
      !tag.isSet && tags.contains(where: \.isSet) ? "−\(tag.name)" : tag.name
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

/// A folder whose feeds were put into another.
struct MovedFolder: Codable, Sendable {
  let formerPath: String
  let path: String
  /// Whether a server keeps the subscriptions, and is told.
  let isTold: Bool
  var filed: [FiledFeed]
  var formerRows: [OutlineRow]?
  var rows: [OutlineRow]?
  /// Former paths of moved folders with attributes, in actions of earlier versions.
  var outlines: [String]?

  /// Whether the feeds of the folder were put into the one around it.
  var isRemoval: Bool { path.isEmpty || formerPath.hasPrefix(path + "/") }
}

/// The address of a feed, and how its articles are asked for and read there.
struct FeedWay: Codable, Equatable, Sendable {
  var url: String
  var isUserEntered: Bool
  /// Nil where the address tells all.
  var recipe: String?

  init(_ feed: Feed) {
    (url, isUserEntered, recipe) = (feed.url, feed.isUserEntered, feed.recipe?.rawValue)
  }
}

/// A tag that was put on articles, or taken off, together with others.
struct ChangedTag: Codable, Sendable {
  let name: String
  let isSet: Bool
  let articles: [Int64]
}

/// A feed that was put into other folders together with others.
struct FiledFeed: Codable, Sendable {
  let feed: Int64
  let former: [String]
  let folders: [String]
  /// Whether a server keeps its subscription, and is told; nil for what the action says of all its feeds.
  var isTold: Bool?
}

/// A feed that was added, removed or set otherwise together with others.
struct ChangedFeed: Codable, Sendable {
  let feed: Int64
  /// Whether a server keeps its subscription, and is told.
  var isTold: Bool?
  var formerSettings: FeedSettings?
  var settings: FeedSettings?
}
