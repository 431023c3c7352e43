internal import Text

/// Transcript of an episode: WebVTT, SubRip, the JSON of podcasts, or plain text.
package struct Transcript: Hashable, Sendable {
  package struct Passage: Hashable, Sendable {
    /// In seconds; nil if the document has no times.
    package var start: Double?
    package var speaker: String?
    package var text: String
  }

  package var passages: [Passage]

  /// Bytes after which a passage ends with the next sentence, and with the next line.
  private static let (length, limit) = (240, 1_000)

  package init(_ text: String) {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    var cues: [Passage]
    if start.hasPrefix("WEBVTT") {
      cues = Self.cues(of: start)
    } else if start.hasPrefix("{"), let segments = Self.segments(of: start) {
      cues = segments
    } else if start.prefix(200).contains("-->") {
      cues = Self.cues(of: start)
    } else {
      passages = start.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        .map { Passage(text: PlainText.sanitized(String($0))) }.filter { !$0.text.isEmpty }
      return
    }
    cues.removeAll(where: \.text.isEmpty)
    passages = Self.joined(cues)
  }

  private static func joined(_ cues: [Passage]) -> [Passage] {
    var passages: [Passage] = []
    for cue in cues {
      let last = passages.count - 1
      if last >= 0, cue.speaker == nil || cue.speaker == passages[last].speaker,
        !isFull(passages[last].text)
      {
        passages[last].text += " " + cue.text
      } else {
        passages.append(cue)
      }
    }
    return passages
  }

  private static func isFull(_ text: String) -> Bool {
    text.utf8.count >= limit || text.utf8.count >= length && endsSentence(text)
  }

  private static func endsSentence(_ text: String) -> Bool {
    guard let last = text.last(where: { !"\"”’)]»".contains($0) }) else { return false }
    return ".?!…。？！".contains(last)
  }

  /// Cues of WebVTT and SubRip: a line with two times, and lines of text up to an empty one.
  private static func cues(of text: Substring) -> [Passage] {
    var cues: [Passage] = []
    var current: Passage?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.allSatisfy(\.isWhitespace) {
        if let cue = current { cues.append(cue) }
        current = nil
      } else if let arrow = line.firstRange(of: "-->")?.lowerBound {
        if let cue = current { cues.append(cue) }
        current = seconds(line[..<arrow]).map { Passage(start: $0, text: "") }
      } else if let isEmpty = current?.text.isEmpty {
        let (speaker, text) = spoken(line)
        if let speaker { current?.speaker = speaker }
        // In place, because copying the text for each line would take quadratic time.
        current?.text += (isEmpty ? "" : " ") + text
      }
    }
    if let cue = current { cues.append(cue) }
    return cues
  }

  /// `01:02:03.004` or `02:03,004`.
  private static func seconds(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":").map {
      Double(String($0.trimmed.map { $0 == "," ? "." : $0 }))
    }
    guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
    let seconds = parts.reduce(0.0) { $0 * 60 + ($1 ?? 0) }
    return seconds.isFinite && (0..<1e7).contains(seconds) ? seconds : nil
  }

  /// The text without tags, and its speaker (`<v Name>`).
  private static func spoken(_ line: Substring) -> (speaker: String?, text: String) {
    var speaker: String?
    if line.hasPrefix("<v"), let end = line.firstIndex(of: ">"),
      let space = line[..<end].firstIndex(where: \.isWhitespace)
    {
      speaker = PlainText.sanitized(String(line[line.index(after: space)..<end]))
    }
    return (speaker, PlainText.stripped(html: String(line)))
  }

  private static func segments(of text: Substring) -> [Passage]? {
    let document = JSONValue.parse(Array(text.utf8)).value
    return document.object?["segments"]?.array?.compactMap(\.object).compactMap { members in
      members["body"]?.oneLine.map { body in
        Passage(
          start: members["startTime"]?.seconds, speaker: PlainText.line(members["speaker"]?.string),
          text: body)
      }
    }
  }
}
