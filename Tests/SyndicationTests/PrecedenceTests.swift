import Foundation
import News
import Testing
import Text

@testable import Syndication

/// How an element says something: its name as a reader of XML knows it, and a document's piece in
/// which it says `value`.
private struct Sample: Sendable {
  var element: String
  var xml: String
  /// What it comes to.
  var value: String
  /// Where the word is an attribute of the entry, or of the feed, around it.
  var isAttribute = false

  init(_ element: String, _ xml: String, _ value: String, isAttribute: Bool = false) {
    self.element = element
    self.xml = xml
    self.value = value
    self.isAttribute = isAttribute
  }

  /// An element that holds nothing but its text.
  static func text(_ element: String, _ value: String, as name: String? = nil) -> Sample {
    Sample(name ?? element, "<\(element)>\(value)</\(element)>", value)
  }

  /// An element whose address stands in an attribute.
  static func address(_ element: String, _ rest: String = "", in attribute: String) -> Sample {
    let place = element.replacing(":", with: "-")
    let url = "https://example.org/of-\(place)"
    return Sample(element, "<\(element) \(rest) \(attribute)=\"\(url)\"/>", url)
  }

  /// An element whose text is an address.
  static func link(_ element: String) -> Sample {
    .text(element, "https://example.org/of-\(element.replacing(":", with: "-"))")
  }

  static func date(_ element: String, _ year: Int) -> Sample {
    Sample(
      element, "<\(element)>\(year)-01-01T00:00:00Z</\(element)>", "\(year)-01-01T00:00:00Z")
  }
}

/// A row of the table, what its elements look like, and what they come to.
private struct Row: Sendable, CustomTestStringConvertible {
  var table: Precedence
  var samples: [FeedTag: Sample]
  var value: @Sendable (ParsedFeed) -> String?
  /// What else the entry holds: without anything to show it would be none.
  var rest = "<enclosure url=\"/file\"/>"
  var isOfFeed = false

  var testDescription: String { (isOfFeed ? "feed: " : "entry: ") + table.field }

  /// The row as `Docs/Formats.md` has it.
  var markdown: String {
    let groups = table.groups.map { group in
      group.map { "`\(samples[$0]?.element ?? "?")`" }.joined(separator: " or ")
    }
    return "| \(table.field) | \(groups.joined(separator: ", then ")) |"
  }
}

private func entry<Value: Sendable>(
  _ path: @escaping @Sendable (Entry) -> Value?
) -> @Sendable (ParsedFeed) -> Value? {
  { feed in feed.entries.first.flatMap(path) }
}

