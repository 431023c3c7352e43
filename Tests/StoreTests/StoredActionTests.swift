internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// What undo keeps of an action in its row. A store outlives the build that wrote it.
@Suite struct StoredActionTests {
  struct Action: Sendable {
    /// Has `F` and `G` for the feeds, and `A` and `B` for the articles.
    let detail: String
    let act: @Sendable (StoreEdit, [FeedID], [ArticleID]) throws -> Void

    init(
      _ detail: String, _ act: @escaping @Sendable (StoreEdit, [FeedID], [ArticleID]) throws -> Void
    ) { (self.detail, self.act) = (detail, act) }
  }

  static let actions: [Action] = [
    Action("-") { edit, _, articles in
      try edit.marks.setByKey(.starred(true), of: [articles[0]], now: noon)
    },
    Action(#"{"articles":[A,B]}"#) { edit, _, articles in
      try edit.marks.setByKey(.read(true), of: articles, now: noon)
    },
    Action(#"{"articles":[A,B]}"#) { edit, _, articles in
      try edit.marks.markOpened(articles, now: noon)
    },
    Action(#"{"articles":[A],"tag":"linux"}"#) { edit, _, articles in
      _ = try edit.actions.tag([articles[0]], "linux", true, now: noon)
    },
    Action(
      #"{"tags":[{"articles":[A],"isSet":true,"name":"linux"},{"articles":[A],"isSet":true,"name":"unix"}]}"#
    ) { edit, _, articles in
      _ = try edit.actions.tag([articles[0]], adding: ["linux", "unix"], removing: [], now: noon)
    },
    Action(#"{"articles":[A]}"#) { edit, _, articles in
      _ = try edit.actions.delete([articles[0]], now: noon)
    },
    Action(#"{"isTold":false}"#) { edit, feeds, _ in
      try edit.actions.remove(feeds[0], isTold: false, now: noon)
    },
    Action(#"{"feeds":[{"feed":F,"isTold":false},{"feed":G,"isTold":false}]}"#) { edit, feeds, _ in
      try edit.actions.remove(feeds, told: [], now: noon)
    },
    Action(#"{"isTold":false}"#) { edit, feeds, _ in
      try edit.actions.noteAdded(feeds[0], isTold: false, now: noon)
    },
    Action(#"{"feeds":[{"feed":F,"isTold":false},{"feed":G,"isTold":false}]}"#) { edit, feeds, _ in
      try edit.actions.noteAdded(feeds, now: noon)
    },
    Action(#"{"isTold":false,"title":"Mine"}"#) { edit, feeds, _ in
      try edit.actions.rename(feeds[0], to: "Mine", isTold: false, now: noon)
    },
    Action(#"{"folders":["Other"],"formerFolders":["News"],"isTold":false}"#) { edit, feeds, _ in
      try edit.actions.file(feeds[0], into: ["Other"], isTold: false, now: noon)
    },
    Action(
      #"{"filed":[{"feed":F,"folders":["Other"],"former":["News"],"isTold":false},"#
        + #"{"feed":G,"folders":["Other"],"former":["News"],"isTold":false}],"folders":["Other"]}"#
    ) { edit, feeds, _ in
      try edit.actions.file(feeds.map { ($0, ["Other"]) }, told: [], now: noon)
    },
    Action(
      #"{"filed":[{"feed":F,"folders":["Other"],"former":["News"]},"#
        + #"{"feed":G,"folders":["Other"],"former":["News"]}],"#
        + #""formerPath":"News","formerRows":[],"isTold":false,"path":"Other","rows":[]}"#
    ) { edit, _, _ in
      try edit.actions.move(FolderID("News"), to: "Other", isTold: false, now: noon)
    },
    Action(#"{"formerRows":[],"rows":[{"folder":"New","isKept":true,"outline":"[]"}]}"#) {
      edit, _, _ in
      _ = try edit.actions.addFolder("New", now: noon)
    },
    Action(#"{"formerSettings":{},"settings":{"interval":7200}}"#) { edit, feeds, _ in
      var settings = FeedSettings()
      settings.interval = 7_200
      try edit.actions.set(settings, of: feeds[0], now: noon)
    },
    Action(
      #"{"feeds":[{"feed":F,"formerSettings":{},"settings":{"paused":true}},"#
        + #"{"feed":G,"formerSettings":{},"settings":{"paused":true}}],"settings":{"paused":true}}"#
    ) { edit, feeds, _ in
      try edit.actions.set(feeds, now: noon) { $0.isPaused = true }
    },
    Action(#"{"proxy":"http://proxy.example:1"}"#) { edit, feeds, _ in
      try edit.actions.set(.via("http://proxy.example:1"), of: feeds[0], now: noon)
    },
    Action(
      #"{"formerWay":{"isUserEntered":true,"url":"http://example.org/a"},"#
        + #""way":{"isUserEntered":true,"url":"http://example.org/new"}}"#
    ) { edit, feeds, _ in
      let former = try #require(try edit.view.feeds.feed(feeds[0]))
      _ = try edit.feeds.move(feeds[0], to: "http://example.org/new", isUserEntered: true)
      try edit.actions.noteWay(insteadOfThatOf: former, now: noon)
    },
    Action(#"{"rules":[{"action":"hide","createdAt":1700000000,"id":1,"query":"linux"}]}"#) {
      edit, _, _ in
      _ = try edit.actions.makeRule(try ArticleQuery("linux"), .hide, until: nil, now: noon)
    },
    Action(#"{"smart":{"id":1,"name":"Unix","query":"linux"}}"#) { edit, _, _ in
      try edit.actions.makeSmartFeed("Unix", try ArticleQuery("linux"), now: noon)
    },
  ]

