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
              ("published", .date(comment.published)), ("text", .string(comment.text)),
            ]),
            text: "\(comment.author ?? "somebody"): \(comment.text)")
        }
      }
    }
  }
}

struct CommentVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Write something under an article.",
    discussion: """
      It is kept first and sent then, once, however often that takes. Where the server cannot be \
      reached it waits: telex outbox shows it.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The article's number.")
  var article: Int64
  @Argument(help: "The text; without it, standard input.")
  var text: String?
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let comments = Comments(try await common.compose(deadline: limit.deadline()))
      let text = try text ?? readAll()
      guard !text.allSatisfy(\.isWhitespace) else {
        throw SourceError(
          .address, stage: .arguments, subject: "comment", message: "there is no text",
          next: "give it as an argument or on standard input")
      }
      let article = ArticleID(article)
      let waiting = try await untilInterrupted { try await comments.send(text, on: article) }
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
