internal import Foundation
internal import HTTP
internal import News
internal import Text

/// The files of downloads: where a part is made, and how it becomes the file.
struct DownloadFolder: Sendable {
  let settings: DownloadSettings

  /// The highest number that is put behind a name.
  private static let mostNumbered = 9_999

  /// The first free paths for a part and its file.
  ///
  /// - Parameter taken: paths of parts that do not exist yet, or any more.
  func places(
    for job: TransferBook.Job, _ head: HTTPResponseHead, taken: Set<String>
  ) throws -> (part: String, target: String) {
    let target = settings.path + "/" + settings.name.path(values(for: job, head))
    let (folder, name) = Self.split(target)
    try Self.makeFolder(folder)
    for number in 1...Self.mostNumbered {
      let target = folder + "/" + FileName.numbered(name, number)
      let part = target + ".part"
      if !taken.contains(part), !Self.exists(target), !Self.exists(part) { return (part, target) }
    }
    throw Self.full(folder)
  }

  /// Makes an empty part.
  ///
  /// - Returns: false where the path exists.
  static func make(_ part: String) throws -> Bool {
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file < 0 else {
      close(file)
      return true
    }
    guard errno == EEXIST else { throw failure(split(part).folder) }
    return false
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Syncs a file or a folder to the disk, where its file system can.
  private static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    guard fsync(file) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else { return }
    throw failure(split(path).folder)
  }

  /// Renames a part to its file in one step, or to a numbered name where that exists.
  ///
  /// - Returns: the path of the file.
  static func finish(_ part: String, as target: String) throws -> String {
    let (folder, name) = split(target)
    // A system may write the new name to the disk before the bytes: after a power cut the file would have its
    // name, and be empty or end in the middle, and nobody would ask for the rest.
    try sync(part)
    // And the book must not say that it is there before its name is.
    defer { try? sync(folder) }
    for number in 1...mostNumbered {
      let path = folder + "/" + FileName.numbered(name, number)
      // A kill between the two steps of `move` has left both names.
      if isSame(part, path) {
        unlink(part)
        return path
      }
      switch move(part, to: path) {
      case 0: return path
      case EEXIST: continue
      case let code:
        errno = code
        throw failure(folder)
      }
    }
    throw full(folder)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return lstat(a, &first) == 0 && lstat(b, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  /// Renames without replacing.
  ///
  /// - Returns: the error code; 0 on success.
  private static func move(_ part: String, to path: String) -> Int32 {
    #if canImport(Darwin)
      if renamex_np(part, path, UInt32(RENAME_EXCL)) == 0 { return 0 }
      if errno != ENOTSUP && errno != EINVAL { return errno }
    #endif
    if link(part, path) == 0 {
      unlink(part)
      return 0
    }
    // A file system without hard links: the name is taken first, and then replaced by the file itself.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return errno }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { return errno }
    close(file)
    guard rename(part, path) == 0 else {
      let code = errno
      unlink(path)
      return code
    }
    return 0
  }

  // MARK: Names

  private func values(
    for job: TransferBook.Job, _ head: HTTPResponseHead
  ) -> FileNamePattern.Values {
    FileNamePattern.Values(
      name: Self.name(of: job, head), title: job.title, feed: job.feedTitle,
      date: job.published.map { String(Timestamp.text(of: $0).prefix(10)) } ?? "",
      id: String(job.article.rawValue))
  }

  /// The file's own name: of the server, else the last part of its address, with the ending of its
  /// type where it has none.
  static func name(of job: TransferBook.Job, _ head: HTTPResponseHead) -> String {
    let given = ContentDisposition.fileName(head.headers)
    let asked = lastSegment(of: job.address)
    let name = given ?? asked ?? lastSegment(of: head.url) ?? "download"
    let safe = FileName.safe(name)
    guard FileName.split(safe).ending.isEmpty,
      let ending = ending(of: head.headers["Content-Type"]) ?? ending(of: job.type)
    else { return safe }
    return FileName.safe(safe + ending)
  }

  private static func lastSegment(of address: String) -> String? {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    guard let start = path.firstRange(of: "://")?.upperBound,
      let slash = path[start...].lastIndex(of: "/")
    else { return nil }
    let segment = String(path[path.index(after: slash)...])
    guard !segment.isEmpty else { return nil }
    return segment.removingPercentEncoding ?? segment
  }

  private static let endings = [
    "audio/mpeg": ".mp3", "audio/mp4": ".m4a", "audio/x-m4a": ".m4a", "audio/aac": ".aac",
    "audio/ogg": ".ogg", "audio/opus": ".opus", "audio/flac": ".flac", "audio/wav": ".wav",
    "video/mp4": ".mp4", "video/webm": ".webm", "video/quicktime": ".mov", "image/jpeg": ".jpg",
    "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "application/pdf": ".pdf",
    "application/epub+zip": ".epub", "application/zip": ".zip", "application/json": ".json",
    "application/x-bittorrent": ".torrent", "text/vtt": ".vtt", "text/plain": ".txt",
    "application/srt": ".srt",
  ]

  /// The media type of a file by the ending of its name.
  static func type(ofEnding name: String) -> String {
    let ending = FileName.split(name).ending.lowercased()
    let type = endings.filter { $0.value == ending }.map(\.key).min()
    return type ?? (ending == ".jpeg" ? "image/jpeg" : "application/octet-stream")
  }

  private static func ending(of type: String?) -> String? {
    guard let type else { return nil }
    return endings[
      type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()]
  }

  // MARK: Folders

  private static func split(_ path: String) -> (folder: String, name: String) {
    ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
  }

  private static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
      {
        return
      }
      throw SourceError(
        .file, stage: .store, subject: folder, message: "the folder cannot be made",
        next: "name another one with downloads.folder in the settings")
    }
  }

  private static func failure(_ folder: String) -> SourceError {
    SourceError(
      .file, stage: .store, subject: folder,
      message: "a file cannot be made there: \(String(cString: strerror(errno)))",
      next: "check its permissions and its room, or name another one with downloads.folder")
  }

  private static func full(_ folder: String) -> SourceError {
    SourceError(
      .file, stage: .store, subject: folder,
      message: "there are too many files of the same name", next: "move some of them away")
  }
}
