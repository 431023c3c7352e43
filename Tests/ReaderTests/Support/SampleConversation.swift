internal import Foundation
internal import News

@testable import Reader

extension Sample {
  /// A thread with answers at several depths, what is new, HTML, a long name, and an answer that waits.
  static let conversation: Conversation = {
    func comment(
      _ number: Int, answers parent: Int? = nil, by author: String?, _ text: String,
      html: String? = nil
    ) -> Comment {
      Comment(
        id: "c\(number)", parent: parent.map { "c\($0)" }, author: author,
        published: date(secondsAgo: Int64(90_000 - number * 600)), text: text, html: html)
    }
    let comments =
      [
        comment(
          1, by: "Ada",
          "The ferry runs all night in winter. I have been that one passenger, and the captain made tea.\n\nHe asked nothing for it."
        ),
        comment(
          2, answers: 1, by: "Günther Löwenmaul-Prätorius von der Hohen Warte", "Which line?"),
        comment(
          3, answers: 2, by: "Ada", "",
          html:
            "<p>The <em>northern</em> one:</p><ul><li>every hour by day</li><li>every second hour by night, as <a href=\"https://example.org/t\">its table</a> says</li></ul>"
        ),
        comment(4, answers: 1, by: nil, "Tea!"),
        comment(5, by: "山田", "渡し船の話が好きです。"),
      ]
      + (6...18).map {
        comment(
          $0, answers: $0 == 6 ? 5 : $0 - 1, by: "Reader \($0)",
          "Answer number \($0) to the one above it.")
      }
      + [comment(19, by: "Mallory", "The last word.")]
    var arrivals = Dictionary(uniqueKeysWithValues: comments.map { ($0.id, 1) })
    for id in ["c4", "c18"] { arrivals[id] = 2 }
    return Conversation(
      article: ArticleID(20), title: "The ferry that waits for one passenger", source: .server,
      comments: comments, arrivals: arrivals,
      waiting: [
        WaitingText(
          id: 3, parent: "c2", text: "I would like to know, too.", created: date(secondsAgo: 60),
          error: SourceError(
            .offline, stage: .fetch, subject: "example.org", message: "there is no network"))
      ],
      record: ConversationRecord(fetched: date(secondsAgo: 10), arrival: 2, seen: 1))
  }()
}

extension Session {
  /// Opens comments on an article.
  mutating func converse(_ conversation: Conversation) {
    arrive(Sample.rows(1...20))
    send(keys: "C")
    _ = state.reduce(.conversation(.arrived(conversation)))
  }
}
