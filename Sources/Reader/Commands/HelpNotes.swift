/// The meanings of signs, the mouse and the words of a query, below all commands.
enum HelpNotes {
  static let all: [RunnableCommand] =
    notes(
      "Sign",
      [
        ("●", "unread"), ("★", "starred"), ("✓", "selected"),
        ("±", "changed by its feed since you opened it"),
        ("▣", "packed for a trip: can be read offline"),
        ("≡", "has duplicates in other feeds"),
        ("▲ 3 new", "new articles above"),
        ("!", "failing feed; with a number: how many feeds fail"),
        ("⊘", "the connection to the feed cannot be trusted"), ("×", "the feed is gone"),
        ("▸ ▾", "folded folder, open folder"), ("┄", "missing articles"),
      ])
    + notes(
      "Key",
      [
        (
          "Esc",
          "close a question; else stop what runs and keep what came; else clear the selection; else go back"
        )
      ])
    + notes(
      "Mouse",
      [
        ("click", "select; on the selected article: open"),
        ("double click", "open; on a folder: fold or unfold"),
        ("wheel", "scroll; past the top of the list, twice: refresh"),
      ])
    + notes(
      "Later",
      [(":later --until friday", "hide the selected articles until then; or in 3d, at 18:00")]
    )
    + notes(
      "Query",
      [
        ("one \"two three\"", "a word, and a phrase"),
        ("a OR b, (…), -a", "either; grouped; not"),
        ("title: text:", "words in the title or text; title:/…/ takes a regular expression"),
        (
          "unread read starred",
          "by mark; is:tagged, is:heard, is:duplicate, is:changed, is:failing"
        ),
        ("tag: author: url:", "a tag; part of the author or address; category:"),
        (
          "feed: folder: site:",
          "part of a feed’s name or address; a folder; a site; account:"
        ),
        (
          "after:1w before:2026-11",
          "published since or before; on:today; age<3d; arrived:2h; since:last-refresh"
        ),
        ("has:audio", "with audio; or enclosure, video, image, comments, author, link, tag"),
        ("unread>10 total<5", "of feeds with that many articles"),
        ("score>0 score<-2", "set by rules; sort:score lists the highest first"),
      ])

  private static func notes(_ kind: String, _ rows: [(String, String)]) -> [RunnableCommand] {
    rows.map { RunnableCommand(kind: .note, name: $0.0, keys: "", help: "\(kind): \($0.1)") }
  }
}
