package import Foundation
package import News
package import Pictures
internal import Services
internal import Store
internal import Text

/// Use case: square icons of feeds, from the disk, else from their servers, validated every three
/// weeks. They count among the pictures of articles.
package struct FeedIcons: Sendable {
  private let composition: Composition
  private let pictures: ArticlePictures
  private let files: PictureFiles
  private let now: @Sendable () -> Date

  /// Seconds after which an icon is asked for again, and after which one that was not found is.
  private static let (between, betweenSearches): (Int64, Int64) = (21 * 86_400, 14 * 86_400)
  /// An icon that has fewer pixels a side is not sharp in two cells.
  private static let fewest = 16

  /// - Parameter now: the time of day, for tests.
  package init(
    _ composition: Composition, _ pictures: ArticlePictures,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.composition = composition
    self.pictures = pictures
    self.now = now
    files = composition.pictureFiles
  }

  /// State of a feed's icon, a JSON file beside it.
  private struct Record: Codable {
    /// Nil where none was found.
    var url: String?
    /// When the servers were asked last, in seconds since 1970.
    var asked: Int64
    var validators = Validators()
  }

  /// No address of a picture is like this.
  private static let recordName = "telex:icon"

  /// The icon of a feed as pixels in cells.
  ///
  /// - Parameter mayFetch: whether the network may be used.
  /// - Returns: nil where there is no square and sharp one, or the feed shows no pictures.
  package func rendition(
    of id: FeedID, columns: Int, rows: Int, _ style: PictureStyle, mayFetch: Bool
  ) async throws -> Rendition? {
    guard let feed = try await composition.store.view({ try $0.feeds.feed(id) }),
      !feed.settings.hidesPictures, !feed.isSaved,
      let (url, bytes) = try await icon(of: feed, mayFetch: mayFetch)
    else { return nil }
    return try await pictures.rendition(
      of: bytes, at: url, in: id, columns: columns, rows: rows, style)
  }

  /// The file of a feed's icon, and where it is from.
  ///
  /// - Throws: `CancellationError`.
  func icon(of feed: Feed, mayFetch: Bool) async throws -> (url: String, bytes: [UInt8])? {
    let record = record(of: feed.id)
    let known = record?.url.flatMap { url in files.bytes(of: url, in: feed.id).map { (url, $0) } }
    let time = Int64(now().timeIntervalSince1970)
    let isDue =
      record.map { record in
        let wait = record.url == nil ? Self.betweenSearches : Self.between
        return time - record.asked >= wait || record.url != nil && known == nil
      } ?? true
    guard isDue, mayFetch else { return known }
    let document = IconDocument(composition.sources, of: feed)
    do {
      if let record, let known {
        // From now on, also where this is the last that is heard of the server.
        keep(Record(url: known.0, asked: time, validators: record.validators), of: feed.id)
        let answer = try await document.fetch(known.0, known: record.validators)
        guard let bytes = answer.bytes else { return known }
        if Self.isSharp(bytes) { return keep(bytes, known.0, answer, at: time, of: feed.id) }
      }
      return try await search(document, of: feed, at: time)
    } catch let error as CancellationError {
      throw error
    } catch let error as SourceError where error.isConnectivity {
      return known
    } catch {
      return try await search(document, of: feed, at: time) ?? known
    }
  }

  /// Tries the icon that the feed names, those of its site, and its picture, which is often a
  /// banner.
  private func search(
    _ document: IconDocument, of feed: Feed, at time: Int64
  ) async throws -> (url: String, bytes: [UInt8])? {
    func first(_ urls: [String]) async throws -> (url: String, bytes: [UInt8])? {
      for url in urls where WebAddress.isWeb(url) {
        do {
          let answer = try await document.fetch(url)
          if let bytes = answer.bytes, Self.isSharp(bytes) {
            return keep(bytes, url, answer, at: time, of: feed.id)
          }
        } catch let error as SourceError where !error.isConnectivity && error.kind != .cancelled {
          continue
        }
      }
      return nil
    }
    if let icon = try await first([feed.details.icon].compactMap(\.self)) { return icon }
    if let icon = try await first(document.addressesOfSite()) { return icon }
    if let icon = try await first([feed.details.image].compactMap(\.self)) { return icon }
    keep(Record(url: nil, asked: time), of: feed.id)
    return nil
  }

  /// Whether a file is a picture that is about square and has the pixels for two cells.
  private static func isSharp(_ bytes: [UInt8]) -> Bool {
    guard let size = PictureSize.of(bytes), size.isDecodable else { return false }
    return min(size.width, size.height) >= Self.fewest
      && max(size.width, size.height) * 4 <= min(size.width, size.height) * 5
  }

  private func keep(
    _ bytes: [UInt8], _ url: String, _ answer: IconDocument.Answer, at time: Int64, of feed: FeedID
  ) -> (url: String, bytes: [UInt8]) {
    files.keep(bytes, of: url, in: feed)
    keep(Record(url: url, asked: time, validators: answer.validators), of: feed)
    return (url, bytes)
  }

  private func record(of feed: FeedID) -> Record? {
    files.bytes(of: Self.recordName, in: feed).flatMap {
      try? JSONDecoder().decode(Record.self, from: Data($0))
    }
  }

  private func keep(_ record: Record, of feed: FeedID) {
    guard let data = try? JSONEncoder().encode(record) else { return }
    files.keep([UInt8](data), of: Self.recordName, in: feed)
  }
}
