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
  static let noUnread = "No articles were packed: none is unread."
  static let packedAlready = "All articles were packed already."
  static let completeAlready = "The texts and pictures were packed already."
  static func notPacked(_ count: Int) -> String {
    "\(quantity(count, "article")) could not be packed."
  }
  static func downloading(_ files: Int) -> String { "Downloading \(quantity(files, "file"))." }
  static func fetched(pictures: Int, fullTexts: Int, bytes: Int64) -> String {
    let parts = [(pictures, "picture"), (fullTexts, "full text")].filter { $0.0 > 0 }
    return
      "Fetched \(parts.map { quantity($0.0, $0.1) }.joined(separator: " and ")), \(TransferWords.bytes(bytes))."
  }
  static func missing(_ count: Int) -> String {
    "Missing on their servers: \(quantity(count, "picture"))."
  }
  static let full = "Not all articles were packed: the size limit is reached."
  static func otherFailures(_ count: Int) -> String { "\(quantity(count, "other failure"))." }
  static func stop(_ stop: String, leave: String) -> String {
    "\(stop) stops packing. \(leave) goes back, and packing continues."
  }
  static func offline(for time: String) -> String {
    "Offline for \(time). Articles cannot be fetched."
  }
  static let savesData = "Telex saves data on this connection: no articles are fetched."
  static func pack(_ key: String, time: String, bytes: Int64, withFiles: Bool) -> String {
    "\(key) packs \(time) of reading, with at most \(TransferWords.bytes(bytes)) of pictures"
      + (withFiles ? ", episodes and videos." : ".")
  }
  static let withFiles = "with files"
  static let withoutFiles = "without files"
}
