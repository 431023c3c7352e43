package import News
internal import Services
internal import Store
internal import Syndication

/// A chapter, or a passage of the transcript, of an episode.
package struct EpisodeLine: Hashable, Sendable {
  /// Seconds since the beginning; nil where the document has no times.
  package var seconds: Int?
  package var speaker: String?
  package var text: String
  /// The address of what a chapter is about.
  package var url: String?
}

package enum EpisodeTranscript: Hashable, Sendable {
  case lines([EpisodeLine])
  case html(String, url: String)
}

/// Use cases about episodes: their chapters and transcripts, fetched from where the feed says.
package struct Episodes: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The chapters of an episode.
  ///
  /// - Parameter file: the index of the file; nil for the first list of chapters.
  package func chapters(of article: Article, file: Int?) async throws -> [EpisodeLine] {
    let file = try Self.file(.chapters, file, of: article)
    let (bytes, _) = try await fetch(file, of: article)
    guard let list = ChapterList(bytes) else {
      throw SourceError(
        .decoding, stage: .parse, subject: file.url,
        message: "this is not a list of chapters", next: "the address may be opened in the browser")
    }
    return list.chapters.map {
      EpisodeLine(seconds: Int($0.start), text: $0.title, url: $0.url)
    }
  }

  /// The transcript of an episode.
  ///
  /// - Parameter file: the index of the file; nil for the best one.
  package func transcript(of article: Article, file: Int?) async throws -> EpisodeTranscript {
    let file = try Self.file(.transcript, file, of: article)
    let (bytes, told) = try await fetch(file, of: article)
    let text = String(decoding: PageText.utf8(bytes, contentType: told), as: UTF8.self)
    if (file.type ?? told)?.lowercased().hasPrefix("text/html") == true {
      return .html(text, url: file.url)
    }
    return .lines(
      Transcript(text).passages.map {
        EpisodeLine(seconds: $0.start.map { Int($0) }, speaker: $0.speaker, text: $0.text)
      })
  }

  /// Those with times first.
  private static let types = [
    "text/vtt", "application/json", "application/srt", "application/x-subrip",
  ]

  private static func file(
    _ role: Enclosure.Role, _ place: Int?, of article: Article
  ) throws -> Enclosure {
    let files = article.entry.enclosures
    if let place, files.indices.contains(place), files[place].role == role { return files[place] }
    let all = place == nil ? files.filter { $0.role == role } : []
    let timed = types.lazy.compactMap { type in all.first { $0.type?.lowercased() == type } }.first
    guard let found = timed ?? all.first else {
      throw SourceError.argument(
        "\(article.id.rawValue)",
        role == .chapters
          ? "this article names no chapters" : "this article names no transcript",
        next: "telex show --json lists the files of an article")
    }
    return found
  }

  private func fetch(
    _ file: Enclosure, of article: Article
  ) async throws -> (bytes: [UInt8], type: String?) {
    let feed = try await composition.store.view { try $0.feeds.feed(article.feedID) }
    guard let feed else { return ([], nil) }
    return try await EnclosureDocument(composition.sources, url: file.url, of: feed).fetch()
  }
}
