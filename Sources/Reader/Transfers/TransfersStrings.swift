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
  static func downloadHere(_ key: String) -> String {
    "\(key) on an article downloads its attachment."
  }
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
  static func retry(in wait: String, now key: String) -> String {
    "Tried again in \(wait). \(key) tries now."
  }
  static let waiting = "Waiting for its turn."
  static func running(isUpload: Bool) -> String {
    "\(isUpload ? "Uploading" : "Downloading"). Continues after you close Telex."
  }
  static func paused(resume key: String) -> String { "Paused. \(key) resumes." }
  static func failed(resume key: String) -> String {
    "Failed. \(key) tries again, from where the transfer stopped."
  }
}
