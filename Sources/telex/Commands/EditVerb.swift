internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

struct EditVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit all subscriptions as text in your editor.",
    discussion: """
      The editor is $VISUAL, $EDITOR or vi. When you close it, Telex shows the changes, asks, \
      and then makes them: subscribes, unsubscribes, renames, moves to folders, changes \
      settings. telex undo undoes each change.

      “Subscriptions as text” in the manual describes the text. --print prints it for telex \
      apply.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @Flag(help: "Print the text without an editor.")
  var print = false

  func perform() async throws {
    let composition = try await common.compose()
    let before = try Subscriptions(composition).list()
    if print { return Output.print(before.text(isForEditing: false)) }
    let editor = try TextEditor(before.text(isForEditing: true), name: "feeds.txt")
    let edited: SubscriptionList?
    let given = try editor.bytes()
    do { edited = try self.edited(before, with: editor) } catch {
      let left = try? editor.bytes()
      guard left == nil || left == [] || left == given else { throw error }
      // The file holds no work of the user.
      editor.discard()
      guard var error = error as? SourceError, left == given else { throw error }
      if error.next?.contains(editor.path) == true { error.next = "nothing has changed" }
      throw error
    }
    guard let after = edited else {
      editor.discard()
      return form.print(AppliedList().json, text: "nothing has changed")
    }
    let changes = before.changes(to: after, removesOthers: true)
    let asks = !confirmation.yes && form.canAsk
    if !changes.isEmpty, asks {
      SubscriptionListChange.show(changes)
      guard try TerminalPrompt.isYes("Do this? y/n ") else {
        Output.line("nothing was changed; your text is in \(editor.path)")
        throw ExitCode(1)
      }
    }
    editor.discard()
    var applied = AppliedList(changes: changes)
    try await applied.apply(composition, form, isShown: asks) {
      try Subscriptions(composition).list().changes(to: after, removesOthers: true)
    }
  }

  /// The edited list; nil without a change. Invalid lines are reported, and the editor opens again
  /// if the user wants.
  private func edited(
    _ before: SubscriptionList, with editor: TextEditor
  ) throws -> SubscriptionList? {
    let text = try editor.bytes()
    while true {
      try editor.run()
      guard try editor.bytes() != text else { return nil }
      do {
        let list = try SubscriptionList(file: editor.path)
        guard list.feeds.isEmpty, !before.feeds.isEmpty else { return list }
        // Probably an editor that was killed.
        let place = try editor.bytes().isEmpty ? "" : "; your text is in \(editor.path)"
        throw SourceError(
          .decoding, stage: .parse, subject: editor.path, message: "the text has no feeds left",
          next: "nothing has changed\(place); telex remove ends subscriptions")
      } catch let mistakes as SubscriptionListMistakes {
        if !form.json { for error in mistakes.errors { Output.complain(error.line) } }
        guard form.canAsk, try TerminalPrompt.isYes("Edit it again? y/n ") else {
          var error = mistakes.summary
          error.next = "nothing has changed; your text is in \(editor.path)"
          throw error
        }
      }
    }
  }
}

struct ApplyVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Make the subscriptions match a list.",
    discussion: """
      The list is a text as telex edit --print prints it. Other feeds stay, unless --prune is \
      given. A feed that cannot be reached is added anyway. telex undo undoes each change.

      With --follow the list may also be OPML or an address, and a refresh reads it once a day: it \
      subscribes to new feeds of the list and unsubscribes from those that leave it. Feeds that \
      you added or removed yourself stay as they are. --follow without a list reads all followed \
      lists now.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String?
  @Flag(help: "Follow this list, a file or address, from now on.")
  var follow = false
  @Flag(help: "Stop following this list; its feeds stay.")
  var unfollow = false
  @Flag(help: "Unsubscribe from feeds that are not in the list.")
  var prune = false
  @Flag(help: "Print the changes, and make none.")
  var dryRun = false

  func validate() throws {
    try refuse(file == nil && !follow, "Name a file, or - for standard input.")
    try refuse(
      [follow, unfollow, prune || dryRun].count(where: \.self) > 1,
      "--follow and --unfollow take no other option.")
    try refuse((follow || unfollow) && file == "-", "Standard input cannot be followed.")
  }

  func perform() async throws {
    if follow || unfollow { return try await keepInStep() }
    let file = file ?? "-"
    let wanted: SubscriptionList
    do { wanted = try SubscriptionList(file: file) } catch let mistakes
      as SubscriptionListMistakes
    {
      if !form.json { for error in mistakes.errors.dropFirst() { Output.complain(error.line) } }
      var error = mistakes.summary
      if form.json, mistakes.errors.count > 1 {
        error.next = "nothing has changed, and there are more; without --json all are named"
      }
      throw error
    }
    let composition = try await common.compose()
    let before = try Subscriptions(composition).list()
    guard !prune || !wanted.feeds.isEmpty || before.feeds.isEmpty else {
      // Probably a program that failed earlier in the pipe.
      throw SourceError(
        .decoding, stage: .parse, subject: file == "-" ? "standard input" : file,
        message: "the list has no feeds",
        next: "nothing has changed; telex remove ends subscriptions")
    }
    let changes = before.changes(to: wanted, removesOthers: prune)
    var applied = AppliedList(changes: changes, isDry: dryRun)
    try await applied.apply(composition, form) {
      try Subscriptions(composition).list().changes(to: wanted, removesOthers: prune)
    }
  }
}

