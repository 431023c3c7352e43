internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit

struct ChaptersVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapters", abstract: "Print the chapters of an episode.")

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The number of the article, as `articles` prints it.")
  var id: Int64
  @Option(help: .value("N", "Those in this file of the article, from 1."))
  var enclosure: Int?

  func validate() throws {
    if let enclosure, enclosure < 1 { throw ValidationError("--enclosure must be at least 1.") }
  }

  func perform() async throws {
    let composition = try await common.compose()
    let article = try Articles(composition).article(ArticleID(id))
    let chapters = try await untilInterrupted {
      try await Episodes(composition).chapters(of: article, file: enclosure.map { $0 - 1 })
    }
    for chapter in chapters { form.print(chapter.json, text: chapter.line) }
    if chapters.isEmpty, !form.json { Output.line("no chapters are listed") }
  }
}

struct TranscriptVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcript", abstract: "Print the transcript of an episode.",
    discussion: "WebVTT, SubRip, the JSON of podcasts, HTML and plain text are read.")

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The number of the article, as `articles` prints it.")
  var id: Int64
  @Option(help: .value("N", "That in this file of the article, from 1."))
  var enclosure: Int?
  @Option(help: .value("N", "Columns of a line of an HTML transcript."))
  var width = 80

  func validate() throws {
    try refuse(width < 1, "--width must be at least 1.")
    if let enclosure, enclosure < 1 { throw ValidationError("--enclosure must be at least 1.") }
  }

  func perform() async throws {
    let composition = try await common.compose()
    let article = try Articles(composition).article(ArticleID(id))
    let transcript = try await untilInterrupted {
      try await Episodes(composition).transcript(of: article, file: enclosure.map { $0 - 1 })
    }
    switch transcript {
    case .lines(let lines):
      for line in lines { form.print(line.json, text: line.line) }
      if lines.isEmpty, !form.json { Output.line("the transcript is empty") }
    case .html(let html, let url):
      let text = ArticlePage.text(ofHTML: html, url: url, width: width).text
      form.print(["text": .string(text)], text: text)
    }
  }
}

extension EpisodeLine {
  fileprivate var json: JSONOutput {
    [
      "seconds": .number(seconds), "speaker": .string(speaker), "text": .string(text),
      "url": .string(url),
    ]
  }

  /// As in `1:02:03  Ada: text  https://…`.
  fileprivate var line: String {
    let time = seconds.map { "\(PlayingTime.text(of: $0))\t" } ?? ""
    return time + (speaker.map { "\($0): " } ?? "") + text + (url.map { "\t\($0)" } ?? "")
  }
}
