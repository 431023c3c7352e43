internal import FileWatch
internal import Foundation
internal import HTTP
internal import News
internal import Services

/// The book of downloads: a file in the folder of the store, shared by processes, replaced as a
/// whole under a lock. It holds no secret: queries, users and passwords of addresses stay in the
/// store, and are looked up by a digest.
struct TransferBook: Sendable {
  struct Job: Codable, Hashable, Sendable {
    var id: Int64
    var article: ArticleID
    var feed: FeedID
    var title: String
    var feedTitle: String
    /// Without user, password and query.
    var address: String
    /// Of the whole address.
    var addressDigest: Int64
    var type: String?
    /// When the article was published, for the name of the file.
    var published: Date?
    /// Never `running`: which download runs is known by the process that runs it.
    var state: Transfer.State
    /// The paths of the part and of the file that it is to become; the second may still change.
    var part: String?
    var target: String?
    /// The version of the file that the part is of.
    var version = DownloadState()
    var error: SourceError?
    var nextAttempt: Date?
    var created: Date
    var ended: Date?
    var isAutomatic = false
    /// Whether the user does not want it to wait for a connection that is not metered; nil for false.
    var evenMetered: Bool?
    /// Whether the user has been told of its end.
    var isReported = false
    /// Nil for a download.
    var upload: Upload?
  }

  /// A file of this machine that goes to the server of an article's feed, as an attachment to a comment.
  struct Upload: Codable, Hashable, Sendable {
    var path: String
    var text: String
    /// Nil before it has begun.
    var state: UploadState?
  }

  struct Contents: Codable, Hashable, Sendable {
    static let version = 1
    var version = Contents.version
    var lastID: Int64 = 0
    /// In the order in which they are begun.
    var jobs: [Job] = []
    /// The highest article id that automatic downloads have looked at.
    var seenArticle: Int64?
    /// Whether all transfers wait, since the user has turned the network off; nil for false.
    var isHeld: Bool?

    /// Downloads that are done and still listed, and as many that the settings asked for and that have failed.
    static let mostEnded = 200
    /// Failed automatic downloads in all, with unreported ones and those that wait for a network.
    static let mostFailed = 2_000

    subscript(_ id: Int64) -> Job? {
      get { jobs.first { $0.id == id } }
      set {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
        if let newValue { jobs[index] = newValue } else { jobs.remove(at: index) }
      }
    }

    /// Removes the oldest ended downloads, but no failed one that the user asked for.
    ///
    /// - Returns: the paths of their parts.
    mutating func forgetOldest() -> [String] {
      forget(beyond: Self.mostEnded) { $0.state == .done }
        + forget(beyond: Self.mostEnded) {
          $0.hasFailedUnasked && $0.isReported && !$0.waitsForNetwork
        } + forget(beyond: Self.mostFailed, \.hasFailedUnasked)
    }

    private mutating func forget(beyond most: Int, _ isMeant: (Job) -> Bool) -> [String] {
      let ended = jobs.filter(isMeant)
      guard ended.count > most else { return [] }
      let old = Set(ended.prefix(ended.count - most).map(\.id))
      let parts = jobs.filter { old.contains($0.id) }.compactMap(\.part)
      jobs.removeAll { old.contains($0.id) }
      return parts
    }
  }

  /// The folder of the book, its locks and the progress.
  let folder: String

  private var path: String { folder + "/jobs.json" }
  private static let purpose = "the list of downloads"

  /// Reads the book; empty where there is none.
  ///
  /// - Throws: `Damage`, `SourceError`.
  func read() throws -> Contents {
    guard let data = try StoredFile.contents(of: path, purpose: Self.purpose) else {
      return Contents()
    }
    do {
      return try Self.decoder.decode(Contents.self, from: data)
    } catch {
      struct Version: Decodable { var version: Int }
      let version = (try? Self.decoder.decode(Version.self, from: data))?.version ?? 0
      guard version > Contents.version else { throw Damage() }
      throw SourceError(
        .store, stage: .store, subject: path,
        message: "the list of downloads is of a newer Telex", next: "use that one")
    }
  }

  struct Damage: Error {}

  /// As `read`, with an empty book for a damaged one.
  func readAnyway() throws -> Contents {
    do { return try read() } catch is Damage { return Contents() }
  }

  func edit<Value>(_ change: (inout Contents) throws -> Value) throws -> Value {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try StoredFile.withLock(folder + "/jobs.lock", purpose: Self.purpose) {
      var contents: Contents
      do { contents = try read() } catch is Damage {
        // Its downloads are begun again by the user; their parts are still there.
        rename(path, folder + "/jobs.damaged.json")
        contents = Contents()
      }
      let before = contents
      let value = try change(&contents)
      if contents != before {
        try StoredFile.replace(path, with: Self.encoder.encode(contents), purpose: Self.purpose)
      }
      return value
    }
  }

  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    return encoder
  }()

  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return decoder
  }()
}

/// Progress of the downloads that run, written by the process that runs them for those that show it.
struct TransferProgress: Codable, Hashable, Sendable {
  struct Entry: Codable, Hashable, Sendable {
    /// Nil before the first answer.
    var bytes: Int64?
    var total: Int64?
    var rate: Double?
    /// When it is tried again after a failure that may pass.
    var retry: Date?
  }

  /// By the number of the download.
  var entries: [String: Entry] = [:]
}

extension TransferBook {
  var progressPath: String { folder + "/progress.json" }

  func progress() -> TransferProgress {
    guard let data = FileManager.default.contents(atPath: progressPath) else {
      return TransferProgress()
    }
    return (try? Self.decoder.decode(TransferProgress.self, from: data)) ?? TransferProgress()
  }

  /// Without the assurance that it survives a power cut. A failure is ignored: the next one shows more.
  func write(_ progress: TransferProgress) {
    guard let data = try? Self.encoder.encode(progress) else { return }
    try? StoredFile.replace(progressPath, with: data, purpose: Self.purpose, isSynced: false)
  }

  var files: [String] { [path, progressPath] }

  var stamps: [FileStamp] { files.map(FileStamp.init) }
}
