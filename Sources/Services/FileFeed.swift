internal import Foundation
internal import News
internal import Syndication

/// A feed document in a file of this machine.
struct FileFeed: NewsSource {
  /// With the scheme `file`.
  let url: String
  /// Bytes of the largest file.
  let limit: Int

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let bytes = try await Self.read(url, limit: limit)
    var digest = StableDigest()
    digest.add(bytes)
    if digest.stored == known.bodyDigest { return PageAnswer(.unchanged(Validators())) }
    do {
      var page = Page(try FeedParser.parse(bytes))
      page.bodyDigest = digest.stored
      return PageAnswer(.page(page))
    } catch { throw error.about(url) }
  }

  @concurrent
  private static func read(_ url: String, limit: Int) async throws -> [UInt8] {
    guard let path = URL(string: url)?.path(percentEncoded: false), !path.isEmpty else {
      throw SourceError(
        .address, stage: .address, subject: url, message: "that is not the address of a file")
    }
    return try readFile(path, limit: limit)
  }
}

/// The bytes of a file that is no larger than `limit`.
package func readFile(_ path: String, limit: Int) throws -> [UInt8] {
  func failure(_ kind: SourceError.Kind, _ message: String, _ next: String) -> SourceError {
    SourceError(kind, stage: .fetch, subject: path, message: message, next: next)
  }
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
    throw failure(.file, "there is no such file", "check the path")
  }
  guard !isFolder.boolValue else { throw failure(.file, "this is a folder", "name a file") }
  guard let file = FileHandle(forReadingAtPath: path) else {
    throw failure(.file, "the file cannot be opened", "check its permissions")
  }
  defer { try? file.close() }
  do {
    let data = try file.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else {
      throw failure(
        .tooLarge, "the file is larger than \(limit) bytes",
        "raise max_body_bytes in the configuration")
    }
    return [UInt8](data)
  } catch let error as SourceError {
    throw error
  } catch {
    throw failure(.file, "the file cannot be read", "check the disk and its permissions")
  }
}
