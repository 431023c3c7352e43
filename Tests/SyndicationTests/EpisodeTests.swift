internal import Testing

@testable internal import Syndication

/// Chapters and transcripts of episodes.
@Suite struct EpisodeTests {
  private func chapters(_ json: String) -> [ChapterList.Chapter]? {
    ChapterList(Array(json.utf8))?.chapters
  }

  @Test func `Chapters are read in the order of their times, without those that are to be silent`()
  {
    let list = chapters(
      """
      {"version":"1.2.0","chapters":[
        {"startTime":94.5,"title":"Two \\u001b[31m","url":"https://e.org/2"},
        {"startTime":0,"title":"One","img":"https://e.org/1.png"},
        {"startTime":"60","title":"As a text"}, {"startTime":70,"title":"Silent","toc":false},
        {"title":"No time"}, {"startTime":-1,"title":"Before"}, 7, {"startTime":1e300,"title":"x"}]}
      """)
    #expect(list?.map(\.start) == [0, 60, 94.5])
    #expect(list?.map(\.title) == ["One", "As a text", "Two [31m"])
    #expect(list?.map(\.url) == [nil, nil, "https://e.org/2"])
  }

  @Test func `What is cut off gives what came before, and another document is none`() {
    #expect(chapters(#"{"chapters":[{"startTime":1,"title":"a"},{"startTi"#)?.count == 1)
    #expect(chapters(#"{"chapters":[]}"#) == [])
    #expect(chapters("<html></html>") == nil && chapters("[]") == nil && chapters("") == nil)
  }

  static let subtitles: [(String, String)] = [
    (
      "WebVTT, with notes, styles, settings and speakers",
      """
      WEBVTT - Title

      STYLE
      ::cue { color: red }

      NOTE a comment

      1
      00:01.000 --> 00:04.000 align:start
      <v Ada>Good &amp; well,
      she <i>said</i>.

      00:00:05.000 --> 00:00:06.000
      <v Ada>Indeed.

      01:02:03.500 --> 01:02:04.000
      <v.loud Bob>Yes.
      """
    ),
    (
      "SubRip",
      """
      \u{FEFF}1
      00:00:01,000 --> 00:00:04,000
      Ada: Good & well,
      she said.

      2
      00:00:05,000 --> 00:00:06,000
      Indeed.
      """
    ),
    (
      "the JSON of podcasts",
      """
      {"version":"1.0.0","segments":[{"speaker":"Ada","startTime":1,"endTime":4,"body":"Good & well,"},
      {"speaker":"Ada","startTime":4,"body":"she said."},{"startTime":5,"body":"Indeed."},
      {"speaker":"Bob","startTime":3723.5,"body":"Yes."},{"startTime":1}]}
      """
    ),
  ]

  @Test(arguments: subtitles)
  func `Each kind of transcript is read as passages`(_ name: String, _ text: String) {
    let passages = Transcript(text).passages
    #expect(passages.first?.start == 1)
    let isSubRip = name == "SubRip"
    #expect(passages.first?.speaker == (isSubRip ? nil : "Ada"))
    #expect(
      passages.first?.text == (isSubRip ? "Ada: " : "") + "Good & well, she said. Indeed.")
    guard !isSubRip else { return #expect(passages.count == 1) }
    #expect(passages.count == 2)
    #expect(passages.last?.start == 3723.5)
    #expect(passages.last?.speaker == "Bob" && passages.last?.text == "Yes.")
  }

  @Test func `Long speech is cut where a sentence ends`() {
    let cue = "00:0%:00.000 --> 00:0%:30.000\n" + String(repeating: "word ", count: 30)
    let text =
      "WEBVTT\n\n"
      + (1...4).map { cue.replacing("%", with: "\($0)") + ($0 == 3 ? "end.\n\n" : "\n\n") }.joined()
    let passages = Transcript(text).passages
    #expect(passages.map(\.start) == [60, 240])
    #expect(passages.first?.text.hasSuffix("end.") == true)
  }

  @Test func `Speech without an end of a sentence is cut too, in time for its length`() {
    let cues = (0..<20_000).map { _ in "00:01.000 --> 00:02.000\nand so on\n\n" }.joined()
    let passages = Transcript("WEBVTT\n\n" + cues).passages
    #expect(passages.count > 100 && passages.allSatisfy { $0.text.utf8.count < 1_100 })
  }

  @Test func `Plain text is a passage for each line, and nothing is nothing`() {
    #expect(
      Transcript("One\u{1b}[0m line\r\n\r\n  Two\n").passages
        == [
          Transcript.Passage(text: "One[0m line"), Transcript.Passage(text: "Two"),
        ])
    #expect(Transcript("").passages == [] && Transcript("WEBVTT\n").passages == [])
    #expect(Transcript("WEBVTT\n\nxx --> yy\ntext").passages == [])
    #expect(Transcript("{\"a\":1}").passages.map(\.text) == ["{\"a\":1}"])
  }
}
