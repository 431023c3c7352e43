internal import News
internal import Text

/// Precedence of elements with the same meaning. Tests compare it with `Docs/Formats.md`, and put
/// each element against the next weaker one.
struct Precedence: Sendable {
  let field: String
  /// From the strongest. Within a group the first element of the document counts.
  let groups: [[FeedTag]]
  private let ranks: [UInt8]

  init(_ field: String, _ groups: [FeedTag]...) {
    self.field = field
    self.groups = groups
    var ranks = [UInt8](repeating: .max - 1, count: 256)
    for (rank, group) in groups.enumerated() {
      for tag in group { ranks[Int(tag.rawValue)] = UInt8(rank) }
    }
    self.ranks = ranks
  }

  /// Weaker than any element in a table.
  static let weakest = UInt8.max - 1

  /// 0 for the strongest.
  subscript(tag: FeedTag) -> UInt8 { ranks[Int(tag.rawValue)] }

  // MARK: Of an entry

  static let id = Precedence("id", [.guid, .identifier], [.dcIdentifier])
  static let url = Precedence("url", [.originalLink], [.link, .atomLink], [.guid, .identifier])
  static let title = Precedence(
    "title", [.title, .atomTitle], [.dcTitle], [.itunesTitle], [.mediaTitle])
  static let authors = Precedence(
    "authors", [.person], [.creator], [.author], [.itunesAuthor], [.mediaCredit])
  static let published = Precedence(
    "published", [.published], [.termsIssued], [.dcDate], [.termsCreated])
  static let updated = Precedence("updated", [.updated], [.termsModified])
  static let content = Precedence(
    "content", [.encoded], [.atomContent], [.xhtmlBody], [.fullText])
  static let summary = Precedence(
    "summary", [.description, .atomSummary], [.itunesSummary], [.dcDescription],
    [.mediaDescription], [.itunesSubtitle], [.pictureDescription])
  static let image = Precedence("image", [.mediaThumbnail], [.itunesImage], [.image], [.enclosure])
  static let language = Precedence("language", [.entry], [.dcLanguage])
  static let commentsPage = Precedence("comments: page", [.comments], [.atomLink])
  static let commentsFeed = Precedence("comments: feed", [.commentFeed], [.atomLink])
  static let commentsCount = Precedence(
    "comments: count", [.commentCount], [.threadCount], [.atomLink])
  static let source = Precedence("source", [.source, .atomSource], [.dcSource])
  static let rights = Precedence("rights", [.rights], [.dcRights], [.mediaCopyright])

  static let ofEntry = [
    id, url, title, authors, published, updated, content, summary, image, language, commentsPage,
    commentsFeed, commentsCount, source, rights,
  ]

  // MARK: Of the feed

  static let feedLink = Precedence("link", [.link], [.atomLink])
  static let feedTitle = Precedence("title", [.title, .atomTitle], [.dcTitle], [.itunesTitle])
  static let feedDescription = Precedence(
    "description", [.description, .atomSubtitle], [.itunesSummary], [.dcDescription],
    [.itunesSubtitle])
  static let feedLanguage = Precedence("language", [.language], [.dcLanguage], [.feed])
  static let feedImage = Precedence("image", [.itunesImage], [.image], [.logo], [.mediaThumbnail])
  static let feedAuthors = Precedence(
    "authors", [.person], [.creator], [.managingEditor], [.author], [.itunesAuthor])
  static let feedRights = Precedence("rights", [.rights], [.dcRights], [.mediaCopyright])
  static let feedUpdated = Precedence(
    "updated", [.updated, .lastBuilt], [.termsModified], [.published], [.dcDate])
  static let minutesToLive = Precedence("minutes to live", [.minutesToLive], [.updatePeriod])

  static let ofFeed = [
    feedLink, feedTitle, feedDescription, feedLanguage, feedImage, feedAuthors, feedRights,
    feedUpdated, minutesToLive,
  ]
}

struct Ranked<Value> {
  private(set) var value: Value?
  private var rank = UInt8.max

  func accepts(_ rank: UInt8) -> Bool { rank < self.rank }

  /// The first of equal ranks counts.
  mutating func offer(_ value: Value?, _ rank: UInt8) {
    guard rank < self.rank, let value else { return }
    self.value = value
    self.rank = rank
  }
  /// Replaces a value of equal or weaker rank.
  mutating func replace(_ value: Value, _ rank: UInt8) {
    guard rank <= self.rank else { return }
    self.value = value
    self.rank = rank
  }
}

/// The people of the strongest kind of element. A mere address is weaker than any name.
struct RankedAuthors {
  private(set) var list: [Author] = []
  private var rank = UInt8.max
  /// Rank of the kind of element, regardless of names.
  private var element = UInt8.max
  private static let limit = 256
  private static let nameless: UInt8 = 100

  mutating func offer(_ author: Author?, _ element: UInt8) {
    guard let author, !author.name.isEmpty else { return }
    let rank = author.isNameless ? element + Self.nameless : element
    if let known = list.firstIndex(where: { isSame($0, author, in: element) }) {
      // A weaker element may have the address of a known person.
      if list[known].email == nil { list[known].email = author.email }
      if list[known].url == nil { list[known].url = author.url }
      if list[known].isNameless { list[known].name = author.name }
      if rank < self.rank {
        if element != self.element { list = [list[known]] }
        (self.rank, self.element) = (rank, element)
      }
    } else if element == self.element {
      if list.count < Self.limit { list.append(author) }
      self.rank = min(self.rank, rank)
    } else if rank < self.rank {
      let before = list
      list = [author]
      (self.rank, self.element) = (rank, element)
      if before.count == 1, before[0].isNameless { complete(from: before[0]) }
    } else if author.isNameless, list.count == 1 {
      complete(from: author)
    }
  }

  /// An author without a name completes the only one of another element.
  private mutating func complete(from nameless: Author) {
    list[0].email = list[0].email ?? nameless.email
    list[0].url = list[0].url ?? nameless.url
  }

  /// Different names with one mail address are colleagues if one kind of element has both.
  private func isSame(_ a: Author, _ b: Author, in element: UInt8) -> Bool {
    if a.name == b.name { return true }
    guard let email = a.email, email == b.email else { return false }
    return element != self.element || a.isNameless || b.isNameless
  }
}

extension Author {
  var isNameless: Bool {
    WebAddress.isWeb(name) || name == url
      || !name.hasPrefix("@") && name.contains("@") && !name.contains(" ")
  }
}
