internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit
internal import Text

struct CommentsVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comments", abstract: "Print what stands under an article, oldest first.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The article's number.")
  var article: Int64
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let comments = Comments(try await common.compose(deadline: limit.deadline()))
      let (article, form) = (ArticleID(article), form)
      try await untilInterrupted {
        try await comments.forEach(on: article) { comment in
          form.print(
            .object([
              ("id", .string(comment.id)), ("author", .string(comment.author)),
              ("published", .date(comment.published)), ("updated", .date(comment.updated)),
              ("text", .string(comment.text)), ("version", .string(comment.version)),
              ("attachments", .array((comment.attachments ?? []).map(\.json))),
            ]),
            text: "\(comment.author ?? "somebody"): \(comment.text)"
              + (comment.attachments ?? []).map { "\n  \($0.line)" }.joined())
        }
      }
    }
  }
}

extension Attachment {
  /// Its name, type and size.
  fileprivate var line: String {
    let details = [type, length.map(TransferWords.bytes)].compactMap { $0 }
    return "+ \(name)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  fileprivate var json: JSONValue {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("type", .string(type)),
      ("length", .number(length)),
    ])
  }
}

struct CommentVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Write something under an article, or change what you wrote.",
    discussion: """
      It is kept first and sent then, once, however often that takes. Where the server cannot be \
      reached it waits: telex outbox shows it. A comment that was changed at the server too waits until \
      you have decided which text stays.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The article's number.")
  var article: Int64
  @Argument(help: "The text; without it, standard input.")
  var text: String?
  @Option(
    help: ArgumentHelp(
      "Change this comment of yours; its id is one of telex comments --json.", valueName: "ID"))
  var edit: String?
  @Option(
    name: .customLong("version"),
    help: ArgumentHelp(
      "The version that you have read, of telex comments --json; without it the newest, for which "
        + "the server is asked.", valueName: "VERSION"))
  var readVersion: String?
  @Option(
    help: ArgumentHelp(
      "Change this one, which waits to be sent; its number is one of telex outbox.",
      valueName: "NUMBER"))
  var waiting: Int64?
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    guard edit == nil || waiting == nil else {
      throw ValidationError("Give --edit or --waiting, not both.")
    }
    guard readVersion == nil || edit != nil else {
      throw ValidationError("--version goes with --edit.")
    }
  }

  func run() async throws {
    try await form.reporting {
      let comments = Comments(try await common.compose(deadline: limit.deadline()))
      let text = try text ?? readAll()
      guard !text.allSatisfy(\.isWhitespace) else {
        throw SourceError(
          .address, stage: .arguments, subject: "comment", message: "there is no text",
          next: "give it as an argument or on standard input")
      }
      let (article, edit, version, number) = (ArticleID(article), edit, readVersion, self.waiting)
      let waiting = try await untilInterrupted {
        if let number { return try await comments.rewrite(number, to: text) }
        if let edit {
          return try await comments.edit(edit, on: article, to: text, from: version)
        }
        return try await comments.send(text, on: article)
      }
      if let error = waiting?.error, !form.json { Output.complain(error) }
      form.print(
        .object([("sent", .bool(waiting == nil)), ("error", .error(waiting?.error))]),
        text: waiting == nil ? "sent" : "kept; telex outbox shows what waits")
      if waiting?.isRefused == true { throw ExitCode(1) }
    }
  }

  private func readAll() throws -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text.trimmingCharacters(in: .newlines)
  }
}
