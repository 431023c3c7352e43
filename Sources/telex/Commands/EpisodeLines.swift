internal import News
internal import Reader
internal import TelexKit

extension QueueVerb {
  func print(chaptersOf article: Article, _ composition: Composition) async throws {
    let chapters = try await untilInterrupted {
      try await Episodes(composition).chapters(of: article, file: enclosure.map { $0 - 1 })
    }
    for chapter in chapters { form.print(chapter.json, text: chapter.line) }
    if chapters.isEmpty { form.note("No chapters.") }
  }

  func print(transcriptOf article: Article, _ composition: Composition) async throws {
    let transcript = try await untilInterrupted {
      try await Episodes(composition).transcript(of: article, file: enclosure.map { $0 - 1 })
    }
    switch transcript {
    case .lines(let lines):
      for line in lines { form.print(line.json, text: line.line) }
      if lines.isEmpty { form.note("The transcript is empty.") }
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