extension ApplyVerb {
  private func keepInStep() async throws {
    let following = ListFollowing(try await common.compose())
    if unfollow, let file {
      try await following.unfollow(file)
      return form.print(
        ["unfollowed": .string(file), "error": .null],
        text: "\(file) is no longer followed; its feeds stay")
    }
    let reports = try await untilInterrupted { [file] in
      if let file { return [try await following.follow(file)] }
      return try await following.updateAll(isForced: true)
    }
    for report in reports {
      if !form.json { report.complain() }
      form.print(report.json, text: report.line)
    }
    if reports.isEmpty { form.note("No list is followed.") }
    if reports.contains(where: { $0.error != nil }) { throw ExitCode(1) }
  }
}

extension ListFollowing.Report {
  func complain() {
    if let error { Output.complain(error) }
    Output.complain(alike: unfetched)
  }

  var line: String {
    let name = WebAddress.redacted(source)
    guard error == nil else { return "\(name): not read" }
    let counts = feedCounts([(added.count, "added"), (removed.count, "removed")])
    return "\(name): \(counts ?? "nothing to change")"
  }

  fileprivate var json: JSONOutput {
    [
      "list": .string(source), "added": .array(added.map(JSONOutput.feed)),
      "removed": .array(removed.map(JSONOutput.feed)),
      "unfetched": .array(unfetched.map { .number($0.feed.id.rawValue) }), "error": .error(error),
    ]
  }
}

/// The counts above 0, each with its word; nil without any.
private func feedCounts(_ counts: [(count: Int, word: String)]) -> String? {
  let parts = counts.filter { $0.count > 0 }.map {
    "\(Measures.counted($0.count, "feed")) \($0.word)"
  }
  return parts.isEmpty ? nil : parts.joined(separator: ", ")
}

/// The changes that `edit` and `apply` make and print.
struct AppliedList {
  var changes: [SubscriptionListChange] = []
  var isDry = false
  var report = SubscriptionListing.Report()

  /// Makes the changes and prints them.
  ///
  /// - Parameters:
  ///   - isShown: whether the user has seen them already.
  ///   - remaining: the changes that are still to be made after a signal.
  /// - Throws: `ExitCode` 1 where a change could not be made, that of the signal after a signal.
  mutating func apply(
    _ composition: Composition, _ form: OutputOptions, isShown: Bool = false,
    remaining: () throws -> [SubscriptionListChange]
  ) async throws {
    if !isDry, !changes.isEmpty {
      if !form.json, changes.contains(where: \.isAddition) {
        Output.progress("Asking new feeds…")
      }
      do {
        report = try await untilInterrupted { [changes] in
          try await SubscriptionListing(composition).run(changes)
        }
      } catch let status as ExitCode {
        Output.endProgress()
        complain(ofRemaining: try remaining(), form)
        throw status
      }
      Output.endProgress()
    }
    if !form.json, !isShown { SubscriptionListChange.show(isDry ? changes : report.done) }
    try finish(printing: form)
  }

  private func complain(ofRemaining left: [SubscriptionListChange], _ form: OutputOptions) {
    let error = SourceError(
      .cancelled, stage: .store, subject: "the list",
      message: "stopped: \(left.count) of \(Measures.counted(changes.count, "change")) not made",
      next: "telex apply with the same list goes on")
    if form.json {
      return Output.line(["left": .array(left.map(JSONOutput.change)), "error": .error(error)])
    }
    Output.complain(error)
    for change in left { Output.complain("not done: \(change.sign) \(change.displayTitle)") }
  }

