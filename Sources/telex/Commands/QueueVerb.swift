internal import ArgumentParser
internal import News
internal import TelexKit

struct QueueVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List or change the queue of episodes; print chapters.",
    discussion: """
      Lists the episodes and videos to play in their order: number in the queue, number of the article, seconds played, \
      duration in seconds, feed, title, address. A hyphen stands for an unknown value.

      Transcripts may be WebVTT, SubRip, JSON of podcasts, HTML or plain text.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("ARTICLE", "Add the episodes and videos of this article at the end."))
  var add: [Int64] = []
  @Option(help: .value("NUMBER", "Remove an episode."))
  var remove: [Int64] = []
  @Option(help: .value("NUMBER", "Move an episode up."))
  var up: Int64?
  @Option(help: .value("NUMBER", "Move an episode down."))
  var down: Int64?
  @Flag(help: "Remove all episodes.")
  var clear = false
  @Option(help: .value("ARTICLE", "Print the chapters of this article's episode."))
  var chapters: Int64?
  @Option(help: .value("ARTICLE", "Print the transcript of this article's episode."))
  var transcript: Int64?
  @Option(
    help: .value("N", "With --chapters or --transcript: use this file of the article, from 1."))
  var enclosure: Int?
  @Option(help: .value("N", "Columns of a line of an HTML transcript."))
  var width = 80

  func validate() throws {
    let isChange = clear || !(add + remove).isEmpty || up != nil || down != nil
    try refuse(
      [isChange, chapters != nil, transcript != nil].count { $0 } > 1,
      "Give --chapters, --transcript or changes of the queue, not several.")
    try refuse(
      enclosure != nil && chapters == nil && transcript == nil,
      "--enclosure goes with --chapters or --transcript.")
    try refuse(width < 1, "--width must be at least 1.")
    if let enclosure, enclosure < 1 { throw ValidationError("--enclosure must be at least 1.") }
  }

  func perform() async throws {
    let composition = try await common.compose()
    let (queue, articles) = (PlayQueue(composition), Articles(composition))
    if let chapters {
      return try await print(chaptersOf: articles.article(ArticleID(chapters)), composition)
    }
    if let transcript {
      return try await print(transcriptOf: articles.article(ArticleID(transcript)), composition)
    }
    let known = Set(try queue.files().map(\.id))
    for number in remove + [up, down].compactMap({ $0 }) where !known.contains(number) {
      throw SourceError.arguments(
        "\(number)", "this is not in the queue", next: "telex queue prints the numbers")
    }
    let added = try add.map { try articles.article(ArticleID($0)) }
    for article in added where article.playable.isEmpty {
      throw SourceError.arguments("\(article.id.rawValue)", "this article has nothing to play")
    }
    if clear { try await queue.change(.clear) }
    if !remove.isEmpty { try await queue.change(.remove(remove)) }
    for article in added {
      for file in article.playable { try await queue.change(.add(article.id, url: file.url)) }
    }
    if let up { try await queue.change(.up([up])) }
    if let down { try await queue.change(.down([down])) }
    var table = Table([
      .init("NUMBER", isNumber: true), .init("ARTICLE", isNumber: true),
      .init("PLAYED", isNumber: true), .init("LENGTH", isNumber: true), .init("FEED", .limited),
      .init("TITLE", .rest), .init("URL", .pipeOnly),
    ])
    for file in try queue.files() { form.print(file.json, in: &table, file.columns) }
    form.finish(&table, empty: "The queue is empty.")
  }
}

extension Article {
  fileprivate var playable: [Enclosure] { entry.enclosures.filter(FileOpener.isPlayed) }
}

extension QueuedFile {
  fileprivate var json: JSONOutput {
    [
      "number": .number(id), "articleID": .number(article.rawValue), "title": .string(title),
      "feed": .string(feedTitle), "url": .string(file.url), "seconds": .number(playback?.seconds),
      "duration": .number(duration),
    ]
  }

  fileprivate var columns: [String] {
    [
      "\(id)", "\(article.rawValue)", playback.map { "\($0.seconds)" } ?? "-",
      duration.map { "\($0)" } ?? "-", feedTitle, title, file.url,
    ]
  }
}
