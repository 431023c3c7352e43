internal import News

enum TransfersStrings {
  static func count(_ count: Int, _ state: Transfer.State) -> String {
    switch state {
    case .running: "\(count) running"
    case .waiting: "\(count) waiting"
    case .paused: "\(count) paused"
    case .failed: "\(count) failed"
    case .done: "\(count) finished"
    }
  }
  static func stopped(_ transfers: [Transfer], resume key: String) -> String {
    let noun = transfers.contains(where: \.isUpload) ? "transfer" : "download"
    return "Paused \(quantity(transfers.count, noun)). \(key) resumes the selected one."
  }
  static let empty = "No downloads."
  static let noneFinished = "No download is finished."
  static func addHere(_ key: String) -> String { "\(key) on an article downloads its attachment." }
  static func downloading(_ name: String, show key: String) -> String {
    "Downloading \(name). \(key) shows the progress."
  }
  static func areFinished(_ transfers: [Transfer]) -> String {
    guard let transfer = transfers.first, transfers.count == 1 else {
      return "All selected transfers are finished."
    }
    return transfer.isUpload ? "This upload is finished." : "This download is finished."
  }
  static func cancel(_ transfers: [Transfer]) -> String {
    guard let transfer = transfers.first, transfers.count == 1 else {
      return "Remove \(transfers.count) transfers from the list, and delete partial files"
    }
    return transfer.isUpload
      ? "Cancel the upload of \(transfer.name), and keep the file"
      : "Cancel the download of \(transfer.name), and delete the partial file"
  }
  static func bySettings(_ age: String) -> String { "by the feed’s settings, \(age)" }
  static let waiting = "Waiting for its turn."
}

extension Transfer {
  func words(in state: ReaderState) -> String {
    let clock = state.clock
    let key = state.key
    if let nextAttempt, self.state.isOpen, nextAttempt.seconds > clock.now {
      return "Next try in \(clock.wait(nextAttempt)). \(key(.refresh)) tries now."
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

extension ReaderState {
  /// Shows which downloads have ended, whichever process has begun them.
  mutating func notifyEnded(_ ended: [Transfer]) -> [Effect] {
    let failed = ended.count { $0.state == .failed }
    let hasUploads = ended.contains(where: \.isUpload)
    let noun = hasUploads ? ended.allSatisfy(\.isUpload) ? "upload" : "transfer" : "download"
    let counts = [(ended.count - failed, "finished"), (failed, "failed")].filter { $0.0 > 0 }
    let outcome = counts.map { "\(quantity($0.0, noun)) \($0.1)" }.joined(separator: ", ")
    return failed > 0
      ? notify("\(outcome). \(key(.transfers)) shows why.", .error) : notify("\(outcome).")
  }
}
