internal import Foundation
package import News
package import Pictures
internal import Services
internal import Store

/// How a front end shows pictures.
package struct PictureStyle: Hashable, Sendable {
  /// Colours of the terminal: 0 for none, 8, 16, 256, or 2²⁴.
  package var colors: Int
  package var symbols: PictureSettings.Symbols
  /// What is behind a picture where it is partly transparent: 0xRRGGBB.
  package var background: UInt32 = 0
  package var hasPixels = false
  /// Whether a picture that has fewer pixels is enlarged to the cells that are kept for it.
  package var fills = false
  /// The width and height of a cell, in pixels.
  package var cell: (width: Int, height: Int) {
    get { (cellWidth, cellHeight) }
    set { (cellWidth, cellHeight) = newValue }
  }
  private var cellWidth = 10
  private var cellHeight = 20

  package init(colors: Int, symbols: PictureSettings.Symbols) {
    self.colors = colors
    self.symbols = symbols
  }

  /// Six hexadecimal digits.
  var backgroundDigits: String {
    let digits = String(background & 0xFF_FFFF, radix: 16)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// Use cases of pictures in articles: from the disk, else from their servers, decoded to cells by a
/// confined process.
package struct ArticlePictures: Sendable {
  private let composition: Composition
  private let files: PictureFiles
  private let renditions = RenditionMemory()
  private let fetches = Slots(6)
  private let decoders = Slots(2)
  /// Processes for pictures whose bytes are on their way: they have started when these come.
  private let earlyDecoders = Slots(2)

  /// The longest that one may take to be decoded, and the size of what may come of it.
  private static let longestDecoding = Duration.seconds(10)
  private static let mostOutput = (12 << 20) + PixelImage.mostPixels * 4

  package init(_ composition: Composition) {
    self.composition = composition
    files = composition.pictureFiles
  }

  /// The width and height of a picture that is here, in pixels; nil for any other. Reads the beginning of its file.
  package func size(of url: String, in feed: FeedID) -> (width: Int, height: Int)? {
    files.head(of: url, in: feed).flatMap(PictureSize.of).map { ($0.width, $0.height) }
  }

  /// A picture of an article, fitted into so many cells.
  ///
  /// - Throws: `SourceError` where it cannot be had or is none; `CancellationError`.
  package func rendition(
    of url: String, in feed: FeedID, columns: Int, rows: Int, _ style: PictureStyle
  ) async throws -> Rendition {
    let key = RenditionMemory.Key(
      feed: feed, url: url, columns: columns, rows: rows, style: style)
    if let known = await renditions[key] { return known }
    if let bytes = files.bytes(of: url, in: feed) { return try await decoded(bytes, as: key) }
    let early = try await earlyDecoders.runIfFree {
      try await decode(as: key) { try await bytes(of: url, in: feed) }
    }
    if let early {
      await renditions.keep(early, as: key)
      return early
    }
    return try await decoded(try await bytes(of: url, in: feed), as: key)
  }

  /// As `rendition(of:in:columns:rows:_:)`, of a file at hand.
  func rendition(
    of bytes: [UInt8], at url: String, in feed: FeedID, columns: Int, rows: Int,
    _ style: PictureStyle
  ) async throws -> Rendition {
    let key = RenditionMemory.Key(
      feed: feed, url: url, columns: columns, rows: rows, style: style)
    if let known = await renditions[key] { return known }
    return try await decoded(bytes, as: key)
  }

  private func decoded(_ bytes: [UInt8], as key: RenditionMemory.Key) async throws -> Rendition {
    let rendition = try await decoders.run { try await decode(as: key) { bytes } }
    await renditions.keep(rendition, as: key)
    return rendition
  }

  /// Fetches pictures that are not here yet. What fails is left out.
  ///
  /// - Throws: `CancellationError`.
  package func keep(_ urls: [String], of feed: FeedID) async throws {
    for url in urls where !files.has(url, in: feed) {
      try Task.checkCancellation()
      _ = try? await bytes(of: url, in: feed)
    }
  }

  func has(_ url: String, in feed: FeedID) -> Bool { files.has(url, in: feed) }

  /// Fetches a picture to the disk.
  ///
  /// - Parameters:
  ///   - page: the page of its article where the user has typed that address.
  ///   - most: its bytes at most.
  /// - Returns: its bytes.
  /// - Throws: `SourceError`, of kind `.tooLarge` for more bytes; `CancellationError`.
  func fetch(
    _ url: String, of feed: FeedID, typedPage page: String? = nil, atMost most: Int
  ) async throws -> Int64 {
    Int64(try await bytes(of: url, in: feed, typedPage: page, atMost: most).count)
  }

  private func bytes(
    of url: String, in feed: FeedID, typedPage page: String? = nil, atMost most: Int? = nil
  ) async throws -> [UInt8] {
    if let bytes = files.bytes(of: url, in: feed) { return bytes }
    guard let feed = try await composition.store.view({ try $0.feeds.feed(feed) }) else {
      throw CancellationError()
    }
    let document = PictureDocument(
      composition.sources, url: url, of: feed, typedPage: page)
    let bytes = try await fetches.run { try await document.fetch(atMost: most) }
    guard PictureSize.of(bytes) != nil else {
      throw SourceError(
        .decoding, stage: .parse, subject: url, message: "this picture cannot be shown",
        next: "o opens it in the browser")
    }
    files.keep(bytes, of: url, in: feed.id)
    return bytes
  }

  /// - Parameter file: its bytes. The process starts before they are asked for.
  private func decode(
    as key: RenditionMemory.Key, _ file: @Sendable () async throws -> [UInt8]
  ) async throws -> Rendition {
    let style = key.style
    var arguments = [
      try ThisProgram.path(), "picture-helper", "--columns", "\(key.columns)",
      "--rows", "\(key.rows)",
      "--colors", "\(style.colors)", "--symbols", style.symbols.rawValue,
      "--cell", "\(style.cell.width)x\(style.cell.height)", "--background", style.backgroundDigits,
    ]
    if style.hasPixels { arguments.append("--pixels") }
    if style.fills { arguments.append("--fill") }
    let output: [UInt8]
    do {
      output = try await ConfinedRun.output(
        of: arguments, time: Self.longestDecoding, mostBytes: Self.mostOutput, input: file)
    } catch var error as SourceError {
      // What it says itself, without how it has ended.
      let parts = error.message.split(separator: "picture-helper: ", maxSplits: 1)
      if parts.count == 2 { error.message = String(parts[1]) }
      throw error
    }
    do { return try Rendition(bytes: output) } catch {
      throw SourceError(
        .decoding, stage: .parse, subject: key.url,
        message: "the decoder has sent no picture: \(error)",
        next: "o opens it in the browser")
    }
  }
}

/// The last renditions, so that what was scrolled away comes back at once.
private actor RenditionMemory {
  struct Key: Hashable {
    var feed: FeedID
    var url: String
    var columns: Int
    var rows: Int
    var style: PictureStyle
  }

  /// Bytes that are kept, about.
  private static let most = 24 << 20
  private var bytes = 0
  private var kept: [Key: Rendition] = [:]
  /// The one that was used last stands last.
  private var order: [Key] = []

  subscript(key: Key) -> Rendition? {
    guard let found = kept[key] else { return nil }
    order.removeAll { $0 == key }
    order.append(key)
    return found
  }

  func keep(_ rendition: Rendition, as key: Key) {
    if let former = kept.updateValue(rendition, forKey: key) {
      bytes -= former.room
      order.removeAll { $0 == key }
    }
    order.append(key)
    bytes += rendition.room
    while bytes > Self.most, order.count > 1 {
      bytes -= kept.removeValue(forKey: order.removeFirst())?.room ?? 0
    }
  }
}

extension Rendition {
  fileprivate var room: Int { cells.count * 16 + (pixels?.bytes.count ?? 0) }
}

/// Semaphore that serves waiting tasks in order.
private actor Slots {
  private var free: Int
  private var waiting: [(id: UUID, continuation: CheckedContinuation<Bool, Never>)] = []

  init(_ count: Int) { free = count }

  /// - Throws: what `work` throws, or `CancellationError` where the task is cancelled while it waits.
  nonisolated func run<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await enter()
    return try await leaving(after: work)
  }

  /// As `run`, without a wait; nil where none is free.
  nonisolated func runIfFree<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async throws -> Result? {
    guard await enterIfFree() else { return nil }
    return try await leaving(after: work)
  }

  private nonisolated func leaving<Result: Sendable>(
    after work: @Sendable () async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await work()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enterIfFree() -> Bool {
    guard free > 0 else { return false }
    free -= 1
    return true
  }

  private func enter() async throws {
    guard free == 0 else {
      free -= 1
      return
    }
    let id = UUID()
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: false)
        } else {
          waiting.append((id, continuation))
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
    guard isIn else { throw CancellationError() }
  }

  private func cancel(_ id: UUID) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().continuation.resume(returning: true)
    }
  }
}
