/// The meanings of signs, the mouse and the words of a query, below all commands.
enum HelpNotes {
  static let all: [RunnableCommand] =
    notes(
      "Sign",
      [
        ("●", "unread"), ("★", "starred"), ("✓", "selected"),
        ("±", "changed by its feed since you opened it"),
        ("▣", "packed for a trip: complete without a network"),
        ("≡", "the same article is in other feeds too"),
        ("▲ 3 new", "so many have arrived above"),
        ("!", "of a feed: it fails; of a list: so many fail"),
        ("⊘", "of a feed: its connection cannot be trusted"), ("×", "of a feed: it is gone"),
        ("▸ ▾", "a folder that is folded, or open"), ("┄", "articles are missing in between"),
      ])
    + notes(
      "Mouse",
      [
        ("click", "selects; on the selected article: opens it"),
        ("double click", "opens; on a folder: folds or unfolds it"),
        ("wheel", "scrolls; past the top of the list, twice: refreshes"),
      ])
    + notes(
      "Query",
      [
        ("one \"two three\"", "articles with the word, and with these words together"),
        ("a OR b, (…), -a", "either; grouped; the opposite"),
        ("title: text:", "words there; title:/…/ a regular expression"),
        (
          "unread read starred",
          "by mark; is:tagged, is:heard, is:duplicate, is:changed, is:failing"
        ),
        ("tag: author: url:", "a tag; a part of the author, of the address; category:"),
        (
          "feed: folder: site:",
          "a part of the feed’s name or address; a folder; its page; account:"
        ),
        (
          "after:1w before:2026-11",
          "published since, before; on:today; age<3d; arrived:2h; since:last-refresh"
        ),
        ("has:audio", "has such a file; enclosure, video, image, comments, author, link, tag"),
        ("unread>10 total<5", "of feeds with so many articles"),
        ("score>0 score<-2", "raised or lowered by rules; sort:score puts the highest first"),
      ])

  private static func notes(_ kind: String, _ rows: [(String, String)]) -> [RunnableCommand] {
    rows.map { RunnableCommand(kind: .note, name: $0.0, keys: "", help: "\(kind): \($0.1)") }
  }
}
