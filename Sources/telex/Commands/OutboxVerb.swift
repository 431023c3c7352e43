internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit
internal import Text

struct OutboxVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List changes waiting to be sent; send or drop them.",
    discussion: """
      One line for each mark, comment and change of a subscription, oldest first: number, change \
      with the number of the article, title or text, feed, server, time, failed attempts, last \
      error. With --retry the exit status is 1 if a change still waits.

      If a comment was also changed on the server, --keep-mine, --keep-theirs and --keep-both \
      choose the text.
      """)

  @OptionGroup var shared: SharedOptions
  @Flag(help: "Send all changes now, including refused ones.")
  var retry = false
  @Option(help: .value("NUMBER", "Drop this change."))
  var drop: [Int64] = []
  @Option(
    help: .value(
      "NUMBER", "Keep your text of this comment."))
  var keepMine: [Int64] = []
  @Option(help: .value("NUMBER", "Keep the server's text of this comment."))
  var keepTheirs: [Int64] = []
  @Option(
    help: .value(
      "NUMBER", "Keep both: yours becomes a new comment."))
  var keepBoth: [Int64] = []
  @OptionGroup var limit: TimeLimitOptions

  func perform() async throws {
    let outbox = Outbox(try await common.compose(deadline: limit.deadline()))
    try await outbox.drop(drop)
    let answers: [([Int64], ConflictAnswer)] = [
      (keepMine, .mine), (keepTheirs, .theirs), (keepBoth, .both),
    ]
    for (numbers, answer) in answers {
      try await untilInterrupted { try await outbox.resolve(numbers, answer) }
    }
    let left = retry ? try await untilInterrupted { try await outbox.send() } : 0
    var table = Table([
      .init("NUMBER", isNumber: true), .init("CHANGE", .limited), .init("TEXT", .rest),
      .init("FEED", .ifWide), .init("ACCOUNT", .ifWide), .init("SINCE"),
      .init("TRIES", .ifWide, isNumber: true), .init("ERROR", .limited),
    ])
    for change in try outbox.waiting() { form.print(.change(change), in: &table, change.columns) }
    form.finish(&table, empty: "No changes are waiting to be sent.")
    if left > 0 { throw ExitCode(1) }
  }
}

extension WaitingChange {
  /// A hyphen stands for unknown values.
  fileprivate var columns: [String] {
    let server = origin.map { origin in user.map { "\($0) at \(origin)" } ?? origin }
    let columns = [
      "\(id)", what, subject.map { String($0.prefix(60)) } ?? "-", feedTitle ?? "-", server ?? "-",
      Timestamp.text(of: created), "\(attempts)",
    ]
    let error = error.map { ["! \($0.message)"] } ?? []
    return columns + error
  }

  private var what: String {
    let number = article.map { "\($0.rawValue)" } ?? "?"
    switch kind {
    case .mark(let mark):
      let (set, removed) = mark.kind == .read ? ("read", "unread") : ("star", "unstar")
      return "\(mark.isSet ? set : removed) \(number)"
    case .batch(let isRead, let count):
      let articles = count.map { Measures.counted($0, "article") } ?? "articles"
      return "\(isRead ? "read" : "unread") \(articles)"
    case .comment: return "comment on \(number)"
    case .edit: return "change a comment on \(number)"
    case .tag(let name, let isSet): return "\(isSet ? "tag" : "untag") \(number) \(name)"
    case .later: return "save for later \(number)"
    case .subscription(let change):
      switch change.kind {
      case .add: return "subscribe"
      case .remove: return "remove"
      case .rename: return "rename"
      case .file: return "move"
      }
    }
  }

  private var subject: String? {
    switch kind {
    case .comment(let text): return text
    case .edit(let edit): return edit.text
    case .subscription(let change):
      switch change.kind {
      case .add, .remove: return change.url
      case .rename(let title): return title
      case .file(let folders): return folders.isEmpty ? "-" : folders.joined(separator: ", ")
      }
    case .mark, .batch, .tag, .later: return title
    }
  }
}

extension JSONOutput {
  /// A change in the outbox, with null for members that its kind does not have.
  static func change(_ waiting: WaitingChange) -> JSONOutput {
    let kind: String
    var (isSet, count, text) = (JSONOutput.null, JSONOutput.null, JSONOutput.null)
    switch waiting.kind {
    case .mark(let mark): (kind, isSet) = (mark.kind.rawValue, .bool(mark.isSet))
    case .batch(let isRead, let number):
      (kind, isSet, count) = ("read-batch", .bool(isRead), .number(number))
    case .comment(let comment): (kind, text) = ("comment", .string(comment))
    case .edit(let edit): return self.edit(edit, in: waiting)
    case .tag(let name, let isTagged):
      (kind, isSet, text) = ("tag", .bool(isTagged), .string(name))
    case .later: kind = "later"
    case .subscription(let change): return subscription(change, in: waiting)
    }
    return .joined(
      [
        "id": .number(waiting.id), "kind": .string(kind), "set": isSet,
        "article": .number(waiting.article?.rawValue), "title": .string(waiting.title),
        "feed": .string(waiting.feedTitle), "count": count, "text": text,
      ], delivery(waiting))
  }

  private static func edit(_ edit: CommentEdit, in waiting: WaitingChange) -> JSONOutput {
    let theirs = edit.conflict?.comment.map { comment -> JSONOutput in
      [
        "author": .string(comment.author), "updated": .date(comment.updated),
        "text": .string(comment.text), "version": .string(comment.version),
      ]
    }
    return .joined(
      [
        "id": .number(waiting.id), "kind": .string("edit-comment"),
        "article": .number(waiting.article?.rawValue), "title": .string(waiting.title),
        "feed": .string(waiting.feedTitle), "comment": .string(edit.comment),
        "version": .string(edit.version), "text": .string(edit.text),
        "conflict": .bool(edit.conflict != nil), "theirs": theirs ?? .null,
      ], delivery(waiting))
  }

  private static func subscription(
    _ change: SubscriptionChange, in waiting: WaitingChange
  ) -> JSONOutput {
    let kind: String
    var (title, folders) = (JSONOutput.null, JSONOutput.null)
    switch change.kind {
    case .add: kind = "subscribe"
    case .remove: kind = "unsubscribe"
    case .rename(let name): (kind, title) = ("rename-feed", .string(name))
    case .file(let names): (kind, folders) = ("move-feed", .strings(names))
    }
    return .joined(
      [
        "id": .number(waiting.id), "kind": .string(kind), "url": .string(change.url),
        "feed": .string(waiting.feedTitle), "title": title, "folders": folders,
      ], delivery(waiting))
  }

  /// The members of every change: its account and its delivery.
  private static func delivery(_ change: WaitingChange) -> JSONOutput {
    [
      "origin": .string(change.origin), "user": .string(change.user),
      "created": .date(change.created), "attempts": .number(change.attempts),
      "error": .error(change.error), "refused": .bool(change.isRefused),
    ]
  }
}
