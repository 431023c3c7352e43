internal import ArgumentParser
internal import Foundation
internal import News
internal import Repository
internal import Store
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
      let composition = try await common.compose(deadline: limit.deadline())
      let (article, form) = (ArticleID(article), form)
      try await untilInterrupted {
        var cursor: Cursor?
        var walked: Set<Cursor> = []
        repeat {
          let page = try await composition.repository.comments(on: article, after: cursor)
          for comment in page.comments {
            form.print(
              .object([
                ("id", .string(comment.id)), ("author", .string(comment.author)),
                ("published", .date(comment.published)), ("text", .string(comment.text)),
              ]),
              text: "\(comment.author ?? "somebody"): \(comment.text)")
          }
          // A cursor that repeats would lead round for ever.
          cursor = page.nextCursor.flatMap { walked.insert($0).inserted ? $0 : nil }
        } while cursor != nil
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
      let composition = try await common.compose(deadline: limit.deadline())
      let text = try text ?? readAll()
      guard !text.allSatisfy(\.isWhitespace) else {
        throw SourceError(
          .address, stage: .arguments, subject: "comment", message: "there is no text",
          next: "give it as an argument or on standard input")
      }
      let article = ArticleID(article)
      let before = try composition.store.viewNow { try $0.outbox().last?.id } ?? 0
      try await untilInterrupted {
        try await composition.repository.comment(text, on: article)
      }
      let waiting = try composition.store.viewNow { try $0.outbox() }
        .first { $0.id > before && $0.change == .comment(article, text) }
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

struct OutboxVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Show what waits to be sent; send or drop it.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Flag(help: "Try to send all of it now, what was refused included.")
  var retry = false
  @Option(help: ArgumentHelp("Drop this one.", valueName: "NUMBER"))
  var drop: [Int64] = []
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose(deadline: limit.deadline())
      let items = try composition.store.viewNow { try $0.outbox() }
      for number in drop {
        guard let item = items.first(where: { $0.id == number }) else {
          throw SourceError(
            .address, stage: .arguments, subject: "\(number)",
            message: "nothing of this number waits")
        }
        try await composition.store.edit { try $0.removeFromOutbox([item]) }
      }
      if retry {
        try await untilInterrupted {
          try await composition.repository.deliverOutbox(isAsked: true)
        }
      }
      for item in try composition.store.viewNow({ try $0.outbox() }) {
        guard case .comment(let article, let text) = item.change else { continue }
        form.print(
          .object([
            ("id", .number(item.id)), ("kind", .string("comment")),
            ("article", .number(article.rawValue)), ("text", .string(text)),
            ("created", .date(item.created)), ("attempts", .number(item.attempts)),
            ("error", .error(item.error)),
          ]),
          text: "\(item.id)\tcomment on \(article.rawValue)\t\(text.prefix(60))"
            + (item.error.map { "\t! \($0.message)" } ?? ""))
      }
    }
  }
}