private let entryRows: [Row] = [
  Row(
    table: Precedence.id,
    samples: [
      .guid: Sample("guid", "<guid isPermaLink=\"false\">of-guid</guid>", "of-guid"),
      .identifier: .text("atom:id", "of-atom-id"),
      .dcIdentifier: .text("dc:identifier", "of-dc"),
    ], value: entry(\.id)),
  Row(
    table: Precedence.url,
    samples: [
      .originalLink: .link("feedburner:origLink"), .link: .link("link"),
      .atomLink: .address("atom:link", in: "href"), .guid: .link("guid"),
      .identifier: .link("atom:id"),
    ], value: entry(\.url)),
  Row(
    table: Precedence.title,
    samples: [
      .title: .text("title", "RSS"), .atomTitle: .text("atom:title", "Atom"),
      .dcTitle: .text("dc:title", "Dublin"), .mediaTitle: .text("media:title", "Media"),
      .itunesTitle: .text("itunes:title", "Podcast"),
    ], value: entry(\.title)),
  Row(
    table: Precedence.authors,
    samples: [
      .person: Sample("atom:author", "<atom:author><atom:name>A</atom:name></atom:author>", "A"),
      .creator: .text("dc:creator", "D"), .author: .text("author", "R"),
      .itunesAuthor: .text("itunes:author", "I"),
      .mediaCredit: Sample(
        "media:credit", "<media:credit role=\"author\">M</media:credit>", "M"),
    ], value: entry { $0.authors.map(\.name).joined(separator: "+") }),
  Row(
    table: Precedence.published,
    samples: [
      .published: .date("pubDate", 2001), .termsIssued: .date("dcterms:issued", 2002),
      .dcDate: .date("dc:date", 2003), .termsCreated: .date("dcterms:created", 2004),
    ], value: entry { $0.published.map(Timestamp.text(of:)) }),
  Row(
    table: Precedence.updated,
    samples: [
      .updated: .date("atom:updated", 2001), .termsModified: .date("dcterms:modified", 2002),
    ], value: entry { $0.updated.map(Timestamp.text(of:)) }),
  Row(
    table: Precedence.content,
    samples: [
      .encoded: .text("content:encoded", "Encoded"),
      .atomContent: Sample(
        "atom:content", "<atom:content type=\"html\">Atom</atom:content>", "Atom"),
      .xhtmlBody: .text("xhtml:body", "Body"),
      .fullText: .text("yandex:full-text", "Full"),
    ], value: entry(\.contentHTML)),
  Row(
    table: Precedence.summary,
    samples: [
      .description: .text("description", "RSS"), .atomSummary: .text("atom:summary", "Atom"),
      .itunesSummary: .text("itunes:summary", "Podcast"),
      .dcDescription: .text("dc:description", "Dublin"),
      .mediaDescription: .text("media:description", "Media"),
      .itunesSubtitle: .text("itunes:subtitle", "Subtitle"),
      .pictureDescription: Sample(
        "media:description of a picture",
        """
        <media:content medium="image" url="/p"><media:description>Picture</media:description>\
        </media:content>
        """, "Picture"),
    ], value: entry(\.summary), rest: "<content:encoded>Body</content:encoded>"),
  Row(
    table: Precedence.image,
    samples: [
      .mediaThumbnail: .address("media:thumbnail", in: "url"),
      .itunesImage: .address("itunes:image", in: "href"),
      .image: Sample(
        "image", "<image><url>https://example.org/image</url></image>",
        "https://example.org/image"),
      .enclosure: .address("enclosure", "type=\"image/png\"", in: "url"),
    ], value: entry { $0.image }),
  Row(
    table: Precedence.language,
    samples: [
      .entry: Sample("xml:lang", "xml:lang=\"fr\"", "fr", isAttribute: true),
      .dcLanguage: .text("dc:language", "de"),
    ], value: entry(\.language)),
  Row(
    table: Precedence.commentsPage,
    samples: [
      .comments: .link("comments"),
      .atomLink: .address("atom:link", "rel=\"replies\" type=\"text/html\"", in: "href"),
    ], value: entry { $0.comments?.page }),
  Row(
    table: Precedence.commentsFeed,
    samples: [
      .commentFeed: .link("wfw:commentRss"),
      .atomLink: .address("atom:link", "rel=\"replies\" type=\"application/atom+xml\"", in: "href"),
    ], value: entry { $0.comments?.feed }),
  Row(
    table: Precedence.commentsCount,
    samples: [
      .commentCount: .text("slash:comments", "1"), .threadCount: .text("thr:total", "2"),
      .atomLink: Sample(
        "atom:link", "<atom:link rel=\"replies\" href=\"/r\" thr:count=\"3\"/>", "3"),
    ], value: entry { $0.comments?.count.map(String.init) }),
  Row(
    table: Precedence.source,
    samples: [
      .source: .text("source", "RSS"),
      .atomSource: Sample(
        "atom:source", "<atom:source><atom:title>Atom</atom:title></atom:source>", "Atom"),
      .dcSource: .text("dc:source", "Dublin"),
    ], value: entry { $0.source?.title }),
  Row(
    table: Precedence.rights,
    samples: [
      .rights: .text("atom:rights", "Atom"), .dcRights: .text("dc:rights", "Dublin"),
      .mediaCopyright: .text("media:copyright", "Media"),
    ], value: entry(\.rights)),
]

private let feedRows: [Row] = [
  Row(
    table: Precedence.feedLink,
    samples: [.link: .link("link"), .atomLink: .address("atom:link", in: "href")],
    value: { $0.description.link }, isOfFeed: true),
  Row(
    table: Precedence.feedTitle,
    samples: [
      .title: .text("title", "RSS"), .atomTitle: .text("atom:title", "Atom"),
      .dcTitle: .text("dc:title", "Dublin"), .itunesTitle: .text("itunes:title", "Podcast"),
    ], value: { $0.description.title }, isOfFeed: true),
  Row(
    table: Precedence.feedDescription,
    samples: [
      .description: .text("description", "RSS"),
      .atomSubtitle: .text("atom:subtitle", "Atom"),
      .itunesSummary: .text("itunes:summary", "Podcast"),
      .dcDescription: .text("dc:description", "Dublin"),
      .itunesSubtitle: .text("itunes:subtitle", "Subtitle"),
    ], value: { $0.description.description }, isOfFeed: true),
  Row(
    table: Precedence.feedLanguage,
    samples: [
      .language: .text("language", "en"), .dcLanguage: .text("dc:language", "de"),
      .feed: Sample("xml:lang", "xml:lang=\"fr\"", "fr", isAttribute: true),
    ], value: { $0.description.language }, isOfFeed: true),
  Row(
    table: Precedence.feedImage,
    samples: [
      .itunesImage: .address("itunes:image", in: "href"),
      .image: Sample(
        "image", "<image><url>https://example.org/image</url></image>",
        "https://example.org/image"),
      .logo: .link("atom:logo"), .mediaThumbnail: .address("media:thumbnail", in: "url"),
    ], value: { $0.description.image }, isOfFeed: true),
  Row(
    table: Precedence.feedAuthors,
    samples: [
      .person: Sample("atom:author", "<atom:author><atom:name>A</atom:name></atom:author>", "A"),
      .creator: .text("dc:creator", "D"), .managingEditor: .text("managingEditor", "E"),
      .author: .text("author", "R"), .itunesAuthor: .text("itunes:author", "I"),
    ], value: { $0.description.authors.map(\.name).joined(separator: "+") }, isOfFeed: true),
  Row(
    table: Precedence.feedRights,
    samples: [
      .rights: .text("copyright", "RSS"), .dcRights: .text("dc:rights", "Dublin"),
      .mediaCopyright: .text("media:copyright", "Media"),
    ], value: { $0.description.rights }, isOfFeed: true),
  Row(
    table: Precedence.feedUpdated,
    samples: [
      .updated: .date("atom:updated", 2001), .lastBuilt: .date("lastBuildDate", 2002),
      .termsModified: .date("dcterms:modified", 2003), .published: .date("pubDate", 2004),
      .dcDate: .date("dc:date", 2005),
    ], value: { $0.description.updated.map(Timestamp.text(of:)) }, isOfFeed: true),
  Row(
    table: Precedence.minutesToLive,
    samples: [
      .minutesToLive: .text("ttl", "90"),
      .updatePeriod: Sample(
        "sy:updatePeriod", "<sy:updatePeriod>hourly</sy:updatePeriod>", "60"),
    ], value: { $0.description.minutesToLive.map(String.init) }, isOfFeed: true),
]

