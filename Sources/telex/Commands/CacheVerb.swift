internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit

struct CacheVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Show the disk space of each feed, and delete old articles.",
    discussion: """
      --trim deletes the articles beyond the limits in the settings ([retention]) and of single \
      feeds (telex set FEED --keep-for), or beyond the limits given here. Starred, tagged and \
      unread articles stay; --unread deletes unread ones too. Deleted articles do not return \
      while their feed still lists them. This cannot be undone.

      New articles use the free space of the database; --vacuum returns it to the disk.
      """)

  @OptionGroup var shared: SharedOptions
  @Flag(help: "Delete the articles beyond the limits.")
  var trim = false
  @Option(help: .value("TIME", "Delete articles older than this: 90d, 1y."))
  var olderThan: String?
  @Option(help: .value("N", "Keep this many articles of each feed."))
  var keep: Int?
  @Option(help: .value("N", "Reduce the database to this size."))
  var megabytes: Int?
  @Flag(help: "Delete unread articles too.")
  var unread = false
  @Option(
    help: .value("FEED", "Delete only articles of this feed; may be repeated."), completion: .feeds)
  var feed: [String] = []
  @Flag(help: "Print how many articles would be deleted.")
  var dryRun = false
  @Flag(help: "Return free space of the database to the disk.")
  var vacuum = false
  @Flag(help: "Delete cached pictures; they are fetched again when shown.")
  var clearPictures = false
  @OptionGroup var confirmation: ConfirmationOptions

  func validate() throws {
    let bounds = olderThan != nil || keep != nil || megabytes != nil || unread || !feed.isEmpty
    try refuse(
      !trim && (bounds || dryRun),
      "--older-than, --keep, --megabytes, --unread, --feed and --dry-run go with --trim.")
    if let olderThan, ArticleQuery.seconds(of: olderThan) == nil {
      throw ValidationError("--older-than takes a time such as 90d, 6m or 1y.")
    }
    if let keep, keep < 0 { throw ValidationError("--keep must not be negative.") }
    if let megabytes, megabytes < 1 { throw ValidationError("--megabytes must be 1 or more.") }
    try refuse(
      megabytes != nil && !feed.isEmpty,
      "--megabytes is about the whole store, and --feed about a part of it.")
  }

  func perform() async throws {
    let composition = try await common.compose()
    let trimming = StoreTrimming(composition)
    if clearPictures {
      let bytes = composition.pictureFiles.clear()
      form.print(
        ["pictures": .number(bytes), "error": .null],
        text: "deleted \(Measures.bytes(bytes)) of pictures")
      if !trim, !vacuum { return }
    }
    if trim { try await trim(trimming, Subscriptions(composition)) }
    if vacuum { try await untilInterrupted { try await trimming.compact() } }
    if !trim || vacuum {
      show(try await trimming.room(), pictures: composition.pictureFiles.room)
    }
  }

  private func trim(_ trimming: StoreTrimming, _ subscriptions: Subscriptions) async throws {
    var retention = trimming.retention
    if olderThan != nil || keep != nil || megabytes != nil {
      retention = Retention(
        age: olderThan.flatMap { ArticleQuery.seconds(of: $0) }, articlesPerFeed: keep,
        bytes: megabytes.map { Int64($0) << 20 })
    } else if try !trimming.isBounded() {
      throw SourceError.arguments(
        "--trim", "no limit is set",
        next: "give --older-than, --keep or --megabytes, or set [retention] in config.toml")
    }
    if unread { retention.includesUnread = true }
    let feeds = try feed.isEmpty ? nil : Set(feed.map { try subscriptions.feed(named: $0).id })
    let count = try await trimming.excess(retention, feeds: feeds)
    let what = Measures.counted(count, "article")
    if dryRun {
      return form.print(["wouldTrim": .number(count), "error": .null], text: "\(what) would go")
    }
    if count > 0 {
      try confirmation.confirm(
        "Delete \(what)? This cannot be undone. y/n ", form, refusal: "nothing was deleted")
    }
    let gone = try await untilInterrupted { [retention] in
      try await trimming.trim(retention, feeds: feeds)
    }
    form.print(
      ["trimmed": .number(gone), "error": .null],
      text: "trimmed \(Measures.counted(gone, "article"))")
  }

  private func show(_ room: StoreRoom, pictures: Int64) {
    let clock = WallClock.local()
    var table = Table([
      .init("NUMBER", isNumber: true), .init("SIZE", isNumber: true),
      .init("ARTICLES", isNumber: true), .init("OLDEST"), .init("FEED", .rest),
    ])
    for feed in room.feeds {
      form.print(
        [
          "feedID": .number(feed.feed.rawValue), "feed": .string(feed.title),
          "articles": .number(feed.articles), "unread": .number(feed.unread),
          "starred": .number(feed.starred), "bytes": .number(feed.bytes),
          "oldest": .date(seconds: feed.oldest),
        ],
        in: &table,
        [
          "\(feed.feed.rawValue)", Measures.bytes(feed.bytes), "\(feed.articles)",
          feed.oldest.map { clock.short($0) } ?? "", feed.title,
        ])
    }
    table.finish()
    let count = room.feeds.reduce(0) { $0 + $1.articles }
    var notes = ["\(Measures.bytes(room.file)) with \(Measures.counted(count, "article"))"]
    if room.free > 0 { notes.append("\(Measures.bytes(room.free)) of it free") }
    if room.removed > 0 {
      notes.append("\(Measures.bytes(room.removed)) for what was removed and can come back")
    }
    if room.former > 0 {
      notes.append("\(Measures.bytes(room.former)) for what changed articles said before")
    }
    if room.full > 0 {
      notes.append("\(Measures.bytes(room.full)) for full texts of articles")
    }
    if pictures > 0 { notes.append("and \(Measures.bytes(pictures)) of pictures beside it") }
    form.print(
      [
        "file": .number(room.file), "free": .number(room.free), "removed": .number(room.removed),
        "former": .number(room.former), "full": .number(room.full), "log": .number(room.log),
        "pictures": .number(pictures), "articles": .number(count), "error": .null,
      ], text: notes.joined(separator: ", "))
  }
}
