internal import News
internal import Screen

enum TripStrings {
  static let heading = "Pack for a trip"
  static let alreadyPacking = "Articles are already being packed."
  static func progress(_ report: PackingReport) -> String {
    "\(quantity(report.articles, "article")) checked, \(report.wholeArticles) complete, \(TransferWords.bytes(report.bytes)) fetched"
  }
  static let withFiles = "with files"
  static let withoutFiles = "without files"
}

extension TripState {
  static func result(of report: PackingReport) -> String {
    guard report.articles > 0 else { return "No articles were packed: none are unread." }
    guard report.pictures + report.fullTexts + report.files > 0 else {
      let missing = report.articles - report.wholeArticles
      return missing == 0
        ? "All articles are already packed."
        : "\(quantity(missing, "article")) could not be packed."
    }
    let files = report.files > 0 ? "Downloading \(quantity(report.files, "file")). " : ""
    guard report.pictures + report.fullTexts > 0 else {
      return files + "The texts and pictures are already packed."
    }
    let parts = [(report.pictures, "picture"), (report.fullTexts, "full text")].filter { $0.0 > 0 }
    let fetched = parts.map { quantity($0.0, $0.1) }.joined(separator: " and ")
    return "\(files)Fetched \(fetched), \(TransferWords.bytes(report.bytes))."
  }

  static func troubles(of report: PackingReport) -> [String] {
    var troubles: [String] = []
    if report.missing > 0 {
      troubles.append("Missing on their servers: \(quantity(report.missing, "picture")).")
    }
    if report.isFull { troubles.append("Not all articles were packed: size limit reached.") }
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
    if state.subscriptions.isOfflineByChoice {
      return CoreStrings.offlineChosen(CoreStrings.goOnline)
    }
    if let since = state.subscriptions.offlineSince {
      return CoreStrings.offline(
        for: state.clock.duration(since: since.seconds),
        advice: "\(key(.refreshAll)) in a list tries again.")
    }
    if state.savesData {
      return
        "Telex saves data on this connection: no articles are fetched. \(key(.settings)) shows network.low_data and network.metered."
    }
    return
      "\(key(.open)) packs \(Self.time(hours * 3_600)) of reading, with at most \(TransferWords.bytes(PackingBounds.usualBytes)) of pictures"
      + (takesFiles ? ", episodes and videos." : ".")
  }

  func lines(in state: ReaderState) -> [(String, Style)] {
    let theme = state.theme
    var lines: [(String, Style)] = [
      (state.packed.sentence, state.packed.articles.isEmpty ? theme.text : theme.header)
    ]
    if state.packed.seconds > 0 {
      let time = Self.time(state.packed.seconds)
      lines.append(("About \(time) to read. Lists mark these articles with ▣.", theme.dim))
    }
    if state.size.height >= 12 { lines.append(("", theme.text)) }
    switch state.packing {
    case .none: break
    case .running(let report):
      lines.append((Self.bar(report.percent, columns: state.size.width - 12), theme.accent))
      lines.append((TripStrings.progress(report), theme.text))
      lines += Self.troubles(of: report).map { ($0, theme.warning) }
    case .stopped(let report):
      lines.append(("Stopped: \(TripStrings.progress(report)).", theme.text))
    case .ended(let report) where report.wasMetered:
      lines.append(("No articles were fetched: Telex saves data on this connection.", theme.dim))
    case .ended(let report):
      lines.append((Self.result(of: report), theme.text))
      lines += Self.troubles(of: report).map { ($0, theme.warning) }
    case .failed(let error): lines.append((error.line, theme.error))
    }
    lines.append((advice(in: state), theme.dim))
    return lines
  }
}
