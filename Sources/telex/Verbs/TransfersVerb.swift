internal import ArgumentParser
internal import News
internal import TelexKit

struct TransfersVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfers",
    abstract: "Show downloads and uploads; pause, resume, drop or reorder them.",
    discussion: """
      Prints a line for each download and upload, in their order: its number, its state, the share, the bytes, the \
      rate, the time left, the article's title, the path of the file, and why it failed. A hyphen stands \
      for what is not known. Numbers may be repeated: --pause 1 --pause 2; `all` stands for all.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("NUMBER", "Pause this one."))
  var pause: [String] = []
  @Option(help: .value("NUMBER", "Go on with this one, or try it again."))
  var resume: [String] = []
  @Option(help: .value("NUMBER", "Drop this one with what has come; a whole file stays."))
  var cancel: [String] = []
  @Option(help: .value("NUMBER", "Download this one before the one above it."))
  var up: Int64?
  @Option(help: .value("NUMBER", "Download this one after the one below it."))
  var down: Int64?
  @Option(help: .value("NUMBER", "Download this one first."))
  var first: Int64?
  @Option(help: .value("NUMBER", "Download this one last."))
  var last: Int64?
  @Flag(help: "Take those that are done off the list; their files stay.")
  var clear = false

  func validate() throws {
    for text in pause + resume + cancel where text != "all" && Int64(text) == nil {
      throw ValidationError("Give the number of a download, or all.")
    }
  }

  func perform() async throws {
    let transfers = Transfers(try await common.compose(program: "telex transfers"))
    try change(transfers, pause, .pause) { $0.state.isOpen }
    try change(transfers, cancel, .cancel) { $0.state != .done }
    try change(transfers, resume, .resume) { $0.state == .paused || $0.state == .failed }
    let moves: [(Int64?, Transfer.Change)] = [
      (up, .up), (down, .down), (first, .first), (last, .last),
    ]
    for case (let id?, let change) in moves { try transfers.change([id], change) }
    if clear { _ = try transfers.clear() }
    for transfer in try transfers.list() {
      form.print(.transfer(transfer), text: transfer.line)
    }
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
  /// The columns, separated by tabs; a hyphen for unknown values.
  fileprivate var line: String {
    let columns = [
      "\(id)", state.rawValue, percent.map { "\($0) %" } ?? "-",
      TransferWords.progress(of: self), rate.map { "\(TransferWords.bytes(Int64($0)))/s" } ?? "-",
      secondsLeft.map(TransferWords.seconds) ?? "-", title.isEmpty ? "-" : title, path ?? address,
    ]
    return (columns + (error.map { ["! \($0.line)"] } ?? [])).joined(separator: "\t")
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
