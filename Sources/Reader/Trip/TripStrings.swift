internal import News

enum TripStrings {
  static let heading = "Pack for a trip"
  static func packed(time: String) -> String {
    "About \(time) to read. Lists mark these articles with ▣."
  }
  static let alreadyPacking = "Articles are being packed already."
  static func progress(_ report: PackingReport) -> String {
    "\(quantity(report.articles, "article")) checked, \(report.wholeArticles) complete, \(TransferWords.bytes(report.bytes)) fetched"
  }
  static func stopped(_ report: PackingReport) -> String { "Stopped: \(progress(report))." }
  static let wasMetered = "No articles were fetched: Telex saves data on this connection."
  static func fetched(pictures: Int, fullTexts: Int, bytes: Int64) -> String {
    let parts = [(pictures, "picture"), (fullTexts, "full text")].filter { $0.0 > 0 }
    return
      "Fetched \(parts.map { quantity($0.0, $0.1) }.joined(separator: " and ")), \(TransferWords.bytes(bytes))."
  }
  static let full = "Not all articles were packed: the size limit is reached."
  static let withFiles = "with files"
  static let withoutFiles = "without files"
}

extension TripState {
  static func result(of report: PackingReport) -> String {
    guard report.articles > 0 else { return "No articles were packed: none is unread." }
    guard report.pictures + report.fullTexts + report.files > 0 else {
      let missing = report.articles - report.wholeArticles
      return missing == 0
        ? "All articles were packed already."
        : "\(quantity(missing, "article")) could not be packed."
    }
    let files = report.files > 0 ? "Downloading \(quantity(report.files, "file")). " : ""
    guard report.pictures + report.fullTexts > 0 else {
      return files + "The texts and pictures were packed already."
    }
    return files
      + TripStrings.fetched(
        pictures: report.pictures, fullTexts: report.fullTexts, bytes: report.bytes)
  }

  static func troubles(of report: PackingReport) -> [String] {
    var troubles: [String] = []
    if report.missing > 0 {
      troubles.append("Missing on their servers: \(quantity(report.missing, "picture")).")
    }
    if report.isFull { troubles.append(TripStrings.full) }
    var kinds: [String: Int] = [:]
    for error in report.failures.values { kinds[error.line, default: 0] += 1 }
    let most = kinds.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    for (line, count) in most.prefix(3) {
      troubles.append(count == 1 ? line : "\(line) (\(count) times)")
    }
    let rest = most.dropFirst(3).reduce(0) { $0 + $1.value }
    if rest > 0 { troubles.append("\(quantity(rest, "other failure")).") }
    return troubles
  }

  func advice(in state: ReaderState) -> String {
    let key = state.key
    if state.packing.isRunning {
      return "\(key(.back)) stops packing. \(key(.leave)) goes back, and packing continues."
    }
    if let since = state.subscriptions.offlineSince {
      return
        "Offline for \(state.clock.duration(since: since.seconds)). Articles cannot be fetched."
    }
    if state.savesData { return "Telex saves data on this connection: no articles are fetched." }
    return
      "\(key(.open)) packs \(Self.time(hours * 3_600)) of reading, with at most \(TransferWords.bytes(PackingBounds.usualBytes)) of pictures"
      + (takesFiles ? ", episodes and videos." : ".")
  }
}
