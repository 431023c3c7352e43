internal import News
internal import Screen

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
