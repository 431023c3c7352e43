internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit

struct TransfersVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfers", abstract: "Download and upload files, or list the transfers.",
    discussion: """
      Without --download or --upload, lists the transfers in their order: number, state, percent, bytes, rate, time \
      left, title of the article, path of the file, error. A hyphen stands for an unknown value.

      A process in the background transfers the files. It resumes an interrupted transfer, also after this command was \
      killed; Ctrl-C pauses the transfer. --download prints the path of the file; [downloads] in config.toml sets the \
      folder and the names. --upload sends a file to a Feed API, and posts the comment when the server has all of the \
      file. A file that changes meanwhile starts over.

      --pause, --resume and --cancel take a number or `all`, and may be repeated.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("ARTICLE", "Download a file of the article with this number."))
  var download: Int64?
  @Option(help: .value("N", "With --download: which file of the article, from 1. Default: 1."))
  var enclosure: Int?
  @Option(
    help: .value("FILE", "Upload this file as an attachment to a comment."), completion: .file())
  var upload: String?
  @Option(help: .value("ARTICLE", "With --upload: the number of the article."))
  var to: Int64?
  @Option(help: .value("TEXT", "With --upload: the comment. Default: the name of the file."))
  var text: String?
  @Flag(help: "Do not wait for the end of the transfer.")
  var background = false
  @Option(help: .value("NUMBER", "Pause a transfer."))
  var pause: [String] = []
  @Option(help: .value("NUMBER", "Resume a paused transfer, or retry a failed one."))
  var resume: [String] = []
  @Option(help: .value("NUMBER", "Cancel a transfer and delete a partial file."))
  var cancel: [String] = []
  @Option(help: .value("NUMBER", "Move a download up."))
  var up: Int64?
  @Option(help: .value("NUMBER", "Move a download down."))
  var down: Int64?
  @Option(help: .value("NUMBER", "Move a download to the top."))
  var first: Int64?
  @Option(help: .value("NUMBER", "Move a download to the end."))
  var last: Int64?
  @Flag(help: "Remove finished transfers from the list; files stay.")
  var clear = false

  func validate() throws {
    for text in pause + resume + cancel where text != "all" && Int64(text) == nil {
      throw ValidationError("Give the number of a transfer, or all.")
    }
    try refuse(
      [
        download != nil, upload != nil,
        clear || !(pause + resume + cancel).isEmpty || !moves.isEmpty,
      ].count { $0 } > 1, "Give --download, --upload or changes of the list, not several.")
    try refuse(enclosure != nil && download == nil, "--enclosure goes with --download.")
    if let enclosure, enclosure < 1 { throw ValidationError("--enclosure counts from 1.") }
    try refuse(
      (upload == nil) != (to == nil) || text != nil && upload == nil,
      "--upload needs --to, and --to and --text go with --upload.")
    try refuse(
      background && download == nil && upload == nil,
      "--background goes with --download or --upload.")
  }

  private var moves: [(id: Int64, change: Transfer.Change)] {
    [(up, .up), (down, .down), (first, .first), (last, .last)].compactMap { id, change in
      id.map { ($0, change) }
    }
  }

  func perform() async throws {
    let composition = try await common.compose(program: "telex transfers")
    let transfers = Transfers(composition)
    if let download {
      return try await run(
        transfers, startDownload(Articles(composition).article(ArticleID(download)), transfers))
    }
    if let upload, let to {
      let article = try Articles(composition).article(ArticleID(to))
      return try await run(transfers, startUpload(upload, to: article, transfers))
    }
    try change(transfers, pause, .pause) { $0.state.isOpen }
    try change(transfers, cancel, .cancel) { $0.state != .done }
    try change(transfers, resume, .resume) { $0.state == .paused || $0.state == .failed }
    for (id, change) in moves { try transfers.change([id], change) }
    if clear { _ = try transfers.clear() }
    var table = Table([
      .init("NUMBER", isNumber: true), .init("STATE"), .init("%", isNumber: true), .init("BYTES"),
      .init("RATE"), .init("LEFT"), .init("TITLE", .rest), .init("FILE", .ifWide),
      .init("ERROR", .limited),
    ])
    for transfer in try transfers.list() {
      form.print(.transfer(transfer), in: &table, transfer.columns)
    }
    form.finish(&table, empty: "No transfers.")
  }

  private func startDownload(_ article: Article, _ transfers: Transfers) throws -> Transfer {
    let asked = try transfers.download(article, file: (enclosure ?? 1) - 1)
    let count = article.entry.enclosures.count
    if enclosure == nil, count > 1 {
      form.complain("This is the first of \(count) files; --enclosure names another one.")
    }
    return asked
  }

  private func startUpload(
    _ file: String, to article: Article, _ transfers: Transfers
  ) throws -> Transfer {
    let path = URL(filePath: file).standardizedFileURL.path
    let text = text ?? (path as NSString).lastPathComponent
    guard !text.allSatisfy(\.isWhitespace) else {
      throw SourceError.arguments(
        "upload", "the text is missing", next: "leave out --text to send the name of the file")
    }
    return try transfers.upload(path, to: article, text: text)
  }

  private func run(_ transfers: Transfers, _ asked: Transfer) async throws {
    if background {
      let place = asked.isUpload ? asked.path ?? "" : asked.address
      return form.print(.transfer(asked), text: "\(asked.id)\t\(place)")
    }
    let ended = try await form.wait(for: asked, in: transfers)
    form.print(.transfer(ended), text: ended.isUpload ? "sent" : ended.path ?? "")
  }

  private func change(
    _ transfers: Transfers, _ names: [String], _ change: Transfer.Change,
    _ applies: (Transfer) -> Bool
  ) throws {
    guard !names.isEmpty else { return }
    let ids =
      names.contains("all")
      ? try transfers.list().filter(applies).map(\.id) : names.compactMap { Int64($0) }
    try transfers.change(ids, change)
  }
}

/// Downloads the transfers of the store. Started by other commands, not by the user.
struct TransferHelperVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer-helper", abstract: "Download what was asked for.", shouldDisplay: false)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let composition = try await common.compose(program: "telex transfer-helper", hasHelper: false)
    try await TransferRunner(composition).run()
  }
}

extension Transfer {
  /// A hyphen stands for unknown values.
  fileprivate var columns: [String] {
    let columns = [
      "\(id)", state.rawValue, percent.map { "\($0) %" } ?? "-",
      TransferWords.progress(of: self), rate.map { "\(TransferWords.bytes(Int64($0)))/s" } ?? "-",
      secondsLeft.map(TransferWords.seconds) ?? "-", title.isEmpty ? "-" : title, path ?? address,
    ]
    return columns + (error.map { ["! \($0.line)"] } ?? [])
  }
}

extension JSONOutput {
  static func transfer(_ transfer: Transfer) -> JSONOutput {
    [
      "id": .number(transfer.id), "article": .number(transfer.article.rawValue),
      "title": .string(transfer.title), "feed": .string(transfer.feedTitle),
      "url": .string(transfer.address), "state": .string(transfer.state.rawValue),
      "bytes": .number(transfer.bytes), "total": .number(transfer.total),
      "percent": .number(transfer.percent), "rate": .number(transfer.rate.map { Int64($0) }),
      "secondsLeft": .number(transfer.secondsLeft), "target": .string(transfer.path),
      "direction": .string(transfer.isUpload ? "up" : "down"),
      "automatic": .bool(transfer.isAutomatic), "created": .date(transfer.created),
      "ended": .date(transfer.ended), "nextAttempt": .date(transfer.nextAttempt),
      "error": .error(transfer.error),
    ]
  }
}
