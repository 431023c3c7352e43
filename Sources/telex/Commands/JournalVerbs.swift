internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct UndoVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last action.",
    discussion: """
      Each call undoes one action, in the reader or on the command line: marks, tags, deleted \
      articles, added, removed, renamed and moved feeds, settings of feeds, folders, rules, \
      smart feeds, Later, and articles marked as read by opening them. The exit status is 1 if \
      there is no action, or if the action is a comment, which cannot be undone; the next call \
      skips it.
      """)

  @OptionGroup var shared: SharedOptions

  func perform() async throws { try await form.turn(common, isUndo: true) }
}

struct RedoVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the action that was undone last.")

  @OptionGroup var shared: SharedOptions

  func perform() async throws { try await form.turn(common, isUndo: false) }
}

extension OutputOptions {
  fileprivate func turn(_ common: CommonOptions, isUndo: Bool) async throws {
    let composition = try await common.compose()
    let articles = Articles(composition)
    guard let entry = try await isUndo ? articles.undo() : articles.redo() else {
      let text = isUndo ? "no action to undo" : "no action to redo"
      print(.failed(text), text: text)
      throw ExitCode(1)
    }
    guard entry.refusal == nil else {
      let text = "cannot be undone; telex undo again skips it: \(entry.summary)"
      print(.failed(text), text: text)
      throw ExitCode(1)
    }
    if !entry.kind.isOfArticles {
      _ = try await untilInterrupted { try await Subscriptions(composition).deliver() }
    }
    print(
      ["done": .journal(entry, isUndone: isUndo), "error": .null],
      text: "\(isUndo ? "undone" : "redone"): \(entry.outcome)"
        + (isUndo && entry.kind == .addFeed ? "; telex redo subscribes again" : ""))
  }
}

struct JournalVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "List what you read and did, newest first.",
    discussion: """
      The journal is on this device only, with at most 10,000 entries, or as many as keep in \
      [journal] of config.toml. After --clear, earlier actions cannot be undone, and removed \
      articles and feeds are erased from the files.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("N", "List at most this many entries."))
  var limit = 50
  @Flag(help: "List only opened articles.")
  var read = false
  @Flag(help: "Delete all entries.")
  var clear = false

  func validate() throws {
    try refuse(limit < 0, "--limit must not be negative.")
    try refuse(clear && read, "Give --clear or --read, not both.")
  }

  func perform() async throws {
    let composition = try await common.compose()
    let articles = Articles(composition)
    if clear {
      try await untilInterrupted { try await articles.clearJournal() }
      return form.print(["cleared": .bool(true), "error": .null], text: "the journal is empty")
    }
    await composition.trimJournal()
    let clock = WallClock.local()
    var table = Table([.init("TIME"), .init("ARTICLE", isNumber: true), .init("ACTION", .rest)])
    for entry in try articles.journal(limit: limit, kinds: read ? [.opened] : nil) {
      let time = clock.long(Int64(entry.time.timeIntervalSince1970))
      let number = entry.article.map { "\($0.rawValue)" } ?? ""
      form.print(
        .journal(entry), in: &table,
        [time, number, entry.summary + (entry.isUndone ? " (undone)" : "")])
    }
    form.finish(&table, empty: "No entries.")
  }
}

extension JSONOutput {
  fileprivate static func failed(_ message: String) -> JSONOutput {
    [
      "done": .null,
      "error": .error(SourceError(.address, stage: .store, subject: "journal", message: message)),
    ]
  }

  fileprivate static func journal(_ entry: JournalEntry, isUndone: Bool? = nil) -> JSONOutput {
    [
      "time": .date(entry.time), "action": .string(entry.kind.rawValue), "set": .bool(entry.isSet),
      "count": .number(entry.count), "articleID": .number(entry.article?.rawValue),
      "feedID": .number(entry.feed?.rawValue),
      "feedIDs": .array(entry.feeds.map { .number($0.rawValue) }),
      "subject": .string(entry.subject), "detail": .string(entry.detail),
      "undone": .bool(isUndone ?? entry.isUndone), "summary": .string(entry.summary),
      "remark": .string(entry.remark),
    ]
  }
}
