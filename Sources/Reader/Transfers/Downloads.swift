internal import News
internal import Screen

extension ReaderState {
  /// Shows which downloads have ended, whichever process has begun them.
  mutating func notifyEnded(_ ended: [Transfer]) -> [Effect] {
    let failed = ended.filter { $0.state == .failed }
    let done = ended.count - failed.count
    let noun = TransfersStrings.noun(
      uploads: ended.contains(where: \.isUpload), downloads: !ended.allSatisfy(\.isUpload))
    return notify(
      TransfersStrings.ended(noun, finished: done, failed: failed.count, show: key(.transfers)),
      failed.isEmpty ? .plain : .error)
  }
}

extension TransferSnapshot {
  /// The mark of an article's download, in five columns at most; nil where there is none.
  func mark(of article: ArticleID, _ theme: Theme) -> (text: String, style: Style)? {
    guard let transfer = transfer(of: article) else { return nil }
    switch transfer.state {
    case .running:
      return (transfer.mark + (transfer.percent.map { "\($0)%" } ?? ""), theme.accent)
    case .waiting, .done: return (transfer.mark, theme.dim)
    case .paused: return (transfer.mark, theme.warning)
    case .failed: return (transfer.mark, theme.error)
    }
  }
}

extension Transfer {
  /// Its state in one column.
  var mark: String {
    switch state {
    case .waiting: "·"
    case .running: isUpload ? "↑" : "↓"
    case .paused: "‖"
    case .done: "✓"
    case .failed: "!"
    }
  }
}
