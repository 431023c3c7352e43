internal import News

/// What an element of a feed means, whichever format it comes from.
enum FeedTag: UInt8 {
  // Containers.
  case rss, rdf, feed, channel, entry, person, mediaGroup
  /// Holds its own title and link, which are not the feed's: `image`, `textInput`, Atom's `source`.
  case aside
  // Text.
  case title, link, guid, identifier, description, encoded, author, creator, published, updated
  case category, language, minutesToLive, name, email, fallbackBody, generator
  case listTotal, listStart
  // Text whose kind an attribute names.
  case atomTitle, atomSubtitle, atomSummary, atomContent
  // All in attributes.
  case atomLink, atomCategory, enclosure, mediaContent
  // Their presence says it all.
  case historyComplete, historyArchive
  /// A body written as XHTML within RSS.
  case xhtmlBody
  case other

  /// Whether elements inside it are looked up for fields; any other element hides its content.
  var isContainer: Bool { rawValue <= FeedTag.aside.rawValue || self == .other }

  /// Whether this can only begin where the text before it should have ended.
  var endsOpenText: Bool {
    switch self {
    case .entry, .guid, .published, .minutesToLive, .enclosure, .encoded, .description, .category:
      true
    default: false
    }
  }
}

/// Namespaces that mean something in a feed.
enum FeedSpace {
  /// No namespace, and the ones that RSS had at times.
  case rss
  case atom, dublinCore, dublinTerms, content, media, itunes, xhtml, rdf, history, openSearch, other

  init(uri: String) {
    var name = uri.lowercased()
    if name.hasPrefix("https://") { name = "http://" + name.dropFirst(8) }
    while name.hasSuffix("/") || name.hasSuffix("#") { name.removeLast() }
    self =
      switch name {
      case "", "http://purl.org/rss/1.0", "http://my.netscape.com/rdf/simple/0.9",
        "http://channel.netscape.com/rdf/simple/0.9", "http://backend.userland.com/rss2",
        "http://backend.userland.com/rss", "http://blogs.law.harvard.edu/tech/rss",
        "http://cyber.law.harvard.edu/rss/rss.html", "http://purl.org/net/rss1.1":
        .rss
      case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns",
        "http://purl.org/atom/ns#draft-ietf-atompub-format":
        .atom
      case "http://purl.org/dc/elements/1.1", "http://purl.org/dc/elements/1.0": .dublinCore
      case "http://purl.org/dc/terms": .dublinTerms
      case "http://purl.org/rss/1.0/modules/content": .content
      case "http://search.yahoo.com/mrss", "http://video.search.yahoo.com/mrss": .media
      case "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes
      case "http://www.w3.org/1999/xhtml": .xhtml
      case "http://www.w3.org/1999/02/22-rdf-syntax-ns": .rdf
      case "http://purl.org/syndication/history/1.0": .history
      case "http://a9.com/-/spec/opensearch/1.1", "http://a9.com/-/spec/opensearchrss/1.0":
        .openSearch
      default: .other
      }
  }

  /// For a prefix that the document does not declare.
  init(prefix: String) {
    self =
      switch prefix.lowercased() {
      case "atom": .atom
      case "dc": .dublinCore
      case "dcterms": .dublinTerms
      case "content": .content
      case "media": .media
      case "itunes": .itunes
      case "xhtml": .xhtml
      case "rdf": .rdf
      case "fh": .history
      case "opensearch": .openSearch
      default: .other
      }
  }

  func tag(_ name: String) -> FeedTag {
    let table: [String: FeedTag] =
      switch self {
      case .rss: rssTags
      case .atom: atomTags
      case .dublinCore: dublinCoreTags
      case .dublinTerms: dublinTermsTags
      case .content: ["encoded": .encoded]
      case .media: mediaTags
      case .itunes: ["author": .creator, "summary": .fallbackBody]
      case .xhtml: ["body": .xhtmlBody, "div": .xhtmlBody]
      case .rdf: ["RDF": .rdf]
      case .history: ["complete": .historyComplete, "archive": .historyArchive]
      case .openSearch: ["totalResults": .listTotal, "startIndex": .listStart]
      case .other: [:]
      }
    return table[name] ?? .other
  }
}

private let rssTags: [String: FeedTag] = [
  "rss": .rss, "RDF": .rdf, "channel": .channel, "item": .entry, "image": .aside,
  "textInput": .aside, "textinput": .aside, "source": .other, "title": .title, "link": .link,
  "guid": .guid, "description": .description, "author": .author, "pubDate": .published,
  "pubdate": .published, "category": .category, "language": .language, "ttl": .minutesToLive,
  "enclosure": .enclosure, "body": .xhtmlBody, "generator": .generator,
]

private let atomTags: [String: FeedTag] = [
  "feed": .feed, "entry": .entry, "source": .aside, "title": .atomTitle, "link": .atomLink,
  "id": .identifier, "subtitle": .atomSubtitle, "tagline": .atomSubtitle, "summary": .atomSummary,
  "content": .atomContent, "author": .person, "name": .name, "email": .email,
  "published": .published, "issued": .published, "created": .published, "updated": .updated,
  "modified": .updated, "category": .atomCategory, "generator": .generator,
]

private let dublinCoreTags: [String: FeedTag] = [
  "creator": .creator, "author": .creator, "date": .published, "subject": .category,
  "language": .language, "title": .other, "description": .fallbackBody,
]

private let dublinTermsTags: [String: FeedTag] = [
  "modified": .updated, "created": .published, "issued": .published, "creator": .creator,
]

private let mediaTags: [String: FeedTag] = [
  "group": .mediaGroup, "content": .mediaContent, "description": .fallbackBody,
]

/// Looks elements up by the addresses of their interned names, so that no string is made for one that
/// was seen before.
struct FeedVocabulary {
  private struct Key: Hashable {
    var name: UnsafePointer<UInt8>
    var space: UnsafePointer<UInt8>?
    var prefix: UnsafePointer<UInt8>?
  }

  /// Hostile documents use any number of names; these are remembered.
  private static let limit = 1024

  private var tags: [Key: FeedTag] = [:]
  /// An Atom feed that forgot its namespace.
  private var readsPlainAsAtom = false

  mutating func tag(of element: XMLElement, isRoot: Bool) -> FeedTag {
    if isRoot, element.space == nil, isEqual(element.name, "feed") { readsPlainAsAtom = true }
    let key = Key(name: element.name, space: element.space, prefix: element.prefix)
    if let tag = tags[key] { return tag }
    var space: FeedSpace
    if let uri = element.space {
      space = FeedSpace(uri: String(cString: uri))
    } else if let prefix = element.prefix {
      space = FeedSpace(prefix: String(cString: prefix))
    } else {
      space = readsPlainAsAtom ? .atom : .rss
    }
    // Some feeds give the whole of RSS a namespace of their own.
    if isRoot, space == .other { space = .rss }
    let tag = space.tag(element.localName)
    if tags.count < Self.limit { tags[key] = tag }
    return tag
  }
}
