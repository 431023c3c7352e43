import Foundation
import News
import Testing

@testable import TelexKit

/// Books of articles that go while they are being written.
struct BookTextTests {
  private func article(_ number: Int64) -> ListedArticle {
    var entry = Entry(
      id: "\(number)", url: "https://example.org/\(number)", title: "Article \(number)",
      published: Date(timeIntervalSince1970: 1_700_000_000))
    entry.contentHTML =
      "<p>Text \(number), after <a href='https://example.org/3'>the third</a>.</p>"
    let row = ArticleRow(
      id: ArticleID(number), feedID: FeedID(1), feedTitle: "Feed", title: "Article \(number)",
      status: ArticleStatus(), position: TimelinePosition(date: 1_700_000_000, id: number))
    return ListedArticle(
      row: row, entry: entry, feedURL: "https://example.org/feed",
      arrived: Date(timeIntervalSince1970: 1_700_000_000))
  }

  private var book: BookText {
    BookText(
      [ArticleBook.Section(title: "Feed", articles: (1...3).map(article), duplicates: [])],
      titled: "T", pictures: nil)
  }

  /// Reads all articles but the second.
  private func read(_ rows: [ArticleRow]) -> [ListedArticle] {
    rows.filter { $0.id != ArticleID(2) }.map { article($0.id.rawValue) }
  }

  @Test func `What goes while a book is written keeps its chapter, and the others theirs`() throws {
    var files: [String] = []
    try book.writeEPUB(read) { piece in
      // The name of a file stands in its header.
      if let start = piece.firstRange(of: Array("EPUB/article".utf8))?.lowerBound, start == 30 {
        files.append(String(decoding: piece[start..<start + 19], as: UTF8.self))
      }
    }
    #expect(files == (1...3).map { "EPUB/article\($0).xhtml" })
  }

  @Test func `A page says what was removed, in its place`() throws {
    var page = ""
    try book.writePage(read) { page += $0 }
    let gone = try #require(page.firstRange(of: "This article was removed"))
    let third = try #require(page.firstRange(of: "Text 3, after"))
    #expect(gone.lowerBound < third.lowerBound && !page.contains("Text 2, after"))
  }
}
