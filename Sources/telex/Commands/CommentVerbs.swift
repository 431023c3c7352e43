internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import Synchronization
internal import TelexKit

struct CommentsVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "comments", abstract: "Print the comments on an article, or write one.",
    discussion: """
      Comments are printed oldest first.

      A new comment is kept on this device until the server has it, and is sent once. telex outbox \
      lists the comments waiting to be sent. A comment that was also changed on the server waits \
      until you choose a text.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The number of the article.")
  var article: Int64
  @Flag(help: "Print each answer below its comment, once all are loaded.")
  var thread = false
  @Option(
    parsing: .unconditional,
    help: .value("TEXT", "Write this comment; - reads it from standard input."))
  var write: String?
  @Option(help: .value("ID", "With --write: answer this comment. --json prints the ids."))
  var answering: String?
  @Option(help: .value("ID", "With --write: change this comment of yours."))
  var edit: String?
  @Option(
    name: .customLong("version"),
    help: .value("VERSION", "With --edit: the version you have read. Default: the last one shown."))
  var readVersion: String?
  @Option(help: .value("NUMBER", "With --write: change this comment of the outbox."))
  var waiting: Int64?
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try refuse(
      write == nil && (answering != nil || edit != nil || waiting != nil),
      "--answering, --edit and --waiting go with --write.")
    try refuse(write != nil && thread, "Give --thread or --write, not both.")
    try refuse(edit != nil && waiting != nil, "Give --edit or --waiting, not both.")
    try refuse(readVersion != nil && edit == nil, "--version goes with --edit.")
    try refuse(
      answering != nil && (edit != nil || waiting != nil), "--answering goes with a new comment.")
  }

  func perform() async throws {
    let comments = Comments(try await common.compose(deadline: limit.deadline()))
    if let write { return try await send(write == "-" ? readAll() : write, comments) }
    let (article, form, thread) = (ArticleID(article), form, thread)
    let count = Mutex(0)
    try await untilInterrupted {
      guard thread else {
        return try await comments.forEach(on: article) {
          count.withLock { $0 += 1 }
          form.print($0.json(), text: $0.lines)
        }
      }
      for row in try await comments.thread(on: article).rows {
        count.withLock { $0 += 1 }
        // The indentation ends at 20 columns, to leave room for the text.
        let margin = String(repeating: " ", count: 2 * min(row.depth, 10))
        form.print(
          row.comment.json(depth: row.depth),
          text: row.comment.lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n"))
      }
    }
    if count.withLock({ $0 }) == 0 { form.note("No comments.") }
  }

  private func send(_ text: String, _ comments: Comments) async throws {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw SourceError.arguments(
        "comment", "the text is missing", next: "give it as an argument or on standard input")
    }
    let (article, edit, version, number) = (ArticleID(article), edit, readVersion, self.waiting)
    let parent = answering
    let waiting = try await untilInterrupted {
      if let number { return try await comments.rewrite(number, to: text) }
      if let edit {
        return try await comments.edit(edit, on: article, to: text, from: version)
      }
      return try await comments.send(text, answering: parent, on: article)
    }
    var error = waiting?.error
    if let status = error?.status, [404, 422].contains(status), edit ?? parent != nil {
      error?.next = "check the id: telex comments \(article.rawValue) --json has those there are"
    }
    form.complain(error)
    form.print(
      ["sent": .bool(waiting == nil), "error": .error(error)],
      text: waiting == nil ? "sent" : "waiting to be sent; telex outbox lists it")
    if waiting?.isRefused == true { throw ExitCode(1) }
  }

  private func readAll() throws -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text.trimmingCharacters(in: .newlines)
  }
}

extension Comment {
  /// The author, the text and the files. Further lines are indented, so that no text looks like
  /// another comment.
  fileprivate var lines: String {
    let parts = shownText.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { index, part in index == 0 || part.isEmpty ? String(part) : "  \(part)" }
    let lines = parts + (attachments ?? []).map { "  \($0.line)" }
    return "\(author ?? "somebody"): " + lines.joined(separator: "\n")
  }

  /// Comments from feeds are HTML.
  private var shownText: String {
    guard let html else { return text }
    var text = ArticlePage.text(ofHTML: html, url: url, width: 80).text
    while text.last == "\n" { text.removeLast() }
    return text
  }

  /// - Parameter depth: the depth in the thread; nil for a flat list.
  fileprivate func json(depth: Int? = nil) -> JSONOutput {
    .joined(
      [
        "id": .string(id), "parent": .string(parent), "author": .string(author),
        "published": .date(published), "updated": .date(updated), "text": .string(shownText),
        "url": .string(url), "version": .string(version),
        "attachments": .array((attachments ?? []).map(\.json)),
      ], depth.map { ["depth": .number($0)] } ?? [:])
  }
}

extension Attachment {
  fileprivate var line: String {
    let details = [type, length.map(TransferWords.bytes)].compactMap { $0 }
    return "+ \(name)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  fileprivate var json: JSONOutput {
    ["id": .string(id), "name": .string(name), "type": .string(type), "length": .number(length)]
  }
}
