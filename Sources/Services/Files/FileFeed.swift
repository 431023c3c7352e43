internal import Foundation
internal import News
internal import Syndication
internal import Text

/// Feed document in a file of this device.
struct FileFeed: PageSource {
  /// With the scheme `file`.
  let url: String
  /// In bytes.
  let limit: Int

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let bytes = try await Self.read(url, limit: limit)
    let digest = StableDigest(of: bytes).stored
    if digest == known.bodyDigest { return PageAnswer(.unchanged(Validators())) }
    do {
      var page = Page(try FeedParser.parse(bytes))
      page.bodyDigest = digest
      // A link to older pages belongs to the site that the file came from.
      page.nextCursor = nil
      return PageAnswer(.page(page))
    } catch { throw error.about(url) }
  }

  static func read(_ url: String, limit: Int) async throws -> [UInt8] {
    guard let path = URL(string: url)?.path(percentEncoded: false), !path.isEmpty else {
      throw SourceError(
        .address, stage: .address, subject: url, message: "that is not the address of a file")
    }
    let file = InputFile(
      path: path, limit: limit, adviceWhenLarger: "raise max_body_bytes in the settings",
      isRegular: true)
    return try await onDisk { try file.bytes() }
  }
}
