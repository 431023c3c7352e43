internal import Dispatch
internal import Foundation
internal import News
internal import Syndication
internal import Text

/// A feed document in a file of this machine.
struct FileFeed: PageSource {
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
      // What a file says of older pages is about where it came from.
      page.nextCursor = nil
      return PageAnswer(.page(page))
    } catch { throw error.about(url) }
  }

  /// On a thread of Dispatch: a disk may take as long as it takes.
  private static func read(_ url: String, limit: Int) async throws -> [UInt8] {
    guard let path = URL(string: url)?.path(percentEncoded: false), !path.isEmpty else {
      throw SourceError(
        .address, stage: .address, subject: url, message: "that is not the address of a file")
    }
    let file = InputFile(
      path: path, limit: limit, adviceWhenLarger: "raise max_body_bytes in the configuration",
      isRegular: true)
    return try await withCheckedThrowingContinuation { done in
      DispatchQueue.global(qos: .utility).async {
        done.resume(with: Result { try file.bytes() })
      }
    }
  }
}
