internal import Foundation
internal import News

extension GoogleReaderModel {
  /// The articles of an archive as the library of a user: a feed for each section, those behind the first in a
  /// folder.
  ///
  /// - Parameters:
  ///   - unread: how many of the newest articles are unread; nil for the newer half.
  ///   - feeds: the number of feeds that the articles are dealt out to, twenty in a folder; nil for a feed for
  ///     each section.
  package init(_ archive: Archive, unread: Int? = nil, feeds: Int? = nil) {
    self.init()
    let dealt = (0..<(feeds ?? 0)).map { number in
      subscribe(
        to: "https://lamplight.example/feeds/\(number).xml", title: "Feed \(number)",
        page: "https://lamplight.example/feeds/\(number)", folders: ["Shelf \(number / 20)"]
      ).stream
    }
    var streams: [String: String] = [:]
    for (index, section) in archive.sections.enumerated() where dealt.isEmpty {
      streams[section.slug] =
        subscribe(
          to: "https://lamplight.example/\(section.slug)/rss.xml", title: section.title,
          page: "https://lamplight.example/\(section.slug)",
          folders: index == 0 ? [] : ["Lamplight"]
        ).stream
    }
    let articles = archive.articles.reversed()
    let items = articles.enumerated().compactMap { number, article -> Item? in
      let stream = dealt.isEmpty ? streams[article.section] : dealt[number % dealt.count]
      guard let stream else { return nil }
      let published = Int64(article.published.timeIntervalSince1970)
      return Item(
        id: 0, feed: stream, title: article.entry.title ?? "", url: article.entry.url ?? "",
        author: article.entry.authors.first?.name ?? "",
        html: article.entry.contentHTML ?? article.entry.summary ?? "", published: published,
        crawled: published * 1_000_000,
        files: article.entry.enclosures.map {
          File(url: $0.url, type: $0.type ?? "", length: $0.length)
        })
    }
    let start: Int64 = 1_700_000_000_000_000
    let numbered = zip(start..., items).map { id, item in
      var item = item
      item.id = id
      return item
    }
    insert(numbered)
    let read = unread.map { max(numbered.count - $0, 0) } ?? numbered.count / 2
    mark(numbered.prefix(read).map(\.id), adding: [.read])
  }
}
