internal import FileWatch
internal import Foundation
internal import HTTP
internal import News
internal import Synchronization

/// Files of pictures in a folder of the store, all of which can be fetched again (`CACHEDIR.TAG`).
/// Named after feed and address. Several processes use the folder: files appear by a rename, and go
/// without notice.
package struct PictureFiles: Sendable {
  let folder: String
  /// The bound in bytes; the least recently used files go first.
  private let mostBytes: Int64

  init(store: String, mostBytes: Int64) {
    folder = store + "/pictures"
    self.mostBytes = mostBytes
  }

  /// The bytes of a picture; nil where it is not here.
  func bytes(of url: String, in feed: FeedID) -> [UInt8]? {
    let path = path(of: url, in: feed)
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    // Used now.
    utimes(path, nil)
    return [UInt8](data)
  }

  func has(_ url: String, in feed: FeedID) -> Bool { access(path(of: url, in: feed), R_OK) == 0 }

  /// The first bytes of a picture, which have its size as a rule; nil where it is not here.
  func head(of url: String, in feed: FeedID) -> [UInt8]? {
    let file = open(path(of: url, in: feed), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
      count = max(0, read(file, space.baseAddress, 64 << 10))
    }
  }

  /// Keeps a picture. Where the disk does not take it, it is fetched again the next time.
  func keep(_ bytes: [UInt8], of url: String, in feed: FeedID) {
    guard Int64(bytes.count) <= mostBytes else { return }
    makeFolder()
    let path = path(of: url, in: feed)
    let draft = "\(path).\(getpid()).\(UUID().uuidString)"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    guard written == bytes.count, rename(draft, path) == 0 else {
      unlink(draft)
      return
    }
    if isTrimDue(after: Int64(bytes.count)) { trim() }
  }

  /// Bytes that may be added to each folder before this process measures it again: half of the
  /// room, since others fill it too.
  private static let left = Mutex<[String: Int64]>([:])

  private func isTrimDue(after bytes: Int64) -> Bool {
    Self.left.withLock { left in
      guard let before = left[folder] else { return true }
      left[folder] = before - bytes
      return before < bytes
    }
  }

  func sizes() -> [String: Int64] {
    Dictionary(
      files().filter { $0.feed != nil }.map {
        (String($0.path.dropFirst(folder.count + 1)), $0.bytes)
      },
      uniquingKeysWith: { first, _ in first })
  }

  func name(of url: String, in feed: FeedID) -> String {
    String(path(of: url, in: feed).dropFirst(folder.count + 1))
  }

  /// Differs after a picture has come or gone.
  var stamp: FileStamp { FileStamp(folder) }

  func keepOnly(feeds: Set<FeedID>) {
    for file in files() where file.feed.map({ !feeds.contains($0) }) ?? file.isLeft {
      unlink(file.path)
    }
  }

  package var room: Int64 { files().reduce(0) { $0 + $1.bytes } }

  /// Removes all pictures.
  ///
  /// - Returns: their bytes.
  @discardableResult
  package func clear() -> Int64 {
    let all = files()
    for file in all { unlink(file.path) }
    return all.reduce(0) { $0 + $1.bytes }
  }

  // MARK: Files

  private struct File {
    var path: String
    /// Nil for a file that was not finished.
    var feed: FeedID?
    var bytes: Int64
    var used: Date

    /// Whether it was not finished, and nobody is at it any more: another process takes less than an hour.
    var isLeft: Bool { feed == nil && used < Date.now - 3600 }
  }

  private func path(of url: String, in feed: FeedID) -> String {
    let hash = SHA256.digest(of: Array(url.utf8)).prefix(16)
    let name = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(folder)/\(feed.rawValue)-\(name)"
  }

  private func files() -> [File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name != Self.tag else { return nil }
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      let feed = name.contains(".") ? nil : Int64(name.prefix { $0 != "-" }).map(FeedID.init)
      #if canImport(Darwin)
        let used = status.st_mtimespec
      #else
        let used = status.st_mtim
      #endif
      return File(
        path: path, feed: feed, bytes: Int64(status.st_size),
        used: Date(timeIntervalSince1970: Double(used.tv_sec) + Double(used.tv_nsec) / 1e9))
    }
  }

  /// Removes what is beyond the bound down to nine tenths of it, and what an earlier process did not finish.
  private func trim() {
    let all = files()
    for file in all where file.isLeft { unlink(file.path) }
    var bytes = all.reduce(0) { $0 + $1.bytes }
    defer { Self.left.withLock { [bytes] in $0[folder] = (mostBytes - bytes) / 2 } }
    guard bytes > mostBytes else { return }
    for file in all.sorted(by: { $0.used < $1.used }) where file.feed != nil {
      guard bytes > mostBytes / 10 * 9 else { return }
      unlink(file.path)
      bytes -= file.bytes
    }
  }

  /// By the Cache Directory Tagging Specification.
  private static let tag = "CACHEDIR.TAG"
  private static let tagText = """
    Signature: 8a477f597d28d172789f06886806bc55
    # Pictures of articles, which Telex fetches again where they are missing.

    """

  private func makeFolder() {
    guard access(folder, F_OK) != 0 else { return }
    mkdir(folder, 0o700)
    _ = FileManager.default.createFile(
      atPath: "\(folder)/\(Self.tag)", contents: Data(Self.tagText.utf8))
  }
}
