internal import Foundation

/// The JSON of the answers.
extension GoogleReaderDesk {
  /// Miniflux writes the number of the user where others have a hyphen.
  private var userPrefix: String { quirks.product == .miniflux ? "user/1/" : "user/-/" }

  private func state(_ name: String) -> String { userPrefix + "state/com.google/" + name }
  private func label(_ name: String) -> String { userPrefix + "label/" + name }

  func userInfo(_ user: String) -> JSONText {
    .object([
      ("userId", .string("1")), ("userName", .string(user)), ("userProfileId", .string("1")),
      ("userEmail", .string("")),
    ])
  }

  func subscriptions(of user: String) -> JSONText {
    .object([
      (
        "subscriptions",
        .array(
          library(of: user).feeds.map { feed in
            .object([
              ("id", .string(feed.stream)), ("title", .string(feed.title)),
              (
                "categories",
                .array(
                  feed.folders.map { name in
                    .object([("id", .string(label(name))), ("label", .string(name))])
                  })
              ),
              ("url", .string(feed.url)), ("htmlUrl", .string(feed.page)),
              ("iconUrl", .string("")),
              ("firstitemmsec", .string(String(feed.firstItemMilliseconds))),
            ])
          })
      )
    ])
  }

  func tags(of user: String) -> JSONText {
    let library = library(of: user)
    let tags: [JSONText] =
      [.object([("id", .string(state("starred")))])]
      + library.folders.map { name in
        .object([("id", .string(label(name))), ("type", .string("folder"))])
      }
      + library.labels.map { name in
        .object([("id", .string(label(name))), ("type", .string("tag"))])
      }
    return .object([("tags", .array(tags))])
  }

  func unreadCounts(of user: String, now: Date) -> JSONText {
    let library = library(of: user)
    let unread = library.unread
    func entry(_ name: String, _ items: [GoogleReaderModel.Item]) -> JSONText {
      .object([
        ("id", .string(name)),
        ("count", .number(Int64(items.filter { unread.contains($0.id) }.count))),
        ("newestItemTimestampUsec", .string(String(items.first?.crawled ?? 0))),
      ])
    }
    // Once through all items, however many feeds there are.
    let all = library.items(in: .all)
    let ofFeeds = Dictionary(grouping: all, by: \.feed)
    let counts =
      library.feeds.map { entry($0.stream, ofFeeds[$0.stream] ?? []) }
      + library.folders.map { entry(label($0), library.items(in: .label($0))) }
      + [entry(state("reading-list"), all)]
    return .object([("max", .number(Int64(unread.count))), ("unreadcounts", .array(counts))])
  }

  func ids(_ page: Page, faults: [GoogleReaderFault]) -> JSONText {
    var refs = page.items.map { JSONText.object([("id", .string(listed($0.id)))]) }
    if faults.contains(.repeatedIDs) { refs = refs.flatMap { [$0, $0] } }
    if faults.contains(.badItem) { refs.insert(.string("?"), at: refs.count / 2) }
    return .object(
      [("itemRefs", .array(refs))] + page.continuation.map { [("continuation", .string($0))] }.all)
  }

  func contents(
    _ page: Page, of user: String, faults: [GoogleReaderFault], now: Date
  ) -> JSONText {
    let library = library(of: user)
    var page = page
    if faults.contains(.truncatedPage) {
      page.items = Array(page.items.prefix((page.items.count + 1) / 2))
    }
    var items = page.items.map { item($0, in: library) }
    if faults.contains(.repeatedIDs) { items = items.flatMap { [$0, $0] } }
    if faults.contains(.badItem) { items.insert(.number(7), at: items.count / 2) }
    return .object(
      [
        ("id", .string(state("reading-list"))),
        ("updated", .number(Int64(now.timeIntervalSince1970))), ("items", .array(items)),
      ] + page.continuation.map { [("continuation", .string($0))] }.all)
  }

  private func item(
    _ item: GoogleReaderModel.Item, in library: GoogleReaderModel
  ) -> JSONText {
    let feed = library.feed(item.feed)
    let marks = library.states[item.id] ?? GoogleReaderModel.State()
    var categories = [state("reading-list")] + (feed?.folders.map(label) ?? [])
    if marks.isRead { categories.append(state("read")) }
    if marks.isStarred { categories.append(state("starred")) }
    categories += marks.labels.sorted().map(label) + item.categories
    let link = JSONText.array([.object([("href", .string(item.url))])])
    let html = JSONText.object([("content", .string(item.html))])
    var members: [(String, JSONText)] = [
      ("id", .string(tagged(item.id))), ("crawlTimeMsec", .string(String(item.crawled / 1_000))),
      ("timestampUsec", .string(String(item.crawled))), ("published", .number(item.published)),
      ("title", .string(widened(item.title))), ("alternate", link),
      ("categories", .strings(categories)),
      (
        "origin",
        .object([
          ("streamId", .string(item.feed)), ("htmlUrl", .string(feed?.page ?? "")),
          ("title", .string(feed?.title ?? "")),
        ])
      ), ("summary", html),
    ]
    if quirks.product != .freshRSS { members.append(("canonical", link)) }
    if quirks.body == .both { members.append(("content", html)) }
    if !item.author.isEmpty { members.append(("author", .string(item.author))) }
    if !item.files.isEmpty {
      members.append(
        (
          "enclosure",
          .array(
            item.files.map { file in
              .object(
                [("href", .string(file.url)), ("type", .string(file.type))]
                  + file.length.map { [("length", .number($0))] }.all)
            })
        ))
    }
    return .object(members)
  }

  /// FreshRSS writes what HTML would escape as full-width characters.
  private func widened(_ text: String) -> String {
    guard quirks.product == .freshRSS else { return text }
    return text.replacing("&", with: "＆").replacing("<", with: "＜").replacing(">", with: "＞")
  }
}

extension Optional where Wrapped == [(String, JSONText)] {
  /// The members of an array that may be absent.
  fileprivate var all: [(String, JSONText)] { self ?? [] }
}