  @Test(arguments: actions.indices)
  func `An action is kept in the form that undo reads`(
    index: Int
  ) async throws {
    let test = try TestStore()
    let feeds = [
      try await test.subscribe("a", folders: ["News"]),
      try await test.subscribe("b", folders: ["News"]),
    ]
    try await test.merge([entry("one", at: -1), entry("two", at: -2)], into: feeds[0])
    let articles = try await test.articles(feeds[0]).map(\.id)
    let raw = try RawDatabase(test.folder)
    let look = """
      SELECT feed.id, url, ownTitle, proxy,
          json_extract(coalesce(settings, '{}'), '$.interval', '$.paused'), group_concat(folder)
        FROM feed
        LEFT JOIN feedFolder ON feedFolder.feedID = feed.id GROUP BY feed.id
      UNION ALL SELECT articleID, isRead, isStarred, group_concat(tag), 0, 0 FROM articleStatus
        LEFT JOIN articleTag USING (articleID) GROUP BY articleID
      UNION ALL SELECT folder, outline, isKept, 0, 0, 0 FROM folderOutline
      UNION ALL SELECT id, query, action, 0, 0, 0 FROM rule
      UNION ALL SELECT id, name, query, 0, 0, 0 FROM smartFeed
      """
    let before = try raw.strings(look)
    let action = Self.actions[index]
    try await test.store.edit { try action.act($0, feeds, articles) }
    let detail = try raw.strings("SELECT replace(detail, '\\/', '/') FROM userAction")
    let numbers: KeyValuePairs = [
      "F": feeds[0].rawValue, "G": feeds[1].rawValue, "A": articles[0].rawValue,
      "B": articles[1].rawValue,
    ]
    let expected = numbers.reduce(action.detail) { text, number in
      text.replacingOccurrences(
        of: #"\b\#(number.key)\b"#, with: "\(number.value)", options: .regularExpression)
    }
    #expect(detail == [expected])

    let after = try raw.strings(look)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } != nil)
    // Feeds that were noted as added were there before.
    if after != before { #expect(try raw.strings(look) == before) }
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) } != nil)
    #expect(try raw.strings(look) == after)
  }
}
