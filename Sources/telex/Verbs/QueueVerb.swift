internal import ArgumentParser
internal import News
internal import TelexKit

struct QueueVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show the sounds and films that wait to be played, add some, or reorder them.",
    discussion: """
      Prints a line for each, in their order: its number in the queue, the number of its article, how far it was \
      played and how long it is in seconds, the feed, the title, the address. A hyphen stands for what is not known.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("ID", "Put the sounds and films of this article at the end."))
  var add: [Int64] = []
  @Option(help: .value("NUMBER", "Take this one out of the queue."))
  var remove: [Int64] = []
  @Option(help: .value("NUMBER", "Play this one before the one above it."))
  var up: Int64?
  @Option(help: .value("NUMBER", "Play this one after the one below it."))
  var down: Int64?
  @Flag(help: "Take all out of it.")
  var clear = false

  func perform() async throws {
    let composition = try await common.compose()
    let (queue, articles) = (PlayQueue(composition), Articles(composition))
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
    for number in remove { try await queue.change(.remove(number)) }
    for article in added {
      for file in article.playable { try await queue.change(.add(article.id, url: file.url)) }
    }
    if let up { try await queue.change(.up(up)) }
    if let down { try await queue.change(.down(down)) }
    for file in try queue.files() { form.print(file.json, text: file.line) }
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

  fileprivate var line: String {
    [
      "\(id)", "\(article.rawValue)", playback.map { "\($0.seconds)" } ?? "-",
      duration.map { "\($0)" } ?? "-", feedTitle, title, file.url,
    ].joined(separator: "\t")
  }
}
