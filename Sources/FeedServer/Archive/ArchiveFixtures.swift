package import Foundation
internal import News
internal import Text

extension Archive {
  /// The demo: the written articles of `directory/articles.json`, newest, and below them made-up
  /// ones to `count`, spread over the five months before `now`. The same input gives the same
  /// archive on every machine.
  ///
  /// - Throws: when the file cannot be read or is not what it should be.
  package init(directory: String, now: Date, count: Int = 300) throws {
    let path = directory + "/articles.json"
    let file = try JSONDecoder().decode(
      FixtureFile.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let generator = ArticleGenerator(file)
    // Old enough for its comments to be in the past.
    var date = now.wholeSeconds.addingTimeInterval(-1200)
    var articles: [Article] = []
    for number in 0..<max(0, count) {
      let article =
        number < file.articles.count
        ? file.articles[number].article(published: date)
        : generator.article(number: number + 1, idPrefix: "post-", published: date)
      articles.append(article.withoutChanges(after: now))
      // Every tenth shares the second of its neighbour: only the id orders those two.
      if number % 10 != 3 { date.addTimeInterval(-generator.gap(after: number, of: count)) }
    }
    self.init(
      title: file.title, description: file.description, language: file.language,
      sections: file.sections.map {
        Section(slug: $0.slug, title: $0.title, description: $0.description)
      },
      remarks: file.remarks, articles: articles, generator: generator)
  }
}

/// `articles.json` as it is written.
struct FixtureFile: Decodable {
  struct Section: Decodable {
    let slug: String
    let title: String
    let description: String
  }

  struct Article: Decodable {
    let id: String
    let section: String
    let title: String
    let authors: [String]?
    let summary: String?
    let categories: [String]?
    /// Hours from publishing to the last change.
    let updatedAfter: Double?
    let enclosures: [Enclosure]?
    /// The body, block by block.
    let blocks: [String]
  }

  struct Enclosure: Decodable {
    let url: String
    let type: String?
    let length: Int64?
  }

  let title: String
  let description: String
  let language: String
  let sections: [Section]
  let authors: [String]
  let categories: [String]
  /// Beginnings of titles: `%` stands for a subject, `$` for one in lower case.
  let openings: [String]
  let subjects: [String]
  let remarks: [Remark]
  let articles: [Article]
}

extension FixtureFile.Article {
  func article(published: Date) -> Archive.Article {
    let entry = Entry(
      id: id, url: "/read/" + percentEncoded(id), title: title,
      authors: (authors ?? []).map { Author($0) },
      updated: updatedAfter.map { published.addingTimeInterval($0 * 3600).wholeSeconds },
      contentHTML: blocks.isEmpty ? nil : blocks.joined(separator: "\n"), summary: summary,
      enclosures: (enclosures ?? []).map {
        Enclosure(url: $0.url, type: $0.type, length: $0.length)
      },
      categories: (categories ?? []).map { Category($0) })
    return Archive.Article(entry: entry, section: section, published: published)
  }
}

/// Makes further articles out of the written ones: their blocks in new company under new titles.
struct ArticleGenerator: Sendable {
  private let sections: [String]
  private let authors: [String]
  private let categories: [String]
  private let openings: [String]
  private let subjects: [String]
  /// The blocks of each section's articles.
  private let blocks: [String: [String]]

  init(_ file: FixtureFile) {
    sections = file.sections.map(\.slug)
    authors = file.authors
    categories = file.categories
    openings = file.openings
    subjects = file.subjects
    blocks = Dictionary(grouping: file.articles, by: \.section).mapValues {
      $0.flatMap(\.blocks)
    }
  }

  func article(number: Int, idPrefix: String, published: Date) -> Archive.Article {
    var dice = SplitMix64(seed: fnv1a("\(idPrefix)\(number)".utf8))
    let section = dice.pick(from: sections) ?? ""
    let subject = dice.pick(from: subjects) ?? "Nothing in particular"
    let opening = dice.pick(from: openings) ?? "%"
    let title = opening.replacing("%", with: subject).replacing("$", with: subject.lowercased())
    let pool = blocks[section] ?? []
    let length = 2 + Int(dice.next() % 9)
    var body = ["<p>\(escapedXML(title)): a note, number \(number) of the series.</p>"]
    for _ in 0..<length { if let block = dice.pick(from: pool) { body.append(block) } }
    let id = "\(idPrefix)\(number)"
    var entry = Entry(
      id: id, url: "/read/" + percentEncoded(id), title: title,
      contentHTML: body.joined(separator: "\n"))
    // Not all feeds name an author, a summary, tags or a change.
    for _ in 0..<dice.next() % 3 {
      if let author = dice.pick(from: authors).map({ Author($0) }), !entry.authors.contains(author)
      {
        entry.authors.append(author)
      }
    }
    for _ in 0..<dice.next() % 4 {
      if let category = dice.pick(from: categories).map({ Category($0) }),
        !entry.categories.contains(category)
      {
        entry.categories.append(category)
      }
    }
    if dice.next() % 3 == 0 { entry.summary = "On \(subject.lowercased()), briefly." }
    if dice.next() % 5 == 0 { entry.updated = published.addingTimeInterval(5400).wholeSeconds }
    if dice.next() % 12 == 0 {
      let seconds = Int64(2 + dice.next() % 8)
      entry.enclosures = [
        Enclosure(
          url: "/media/silence-\(seconds).wav", type: "audio/wav", length: 44 + 8000 * seconds)
      ]
    }
    return Archive.Article(entry: entry, section: section, published: published)
  }

  /// Seconds between an article and the next older one: minutes at the top, half a day on average.
  func gap(after number: Int, of count: Int) -> Double {
    var dice = SplitMix64(seed: UInt64(number))
    let average = 150 * 86_400 / Double(max(1, count))
    let share = 0.2 + 1.6 * Double(dice.next() % 1000) / 1000
    return (min(1, Double(number + 1) / 20) * average * share).rounded(.up) + 60
  }
}

/// Sebastiano Vigna's SplitMix64: small, and the same everywhere.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func pick<Element>(from elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[Int(next() % UInt64(elements.count))]
  }
}