  private func finish(printing form: OutputOptions) throws {
    if !form.json {
      if !report.unfetched.isEmpty {
        let feeds = Measures.counted(report.unfetched.count, "feed")
        Output.complain("\(feeds) subscribed but never fetched; telex refresh tries again:")
        Output.complain(alike: report.unfetched)
      }
      for (change, error) in report.failed {
        Output.complain("telex: \(change.displayTitle) is not as the list says: \(error.line)")
      }
      if !report.waiting.isEmpty {
        Output.complain("not sent to all servers yet; telex outbox lists the changes")
      }
    }
    let counts = feedCounts([
      (report.done.count(where: \.isAddition), "added"),
      (report.done.count(where: { !$0.isAddition && !$0.isRemoval }), "changed"),
      (report.done.count(where: \.isRemoval), "removed"),
    ])
    let text =
      changes.isEmpty
      ? "nothing to change"
      : isDry ? "nothing was done: a dry run" : counts ?? "nothing has changed"
    form.print(json, text: text)
    if !report.failed.isEmpty { throw ExitCode(1) }
  }

  var json: JSONOutput {
    let failed = report.failed.map { change, error -> JSONOutput in
      ["url": .string(change.url), "error": .error(error)]
    }
    let unfetched = report.unfetched.map { feed, error -> JSONOutput in
      ["feedID": .number(feed.id.rawValue), "url": .string(feed.url), "error": .error(error)]
    }
    let made: [JSONOutput] = (isDry ? changes : report.done).map(JSONOutput.change)
    return [
      "dryRun": .bool(isDry), "changes": .array(made), "failed": .array(failed),
      "unfetched": .array(unfetched), "waiting": .number(report.waiting.count), "error": .null,
    ]
  }
}

extension SubscriptionListChange {
  fileprivate static func show(_ changes: [SubscriptionListChange]) {
    guard !changes.isEmpty else { return }
    Output.lines(changes.map(\.coloredLine), hasColors: Output.hasColors)
  }

  fileprivate var sign: String { isAddition ? "+" : isRemoval ? "-" : "~" }

  private var coloredLine: ColoredText {
    let words = parts.map(\.words).joined(separator: ", ")
    let owner = (before ?? after)?.owner.map { " at \($0.base)" } ?? ""
    let text =
      isAddition
      ? "\(url)\(owner)\(words.isEmpty ? "" : ": \(words)")"
      : isRemoval ? "\(displayTitle)  \(url)\(owner)" : "\(displayTitle): \(words)"
    return ColoredText("\(sign) ", isAddition ? .green : isRemoval ? .red : .yellow)
      + ColoredText(text)
  }
}

extension SubscriptionListChange.Part {
  fileprivate var words: String {
    switch self {
    case .account(let owner):
      owner.map { "in the account \($0.user) at \($0.base)" } ?? "in no account"
    case .title(let title): title.map { "called “\($0)”" } ?? "called as it calls itself"
    case .folders(let folders):
      folders.isEmpty ? "in no folder" : "in \(folders.joined(separator: " and in "))"
    case .setting(let setting, let text): "\(setting.rawValue) \(text ?? FeedSetting.none)"
    case .proxy(let proxy): "proxy \(proxy?.text ?? "default")"
    }
  }
}

extension JSONOutput {
  fileprivate static func change(_ change: SubscriptionListChange) -> JSONOutput {
    var parts: [(String, JSONOutput)] = []
    for part in change.parts {
      switch part {
      case .account(let owner): parts.append(("account", .string(owner?.base ?? "local")))
      case .title(let title): parts.append(("title", .string(title)))
      case .folders(let folders): parts.append(("folders", .strings(folders)))
      case .setting(let setting, let text): parts.append((setting.rawValue, .string(text)))
      case .proxy(let proxy): parts.append(("proxy", .string(proxy?.text)))
      }
    }
    return [
      "change": .string(change.isAddition ? "add" : change.isRemoval ? "remove" : "set"),
      "url": .string(change.url), "feedID": .number(change.before?.id?.rawValue),
      "account": .string(change.after?.owner?.base ?? change.before?.owner?.base),
      "set": .object(parts),
    ]
  }
}
