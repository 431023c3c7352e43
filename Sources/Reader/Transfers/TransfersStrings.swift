internal import News

enum TransfersStrings {
  static func heading(hasUploads: Bool) -> String { hasUploads ? "Transfers" : "Downloads" }
  static func count(_ count: Int, _ state: Transfer.State) -> String {
    switch state {
    case .running: "\(count) running"
    case .waiting: "\(count) waiting"
    case .paused: "\(count) paused"
    case .failed: "\(count) failed"
    case .done: "\(count) finished"
    }
  }
  static let empty = "There are no downloads."
  static let noneFinished = "No download is finished."
  static func addHere(_ key: String) -> String { "\(key) on an article downloads its attachment." }
  static func downloading(_ name: String, show key: String) -> String {
    "Downloading \(name). \(key) shows the progress."
  }
  static func ended(_ noun: String, finished: Int, failed: Int, show key: String) -> String {
    let finished = finished > 0 ? "\(quantity(finished, noun)) finished" : nil
    let failures = failed > 0 ? "\(quantity(failed, noun)) failed" : nil
    let outcome = [finished, failures].compactMap(\.self).joined(separator: ", ")
    return failed > 0 ? "\(outcome). \(key) shows why." : "\(outcome)."
  }
  static func noun(uploads: Bool, downloads: Bool) -> String {
    uploads ? downloads ? "transfer" : "upload" : "download"
  }
  static func isFinished(_ transfer: Transfer) -> String {
    transfer.isUpload ? "This upload is finished." : "This download is finished."
  }
  static func cancel(_ transfer: Transfer) -> String {
    transfer.isUpload
      ? "Cancel the upload of \(transfer.name), and keep the file"
      : "Cancel the download of \(transfer.name), and delete the partial file"
  }
  static func bySettings(_ age: String) -> String { "by the settings of the feed, \(age)" }
  static let waiting = "Waiting for its turn."
}

extension Transfer {
  func words(in state: ReaderState) -> String {
    let clock = state.clock
    let key = state.key
    if let nextAttempt, self.state.isOpen, nextAttempt.seconds > clock.now {
      return "Tried again in \(clock.wait(nextAttempt)). \(key(.refresh)) tries now."
    }
    return switch self.state {
    case .waiting: TransfersStrings.waiting
    case .running: "\(isUpload ? "Uploading" : "Downloading"). Continues after you close Telex."
    case .paused: "Paused. \(key(.play)) resumes."
    case .done: "Finished."
    case .failed: "Failed. \(key(.refresh)) tries again, from where the transfer stopped."
    }
  }
}
