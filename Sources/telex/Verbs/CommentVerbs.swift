internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct CommentsVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "comments", abstract: "Print what stands under an article, oldest first.")

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The article's number.")
  var article: Int64
  @Flag(help: "Print each answer below what it answers; begins when all comments are there.")
  var thread = false
  @OptionGroup var limit: TimeLimitOptions

  func perform() async throws {
    let comments = Comments(try await common.compose(deadline: limit.deadline()))
    let (article, form, thread) = (ArticleID(article), form, thread)
    try await untilInterrupted {
      guard thread else {
        return try await comments.forEach(on: article) { form.print($0.json(), text: $0.lines) }
      }
      for row in try await comments.thread(on: article).rows {
        // The indentation ends at 20 columns, to leave room for the text.
        let margin = String(repeating: " ", count: 2 * min(row.depth, 10))
        form.print(
          row.comment.json(depth: row.depth),
          text: row.comment.lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n"))
      }
    }
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

struct CommentVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Write something under an article, or change what you wrote.",
    discussion: """
      It is kept first and sent then, once, however often that takes. Where the server cannot be \
      reached it waits: telex outbox shows it. A comment that was changed at the server too waits until \
      you have decided which text stays.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The article's number.")
  var article: Int64
  @Argument(help: "The text; without it, standard input.")
  var text: String?
  @Option(
    help: .value("ID", "Change this comment of yours; its id is one of telex comments --json."))
  var edit: String?
  @Option(
    name: .customLong("version"),
    help: .value(
      "VERSION",
      "The version that you have read, of telex comments --json; without it the one that was shown "
        + "last."))
  var readVersion: String?
  @Option(help: .value("ID", "Answer this comment; its id is one of telex comments --json."))
  var answering: String?
  @Option(
    help: .value(
      "NUMBER", "Change this one, which waits to be sent; its number is one of telex outbox."))
  var waiting: Int64?
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try refuse(edit != nil && waiting != nil, "Give --edit or --waiting, not both.")
    try refuse(readVersion != nil && edit == nil, "--version goes with --edit.")
    try refuse(
      answering != nil && (edit != nil || waiting != nil), "--answering goes with a new comment.")
  }

  func perform() async throws {
    let comments = Comments(try await common.compose(deadline: limit.deadline()))
    let text = try text ?? readAll()
    guard !text.allSatisfy(\.isWhitespace) else {
      throw SourceError.arguments(
        "comment", "there is no text", next: "give it as an argument or on standard input")
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
      text: waiting == nil ? "sent" : "kept; telex outbox shows what waits")
    if waiting?.isRefused == true { throw ExitCode(1) }
  }

  private func readAll() throws -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text.trimmingCharacters(in: .newlines)
  }
}
