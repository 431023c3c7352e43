internal import News

enum FeedTag: UInt8, CaseIterable {
  // Containers.
  case rss, rdf, feed, channel, entry, person, mediaGroup
  /// A file; the fields of a film or an episode are the entry's too.
  case mediaContent
  /// A picture file; its fields are its own.
  case picture
  /// RSS's picture, with its address in an element.
  case image
  case atomSource
  /// RSS's `skipHours` and `skipDays`.
  case skips
  /// Has a title and link of its own: `textInput`, `itunes:owner`.
  case aside
  // Text.
  case title, dcTitle, mediaTitle, itunesTitle
  case link, originalLink, originalEnclosure, url
  case guid, identifier, dcIdentifier
  case description, encoded, itunesSummary, itunesSubtitle, dcDescription, mediaDescription
  case pictureDescription, fullText
  case author, creator, itunesAuthor, mediaCredit, managingEditor
  case published, dcDate, termsIssued, termsCreated, updated, termsModified, lastBuilt
  case category, dcSubject, mediaCategory, keywords
  case language, dcLanguage
  case minutesToLive, updatePeriod, updateFrequency, skippedHour, skippedDay
  case name, email, personURL
  case generator, listTotal
  case logo, icon, newFeedURL
  case comments, commentFeed, commentCount, threadCount
  case rights, dcRights, mediaCopyright
  case source, dcSource
  case duration
  // Text with a type.
  case atomTitle, atomSubtitle, atomSummary, atomContent
  // Attributes only.
  case atomLink, atomCategory, itunesCategory, enclosure, mediaThumbnail
  case itunesImage, chapters, transcript, inReplyTo
  // Flags.
  case historyComplete, historyArchive
  case xhtmlBody
  case other

  /// Whether fields are looked up in it; other elements hide their content.
  var isContainer: Bool { rawValue <= FeedTag.aside.rawValue || self == .other }

  /// Whether this can only begin if the text before it was not closed.
  ///
  /// - Parameter open: the open text. Unlike a title, HTML may contain a link and a title.
  func ends(_ open: FeedTag) -> Bool {
    switch self {
    case .entry, .guid, .published, .minutesToLive, .enclosure, .encoded, .description, .category:
      true
    case .link, .author, .creator, .comments, .atomLink, .atomSummary, .atomContent:
      open == .title || open == .atomTitle
    default: false
    }
  }
}

/// Namespaces of feeds, by their usual prefixes.
enum FeedSpace: String {
  /// None, or one that RSS had at times.
  case rss
  case atom, content, media, itunes, xhtml, rdf, slash, podcast, prism, yandex, turbo
  case dublinCore = "dc"
  case dublinTerms = "dcterms"
  case history = "fh"
  case openSearch = "opensearch"
  case syndication = "sy"
  case commentAPI = "wfw"
  case thread = "thr"
  case feedBurner = "feedburner"
  case enclosure = "enc"
  case webFeeds = "webfeeds"
  case other = ""

