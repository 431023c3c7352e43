import News
import Testing

@testable import Reader

@Suite struct QueryCompletionTests {
  private var names: QueryNames {
    var names = QueryNames()
    names.feeds = ["Hacker News", "Heise", "News of the day", "A \"quoted\" one", "Grüße"]
    names.folders = ["Tech/Audio", "Tech", "Tech"]
    names.tags = ["later", "two words"]
    names.accounts = ["freshrss"]
    return names
  }

  private func completed(_ text: String) -> [String]? {
    QueryCompletion(text, names: names).map { completion in
      completion.choices.map { String(text.prefix(completion.start)) + $0 }
    }
  }

  @Test(
    "Names follow their fields, in quotes where they have to",
    arguments: [
      ("feed:hei", ["feed:Heise"]),
      ("unread feed:news", [#"unread feed:"News of the day""#, #"unread feed:"Hacker News""#]),
      (#"feed:"hacker N"#, [#"feed:"Hacker News""#]),
      ("-FEED:gru", ["-FEED:Grüße"]),
      ("(folder:tech", [#"(folder:"Tech/Audio""#, "(folder:Tech"]),
      ("tag:t", [#"tag:"two words""#, "tag:later"]), ("account:", ["account:freshrss"]),
      ("is:h", ["is:heard", "is:changed"]), ("has:aud", ["has:audio"]),
      ("since:", ["since:last-refresh"]),
    ])
  func values(text: String, expected: [String]) {
    #expect(completed(text) == expected)
  }

  @Test(
    "Words of the language are completed by their beginning",
    arguments: [
      ("unr", ["unread", "unread<"]), ("swift (st", ["swift (starred"]), ("ha", ["has:"]),
      ("-tit", ["-title:"]), ("unread O", ["unread on:", "unread opened:", "unread OR"]),
    ])
  func words(text: String, expected: [String]) {
    #expect(completed(text) == expected)
  }

  @Test(
    "In expressions and quotes, and where nothing fits, nothing is known",
    arguments: ["title:/fe", "/a feed:h", #""fe"#, #""a feed:h"#, "zzz", "feed:zzz", "mood:x"])
  func nothing(text: String) {
    #expect(completed(text) == nil)
  }

  @Test("What follows an expression or a text in quotes is completed")
  func after() {
    #expect(completed(#"/a b\/c/ unr"#)?.first == #"/a b\/c/ unread"#)
    #expect(completed(#""a b" sta"#) == [#""a b" starred"#])
    #expect(completed("")?.prefix(2) == ["unread", "read"])
  }

  @Test("Every choice can be read as a query")
  func readable() throws {
    for text in ["feed:", "folder:", "tag:", "account:", "is:", "has:", "after:", "on:"] {
      for query in completed(text) ?? [] { _ = try ArticleQuery(query) }
    }
  }
}