private let namespaces = [
  "atom": "http://www.w3.org/2005/Atom", "dc": "http://purl.org/dc/elements/1.1/",
  "dcterms": "http://purl.org/dc/terms/", "content": "http://purl.org/rss/1.0/modules/content/",
  "media": "http://search.yahoo.com/mrss/",
  "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
  "xhtml": "http://www.w3.org/1999/xhtml", "slash": "http://purl.org/rss/1.0/modules/slash/",
  "wfw": "http://wellformedweb.org/CommentAPI/", "thr": "http://purl.org/syndication/thread/1.0",
  "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
  "sy": "http://purl.org/rss/1.0/modules/syndication/", "yandex": "http://news.yandex.ru",
].map { "xmlns:\($0)=\"\($1)\"" }.joined(separator: " ")

/// What a document comes to that says something in these ways, in this order.
private func value(of row: Row, saidBy samples: [Sample]) throws -> String? {
  let attributes = samples.filter(\.isAttribute).map(\.xml).joined(separator: " ")
  let elements = samples.filter { !$0.isAttribute }.map(\.xml).joined()
  let document =
    row.isOfFeed
    ? "<rss version=\"2.0\" \(namespaces) \(attributes)><channel>\(elements)</channel></rss>"
    : "<rss version=\"2.0\" \(namespaces)><channel><item \(attributes)>"
      + "\(row.rest)\(elements)</item></channel></rss>"
  return row.value(try FeedParser.parse(Array(document.utf8), baseURL: "https://example.org/feed"))
}

@Suite struct PrecedenceTests {
  @Test func `Every row of the table has its samples`() {
    #expect(entryRows.map(\.table.field) == Precedence.ofEntry.map(\.field))
    #expect(feedRows.map(\.table.field) == Precedence.ofFeed.map(\.field))
    for row in entryRows + feedRows {
      #expect(Set(row.samples.keys) == Set(row.table.groups.joined()), "\(row.testDescription)")
    }
  }

  @Test(arguments: entryRows + feedRows)
  private func `An element that stands alone says it`(_ row: Row) throws {
    for tag in row.table.groups.joined() {
      let sample = try #require(row.samples[tag], "\(tag) has no sample.")
      #expect(try value(of: row, saidBy: [sample]) == sample.value, "\(sample.element)")
    }
  }

  @Test(arguments: entryRows + feedRows)
  private func `The stronger of two elements wins in either order`(_ row: Row) throws {
    for (strong, weak) in zip(row.table.groups, row.table.groups.dropFirst()) {
      for strong in strong {
        for weak in weak {
          let winner = try #require(row.samples[strong], "\(strong) has no sample.")
          let loser = try #require(row.samples[weak], "\(weak) has no sample.")
          for pair in [[winner, loser], [loser, winner]] {
            #expect(
              try value(of: row, saidBy: pair) == winner.value,
              "\(pair.map(\.element).joined(separator: " before "))")
          }
        }
      }
    }
  }

  @Test(arguments: entryRows + feedRows)
  private func `Of equal elements the first in the document wins`(_ row: Row) throws {
    for group in row.table.groups {
      let samples = group.compactMap { row.samples[$0] }
      guard let first = samples.first, let last = samples.last, samples.count > 1 else { continue }
      #expect(try value(of: row, saidBy: [first, last]) == first.value)
      #expect(try value(of: row, saidBy: [last, first]) == last.value)
    }
  }

  @Test(arguments: [
    ("## An article", entryRows), ("## The feed itself", feedRows),
  ])
  private func `The documentation shows the table`(_ heading: String, _ rows: [Row]) throws {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Docs/Formats.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n\(heading)\n").dropFirst().first)
    let body = section.components(separatedBy: "\n## ")[0]
    let shown = body.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(Array(shown) == rows.map(\.markdown))
  }
}
