internal import Foundation
internal import News
internal import Syndication
internal import Text

/// A feed document in a file of this machine.
struct FileFeed: PageSource {
  /// An address with the scheme `file`.
  let url: String
  /// The size of the largest file that is read, in bytes.
  let limit: Int

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let bytes = try await Self.read(url, limit: limit)
    let digest = StableDigest(of: bytes).stored
    if digest == known.bodyDigest { return PageAnswer(.unchanged(Validators())) }
    do {
      var page = Page(try FeedParser.parse(bytes))
      page.bodyDigest = digest
      // A link to older pages in the file belongs to the site that the file came from.
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
      path: path, limit: limit, adviceWhenLarger: "raise max_body_bytes in the configuration",
      isRegular: true)
    return try await onDisk { try file.bytes() }
  }
}
