internal import Text

/// Description of an article in JSON-LD (schema.org).
struct LinkedData {
  var title: String?
  var byline: String?
  var published: String?
  var language: String?
  var picture: String?
  var siteName: String?
  var excerpt: String?
  /// Text of the article, if the page has it for search engines only.
  var body: String?
  var isForSubscribers = false

  /// Maximum number of values.
  private static let mostSteps = 20_000
  private static let mostAuthors = 8
  private static let types: Set = [
    "Article", "NewsArticle", "BlogPosting", "TechArticle", "ReportageNewsArticle",
    "AnalysisNewsArticle", "OpinionNewsArticle", "ReviewNewsArticle", "ScholarlyArticle",
    "SocialMediaPosting", "LiveBlogPosting", "Report", "Recipe", "DiscussionForumPosting",
    "AdvertiserContentArticle", "BackgroundNewsArticle", "SatiricalArticle",
  ]

  init(_ scripts: [[UInt8]]) {
    var steps = 0
    for script in scripts {
      var open = [JSONValue.parse(script).value]
      while let next = open.popLast() {
        steps += 1
        guard steps < Self.mostSteps else { return }
        switch next {
        case .array(let values): open += values.reversed()
        case .object(let members, _):
          if Self.isArticle(members) {
            read(members)
          } else {
            if Self.isFalse(members["isAccessibleForFree"]), members["mainEntity"] != nil {
              isForSubscribers = true
            }
            for name in ["mainEntityOfPage", "mainEntity", "@graph"] {
              if let value = members[name] { open.append(value) }
            }
          }
        default: break
        }
      }
    }
  }

  private static func isArticle(_ members: [String: JSONValue]) -> Bool {
    guard let type = members["@type"] else { return false }
    return (type.array ?? [type]).contains { $0.string.map(types.contains) ?? false }
  }

  private mutating func read(_ members: [String: JSONValue]) {
    title = title ?? Self.text(members["headline"]) ?? Self.text(members["name"])
    byline = byline ?? Self.names(members["author"]) ?? Self.names(members["creator"])
    published = published ?? Self.text(members["datePublished"])
    language = language ?? Self.text(members["inLanguage"])
    picture =
      picture ?? Self.address(members["image"]) ?? Self.address(members["thumbnailUrl"])
    siteName = siteName ?? Self.names(members["publisher"])
    excerpt = excerpt ?? Self.text(members["description"])
    body = body ?? Self.text(members["articleBody"])
    if Self.isFalse(members["isAccessibleForFree"]) { isForSubscribers = true }
  }

  private static func text(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func isFalse(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let flag): !flag
    case .string(let text): text.lowercased() == "false"
    default: false
    }
  }

  private static func names(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): return text.isEmpty || WebAddress.isWeb(text) ? nil : text
    case .object(let members, _): return text(members["name"])
    case .array(let values):
      let all = values.prefix(mostAuthors).compactMap { value -> String? in
        if case .array = value { return nil }
        return names(value)
      }
      return all.isEmpty ? nil : all.joined(separator: ", ")
    default: return nil
    }
  }

  private static func address(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): return text.isEmpty ? nil : text
    case .object(let members, _): return text(members["url"]) ?? text(members["contentUrl"])
    case .array(let values):
      guard let first = values.first else { return nil }
      if case .array = first { return nil }
      return address(first)
    default: return nil
    }
  }
}
