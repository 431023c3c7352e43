internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit

struct UploadVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Send a file to a Feed API, as an attachment to a comment.",
    discussion: """
      The file is sent by a process in the background, large ones piece by piece: it goes on where it \
      broke off, also when this command is killed; Ctrl-C pauses it. telex transfers shows it. The comment is \
      posted when the server has all of the file. A file that is changed meanwhile starts over.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The file.", completion: .file())
  var file: String
  @Option(help: .value("ARTICLE", "The article's number."))
  var to: Int64
  @Option(help: .value("TEXT", "The text of the comment; the name of the file without this."))
  var text: String?
  @Flag(help: "Do not wait for the end.")
  var background = false

  func perform() async throws {
    let composition = try await common.compose(program: "telex upload")
    let article = try Articles(composition).article(ArticleID(to))
    let path = URL(filePath: file).standardizedFileURL.path
    let name = (path as NSString).lastPathComponent
    let text = text ?? name
    guard !text.allSatisfy(\.isWhitespace) else {
      throw SourceError.arguments(
        "upload", "there is no text",
        next: "leave --text out, and the name of the file takes its place")
    }
    let transfers = Transfers(composition)
    let asked = try transfers.upload(path, to: article, text: text)
    if background {
      return form.print(.transfer(asked), text: "\(asked.id)\t\(path)")
    }
    let ended = try await form.wait(for: asked, in: transfers)
    form.print(.transfer(ended), text: "sent")
  }
}