  init(uri: String) {
    // Bounds the work for unknown names.
    guard uri.utf8.count <= 256 else {
      self = .other
      return
    }
    var name = uri.lowercased()
    if name.hasPrefix("https://") { name = "http://" + name.dropFirst(8) }
    while name.hasSuffix("/") || name.hasSuffix("#") { name.removeLast() }
    self =
      switch name {
      case "", "http://purl.org/rss/1.0", "http://my.netscape.com/rdf/simple/0.9",
        "http://channel.netscape.com/rdf/simple/0.9", "http://backend.userland.com/rss2",
        "http://backend.userland.com/rss", "http://backend.userland.com/rss091",
        "http://my.netscape.com/publish/formats/rss-0.91.dtd",
        "http://blogs.law.harvard.edu/tech/rss", "http://cyber.law.harvard.edu/rss/rss.html",
        "http://purl.org/net/rss1.1":
        .rss
      case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns",
        "http://purl.org/atom/ns#draft-ietf-atompub-format", "http://purl.org/atom",
        "http://purl.org/atom/1.0":
        .atom
      case "http://purl.org/dc/elements/1.1", "http://purl.org/dc/elements/1.0": .dublinCore
      case "http://purl.org/dc/terms": .dublinTerms
      case "http://purl.org/rss/1.0/modules/content": .content
      case "http://search.yahoo.com/mrss", "http://video.search.yahoo.com/mrss",
        "http://tools.search.yahoo.com/mrss":
        .media
      case "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "http://www.google.com/schemas/play-podcasts/1.0":
        .itunes
      case "http://www.w3.org/1999/xhtml": .xhtml
      case "http://www.w3.org/1999/02/22-rdf-syntax-ns": .rdf
      case "http://purl.org/syndication/history/1.0": .history
      case "http://a9.com/-/spec/opensearch/1.1", "http://a9.com/-/spec/opensearchrss/1.0":
        .openSearch
      case "http://purl.org/rss/1.0/modules/syndication": .syndication
      case "http://purl.org/rss/1.0/modules/slash": .slash
      case "http://wellformedweb.org/commentapi": .commentAPI
      case "http://purl.org/syndication/thread/1.0": .thread
      case "http://rssnamespace.org/feedburner/ext/1.0", "http://www.pheedo.com/namespace/pheedo":
        .feedBurner
      case "http://podcastindex.org/namespace/1.0",
        "http://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md":
        .podcast
      case "http://purl.oclc.org/net/rss_2.0/enc": .enclosure
      case "http://prismstandard.org/namespaces/basic/2.0",
        "http://prismstandard.org/namespaces/1.2/basic",
        "http://prismstandard.org/namespaces/basic/2.1",
        "http://prismstandard.org/namespaces/basic/3.0":
        .prism
      case "http://news.yandex.ru": .yandex
      case "http://turbo.yandex.ru": .turbo
      case "http://webfeeds.org/rss/1.0": .webFeeds
      default: .other
      }
  }

  /// For a prefix with an undeclared or unknown namespace.
  init(prefix: String) {
    self =
      switch prefix.lowercased() {
      case "atom10", "a10": .atom
      case "googleplay": .itunes
      case let name: FeedSpace(rawValue: name) ?? .other
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
      case .itunes: itunesTags
      case .xhtml: ["body": .xhtmlBody, "div": .xhtmlBody]
      case .rdf: ["rdf": .rdf]
      case .history: ["complete": .historyComplete, "archive": .historyArchive]
      case .openSearch: ["totalresults": .listTotal]
      case .syndication:
        ["updateperiod": .updatePeriod, "updatefrequency": .updateFrequency]
      case .slash: ["comments": .commentCount]
      case .commentAPI: ["commentrss": .commentFeed]
      case .thread: ["total": .threadCount, "in-reply-to": .inReplyTo]
      case .feedBurner: ["origlink": .originalLink, "origenclosurelink": .originalEnclosure]
      case .podcast: ["chapters": .chapters, "transcript": .transcript]
      case .enclosure: ["enclosure": .enclosure]
      case .prism: ["publicationdate": .termsCreated, "coverdate": .termsCreated]
      case .yandex: ["full-text": .fullText]
      case .turbo: ["content": .fullText]
      case .webFeeds: ["icon": .icon]
      case .other: [:]
      }
    return table[name] ?? .other
  }
}

private let rssTags: [String: FeedTag] = [
  "rss": .rss, "rdf": .rdf, "channel": .channel, "item": .entry, "image": .image,
  "textinput": .aside, "source": .source, "title": .title, "link": .link, "url": .url,
  "guid": .guid, "description": .description, "author": .author, "pubdate": .published,
  "managingeditor": .managingEditor, "lastbuilddate": .lastBuilt, "copyright": .rights,
  "category": .category, "language": .language, "ttl": .minutesToLive, "comments": .comments,
  "skiphours": .skips, "skipdays": .skips, "hour": .skippedHour, "day": .skippedDay,
  "enclosure": .enclosure, "body": .xhtmlBody, "generator": .generator,
  // Taken from other vocabularies by homemade feeds; weaker than RSS's own names.
  "content": .encoded, "encoded": .encoded, "summary": .dcDescription, "id": .dcIdentifier,
  "date": .dcDate, "published": .termsIssued, "updated": .termsModified,
  "modified": .termsModified, "creator": .creator, "subject": .dcSubject,
  "created": .termsCreated, "publicationdate": .termsIssued, "publishdate": .termsIssued,
  "datepublished": .termsIssued, "fulltext": .fullText, "fullitem": .fullText,
  "entry": .entry, "issued": .termsIssued, "subtitle": .itunesSubtitle, "rights": .dcRights,
]

