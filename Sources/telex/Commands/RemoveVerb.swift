internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

struct RemoveVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Unsubscribe from feeds, and remove their articles.",
    discussion: """
      Asks first at a terminal, unless --yes is given.

      telex undo restores a feed with its articles, marks and settings for thirty days. With \
      --erase, nothing of the feed is left in the files: database, search index, log. This takes \
      some seconds with many articles.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "Feeds by number or address.", completion: .feeds)
  var feed: [String]
  @OptionGroup var confirmation: ConfirmationOptions
  @Flag(help: "Erase the feed from all files, even if removed before.")
  var erase = false

  func perform() async throws {
    let subscriptions = Subscriptions(try await common.compose())
    if erase, feed.count == 1, try subscriptions.isGone(feed[0]),
      let gone = try await subscriptions.eraseRemoved(named: feed[0])
    {
      try await untilInterrupted { try await subscriptions.eraseRemoved() }
      return form.print(
        [
          "removed": .array([]), "erased": .string(WebAddress.redacted(gone.url)), "error": .null,
        ], text: "erased \(gone.title ?? WebAddress.redacted(gone.url))")
    }
    // All feeds are found before the first is removed: a typo removes nothing.
    var named: Set<FeedID> = []
    let feeds = try feed.map { try subscriptions.feed(named: $0) }
      .filter { named.insert($0.id).inserted }
    try confirmation.confirm(question(about: feeds), form, refusal: "nothing was removed")
    for feed in feeds {
      guard erase else {
        try await subscriptions.remove(feed.id)
        continue
      }
      if let problem = try await subscriptions.erase(feed.id) {
        form.complain("telex: the password of its proxy is still kept: \(problem.line)")
      }
    }
    let accounts = Set(feeds.map(\.account.id)).subtracting([.local])
    if !accounts.isEmpty {
      let waiting = try await untilInterrupted { try await subscriptions.deliver(to: accounts) }
      for feed in feeds {
        guard let change = waiting.first(where: { $0.isOfSubscription(at: feed.url) }) else {
          continue
        }
        form.complain(undelivered: change, to: feed.account.displayName)
      }
    }
    if erase { try await untilInterrupted { try await subscriptions.eraseRemoved() } }
    let next = erase ? "" : "; telex undo restores it for thirty days"
    form.print(
      ["removed": .array(feeds.map(JSONOutput.feed)), "error": .null],
      text: feeds.map { "removed \($0.displayTitle)\(next)" }.joined(separator: "\n"))
  }

  private func question(about feeds: [Feed]) -> String {
    let counts = feeds.reduce(ArticleCounts()) { $0 + $1.counts }
    let what = feeds.count == 1 ? feeds[0].displayTitle : Measures.counted(feeds.count, "feed")
    let starred = counts.starred > 0 ? ", \(counts.starred) of them starred" : ""
    return "Remove \(what) with \(Measures.counted(counts.total, "article"))\(starred)? y/n "
  }
}
