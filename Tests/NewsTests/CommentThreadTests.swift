internal import News
internal import Testing

/// The order of comments as a conversation.
struct CommentThreadTests {
  /// A comment `id<parent`, or `id` alone.
  private func thread(_ texts: String...) -> String {
    let comments = texts.map { text in
      let parts = text.split(separator: "<").map(String.init)
      return Comment(id: parts[0], parent: parts.count > 1 ? parts[1] : nil, text: text)
    }
    return CommentThread(comments).rows.map { "\($0.depth)\($0.comment.id)" }
      .joined(separator: " ")
  }

  @Test func `Comments without parents stay in their order`() {
    #expect(thread("b", "a", "c") == "0b 0a 0c")
    #expect(CommentThread([]).rows.isEmpty)
  }

  @Test func `An answer stands below what it answers, siblings in the order of the server`() {
    #expect(thread("a", "b", "c<a", "d<b", "e<c", "f<a") == "0a 1c 2e 1f 0b 1d")
  }

  @Test func `An answer that comes before its parent is still below it`() {
    #expect(thread("b<a", "a") == "0a 1b")
  }

  @Test func `An answer to an unknown comment begins a thread of its own`() {
    #expect(thread("a", "b<gone", "c<b") == "0a 0b 1c")
  }

  @Test func `Rings and comments that answer themselves lose nothing`() {
    #expect(thread("a", "b<c", "c<b", "d<c", "e<e") == "0a 0b 1c 2d 0e")
  }

  @Test func `Of two comments with the same id the first counts`() {
    #expect(thread("a", "b<a", "b", "c<b") == "0a 1b 2c")
  }

  @Test func `A thread of a hundred thousand answers is put in order`() {
    let comments = (0..<100_000).map { index in
      Comment(id: "\(index)", parent: index == 0 ? nil : "\(index - 1)", text: "")
    }
    #expect(CommentThread(comments).rows.last?.depth == 99_999)
  }
}