private let atomTags: [String: FeedTag] = [
  "feed": .feed, "entry": .entry, "source": .atomSource, "title": .atomTitle, "link": .atomLink,
  "id": .identifier, "subtitle": .atomSubtitle, "tagline": .atomSubtitle, "info": .atomSubtitle,
  "summary": .atomSummary, "content": .atomContent, "author": .person, "name": .name,
  "email": .email, "uri": .personURL, "url": .personURL, "published": .published,
  "issued": .published, "created": .termsCreated, "updated": .updated, "modified": .updated,
  "category": .atomCategory, "generator": .generator, "logo": .logo, "icon": .icon,
  "rights": .rights, "copyright": .rights,
  // Taken from RSS by homemade feeds.
  "item": .entry, "guid": .guid, "pubdate": .termsIssued, "date": .dcDate,
  "description": .dcDescription, "encoded": .encoded, "body": .xhtmlBody, "creator": .creator,
  "enclosure": .enclosure, "comments": .comments, "managingeditor": .managingEditor,
  "lastbuilddate": .lastBuilt, "language": .language, "ttl": .minutesToLive,
]

private let dublinCoreTags: [String: FeedTag] = [
  "creator": .creator, "author": .creator, "date": .dcDate, "subject": .dcSubject,
  "language": .dcLanguage, "title": .dcTitle, "description": .dcDescription,
  "identifier": .dcIdentifier, "rights": .dcRights, "source": .dcSource,
  // Often used without their namespace.
  "issued": .termsIssued, "created": .termsCreated, "modified": .termsModified,
]

private let dublinTermsTags: [String: FeedTag] = [
  "modified": .termsModified, "created": .termsCreated, "issued": .termsIssued,
  "available": .termsCreated,
  "date": .dcDate, "creator": .creator, "title": .dcTitle, "subject": .dcSubject,
  "abstract": .dcDescription, "description": .dcDescription, "rights": .dcRights,
  "language": .dcLanguage,
]

private let mediaTags: [String: FeedTag] = [
  "group": .mediaGroup, "content": .mediaContent, "thumbnail": .mediaThumbnail,
  "title": .mediaTitle, "description": .mediaDescription, "credit": .mediaCredit,
  "category": .mediaCategory, "keywords": .keywords, "copyright": .mediaCopyright,
]

private let itunesTags: [String: FeedTag] = [
  "author": .itunesAuthor, "summary": .itunesSummary, "subtitle": .itunesSubtitle,
  "description": .itunesSummary, "title": .itunesTitle, "duration": .duration,
  "image": .itunesImage, "keywords": .keywords, "category": .itunesCategory, "owner": .aside,
  "new-feed-url": .newFeedURL,
]

/// Meanings of elements by the numbers of their names, so that known names need no string.
struct FeedVocabulary {
  private struct Known {
    /// Namespace of the lookup; -1 before it.
    var space: Int32 = -1
    var tag = FeedTag.other
  }

  /// Bound for hostile documents.
  private static let limit = 1024

  private var tags: [Known] = []
  /// For elements without a prefix or with an unknown namespace.
  private var plainSpace = FeedSpace.rss
  /// Default namespace of an RSS root, which means RSS whatever its address.
  private var rootSpace = XMLNamespaces.none

  mutating func tag(of element: XMLElement, isRoot: Bool) -> FeedTag {
    if isRoot { readRoot(element) }
    let number = Int(element.name)
    if number < tags.count, tags[number].space == element.space { return tags[number].tag }
    let tag = space(of: element).tag(element.localName.lowercased())
    guard number < Self.limit else { return tag }
    while tags.count <= number { tags.append(Known()) }
    tags[number] = Known(space: element.space, tag: tag)
    return tag
  }

  private mutating func readRoot(_ root: XMLElement) {
    switch root.localName.lowercased() {
    case "feed", "entry": plainSpace = .atom
    case "rss", "rdf", "channel": if !root.hasPrefix { rootSpace = root.space }
    default: break
    }
  }

  private func space(of element: XMLElement) -> FeedSpace {
    guard let uri = element.spaceAddress else {
      return element.prefix.map(FeedSpace.init(prefix:)) ?? plainSpace
    }
    if element.space == rootSpace { return .rss }
    let space = FeedSpace(uri: uri)
    guard space == .other else { return space == .rss ? plainSpace : space }
    return element.prefix.map(FeedSpace.init(prefix:)) ?? plainSpace
  }
}
