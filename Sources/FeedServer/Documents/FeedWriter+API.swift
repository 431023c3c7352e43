internal import Foundation
internal import News
internal import Text

/// The bodies of the Feed API, as `Docs/FeedAPI.md` describes them.
extension FeedWriter {
  func apiDescription(listsFeeds: Bool) -> JSONText {
    let feeds = archive.sections.map { section -> JSONText in
      .object([
        ("title", .string(section.title)),
        ("url", .string("\(origin)/\(section.slug)/api")),
        ("description", .string(section.description)),
      ])
    }
    return .object(
      [("api", .string("telex-feed")), ("version", .number(1))] + feedMembers
        + [
          ("feeds", listsFeeds && !feeds.isEmpty ? .array(feeds) : .null), ("live", .bool(true)),
        ])
  }

  func apiPage(
    _ page: ArticlePage, commentCount: (Archive.Article) -> Int
  ) -> JSONText {
    .object([
      ("feed", .object(feedMembers)),
      ("items", .array(page.articles.map { apiArticle($0, commentCount: commentCount($0)) })),
      ("nextCursor", .optional(page.next)),
    ])
  }

  func apiArticle(_ article: Archive.Article, commentCount: Int) -> JSONText {
    let entry = article.entry
    return .object([
      ("id", .string(entry.id)),
      ("url", .optional(entry.url.map(absolute))),
      ("title", .optional(entry.title)),
      ("authors", .strings(entry.authors.map(\.name))),
      ("published", .string(article.published.iso8601)),
      ("updated", .optional(entry.updated?.iso8601)),
      ("contentHTML", .optional(content(of: entry))),
      ("summary", .optional(entry.summary)),
      (
        "enclosures",
        .array(
          entry.enclosures.map {
            .object([
              ("url", .string(absolute($0.url))), ("type", .optional($0.type)),
              ("length", $0.length.map { .number($0) } ?? .null),
            ])
          })
      ),
      ("categories", .strings(entry.categories.map(\.term))),
      ("commentCount", .number(Int64(commentCount))),
    ])
  }

  private var feedMembers: [(String, JSONText)] {
    [
      ("title", .string(title)), ("link", .string(home + "/")),
      ("description", .string(description)), ("language", .string(archive.language)),
    ]
  }
}
