internal import Foundation
internal import News
internal import Testing

@testable import TelexKit

/// The book of what is packed, which several processes read and change.
struct PackBookTests {
  private func withBook(_ body: (PackBook, _ folder: String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "telex-book-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(PackBook(store: folder), folder)
  }

  private func entry(_ digest: Int) throws -> PackBook.Entry {
    let text = #"{"text":{"feed":1,"digest":\#(digest)},"pictures":["a.png"],"seconds":3}"#
    return try JSONDecoder().decode(PackBook.Entry.self, from: Data(text.utf8))
  }

  @Test func `What others have packed stays beside what is added and taken out`() throws {
    try withBook { book, folder in
      #expect(book.read() == [:])
      book.change(adding: [ArticleID(1): try entry(1), ArticleID(2): try entry(2)])
      PackBook(store: folder).change(
        adding: [ArticleID(3): try entry(3)], removing: [ArticleID(1)])
      #expect(book.read() == [ArticleID(2): try entry(2), ArticleID(3): try entry(3)])
      let rights = try FileManager.default.attributesOfItem(atPath: book.path)[.posixPermissions]
      #expect(rights as? Int == 0o600)
    }
  }

  @Test func `A book that is there and cannot be read is left as it is`() throws {
    try withBook { book, _ in
      // As EMFILE and EACCES do, a link to itself lets nobody read the file, but replace it.
      try FileManager.default.createSymbolicLink(
        atPath: book.path, withDestinationPath: "packed.json")
      #expect(book.read() == [:])
      book.change(adding: [ArticleID(1): try entry(1)])
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: book.path)
      #expect(target == "packed.json")
    }
  }

  @Test(arguments: ["", "no JSON", #"{"version":9,"articles":{}}"#])
  func `A damaged book is as good as none`(_ text: String) throws {
    try withBook { book, _ in
      try Data(text.utf8).write(to: URL(filePath: book.path))
      #expect(book.read() == [:])
      book.change(adding: [ArticleID(1): try entry(1)])
      #expect(book.read() == [ArticleID(1): try entry(1)])
    }
  }
}
