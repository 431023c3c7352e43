internal import CCurl
internal import CZlib
internal import CZstd

/// A coding that a body may be sent in (RFC 9110 §8.4.1).
enum ContentCoding: Sendable, Hashable {
  case gzip, deflate, brotli, zstd

  /// nil for one that is none, as in `identity` or `UTF-8`: such a body is taken as it is.
  init?(_ name: some StringProtocol) {
    switch name.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "br": self = .brotli
    case "zstd": self = .zstd
    default: return nil
    }
  }

  /// `Accept-Encoding`: all that can be undone here.
  static func accepted(hasBrotli: Bool) -> String {
    hasBrotli ? "gzip, deflate, br, zstd" : "gzip, deflate, zstd"
  }
}

/// Error of a coded body.
enum ContentCodingTrouble: Error, Hashable {
  case broken
  /// More codings on top of each other than any honest server uses.
  case tooManyCodings
}

/// Undoes the codings of a body, piece by piece and at bounded memory. curl tells neither that a coding ended
/// before its end nor what stands behind it.
///
/// Of a document the bytes count more than the names: servers and proxies name codings that they have not
/// applied, or apply them twice. A file is decoded by the names alone: its bytes may be those of a coding. What
/// follows the end of a coding is another member of it (RFC 1952 §2.2), or junk that nobody reads.
struct ContentDecoder {
  private static let mostCodings = 4
  /// The most text that one step makes.
  static let pieceSize = 64 << 10

  private var stages: [any CodingStage]
  /// The unread input of each stage.
  private var waiting: [ArraySlice<UInt8>]
  private var hasBegun = false

  /// nil where the body is not coded.
  ///
  /// - Throws: `ContentCodingTrouble`.
  init?(_ headers: HTTPHeaders, brotli: BrotliLibrary?, isFile: Bool = false) throws {
    let names = headers.values(of: "Content-Encoding").joined(separator: ",")
      .split(separator: ",")
      .map { name in name.filter { $0 != " " && $0 != "\t" } }
    let codings = names.compactMap { ContentCoding($0) }
    guard !codings.isEmpty else { return nil }
    guard codings.count <= Self.mostCodings else { throw ContentCodingTrouble.tooManyCodings }
    // The last one that was put on comes off first.
    if isFile {
      stages = try codings.reversed().map { try $0.stage(brotli, isChecked: true) }
    } else {
      let named = codings.reversed().map(Optional.some) + [nil]
      stages = named.map { FoundStage(named: $0, brotli) }
    }
    waiting = stages.map { _ in [] }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    hasBegun = hasBegun || !bytes.isEmpty
    waiting[0] += bytes
  }

  /// The next piece of the text; nil where more bytes are needed, or none are left.
  ///
  /// - Throws: `ContentCodingTrouble.broken`.
  mutating func next() throws -> [UInt8]? { try next(of: stages.count - 1) }

  private mutating func next(of stage: Int) throws -> [UInt8]? {
    while true {
      let made = try stages[stage].step(&waiting[stage])
      if !made.isEmpty { return made }
      guard waiting[stage].isEmpty || stages[stage].needsMore, stage > 0,
        let more = try next(of: stage - 1)
      else { return nil }
      waiting[stage] += more
    }
  }

  /// Whether the body ended before its codings did. A body without any bytes has none.
  var isCut: Bool { hasBegun && stages.contains { !$0.isComplete } }
}

/// One coding that is being undone.
private protocol CodingStage {
  /// Decodes some of `input`, to a piece at most; nothing where it needs more.
  mutating func step(_ input: inout ArraySlice<UInt8>) throws -> [UInt8]
  /// Whether it leaves bytes unread because there are too few.
  var needsMore: Bool { get }
  /// Whether it might end here.
  var isComplete: Bool { get }
}

extension ContentCoding {
  /// - Parameter isChecked: whether a checksum that does not fit is an error.
  fileprivate func stage(_ brotli: BrotliLibrary?, isChecked: Bool) throws -> any CodingStage {
    switch self {
    case .gzip: InflateStage(isGzip: true, isChecked: isChecked)
    case .deflate: InflateStage(isGzip: false, isChecked: isChecked)
    case .zstd: try ZstdStage()
    case .brotli: try BrotliStage(brotli)
    }
  }
}

/// A coding by what its first bytes show, whatever its name is. A document is whole although its checksum does not fit.
private struct FoundStage: CodingStage {
  private enum Found {
    /// - Parameter start: how many bytes stand before it.
    case coding(ContentCoding, start: Int)
    case text
  }

  /// Begins of streams, but for those of zlib, which are no more than two bytes, and of brotli, which has none.
  private static let signatures: [([UInt8], ContentCoding)] = [
    ([0x1F, 0x8B, 0x08], .gzip), ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
  ]
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Bytes of text that are enough to tell it from a stream.
  private static let enoughText = 8

  /// Nil where no coding is named any more: what is packed once more is found by gzip's signature only.
  private let named: ContentCoding?
  private let brotli: BrotliLibrary?
  private var stage: (any CodingStage)?
  private var isText = false

  init(named: ContentCoding?, _ brotli: BrotliLibrary?) {
    (self.named, self.brotli) = (named, brotli)
  }

  var needsMore: Bool { stage?.needsMore ?? !isText }
  var isComplete: Bool { stage?.isComplete ?? (isText || named == nil) }

  mutating func step(_ input: inout ArraySlice<UInt8>) throws -> [UInt8] {
    if stage == nil, !isText {
      switch found(in: Array(input.prefix(Self.byteOrderMark.count + Self.enoughText))) {
      case nil: return []
      case .text?: isText = true
      case .coding(let coding, let start)?:
        input = input.dropFirst(start)
        stage = try coding.stage(brotli, isChecked: false)
      }
    }
    guard isText else { return try stage?.step(&input) ?? [] }
    defer { input = [] }
    return Array(input)
  }

  /// Nil where more bytes are needed.
  private func found(in bytes: [UInt8]) -> Found? {
    guard let first = bytes.first else { return nil }
    guard let named else {
      let gzip = Self.signatures[0].0
      if bytes.starts(with: gzip) { return .coding(.gzip, start: 0) }
      return gzip.starts(with: bytes) ? nil : .text
    }
    let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    if start == 0, Self.byteOrderMark.starts(with: bytes) { return nil }
    let rest = bytes[start...]
    for (signature, coding) in Self.signatures {
      if rest.starts(with: signature) { return .coding(coding, start: start) }
      if signature.starts(with: rest) { return nil }
    }
    switch named {
    case .gzip, .zstd:
      guard rest.count >= 2 else { return nil }
      let isZlib = rest[start] == 0x78 && (0x7800 + Int(rest[start + 1])) % 31 == 0
      if isZlib { return .coding(.deflate, start: start) }
      guard rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else {
        return .coding(named, start: 0)
      }
    case .deflate, .brotli:
      // Their streams may begin with any byte: only what looks like a document is one.
      guard start > 0 || "<{[ \t\r\n".utf8.contains(first),
        rest.allSatisfy({ 0x20..<0x7F ~= $0 || [0x09, 0x0A, 0x0D].contains($0) })
      else { return .coding(named, start: 0) }
    }
    return rest.count < Self.enoughText ? nil : .text
  }
}

/// gzip (RFC 1952), and `deflate`, which is zlib's format (RFC 1950) or, from some servers, without it.
private struct InflateStage: CodingStage {
  private enum Phase {
    /// The first bytes tell what follows.
    case beginning
    case inflating
    /// A member has ended; another may follow.
    case between
    /// Bytes that are no part of the text.
    case junk
  }

  private let isGzip: Bool
  private let isChecked: Bool
  private var phase = Phase.beginning
  private var stream: InflateStream?
  /// Whether the member that is being read has given any text.
  private var hasMade = false
  private var isFirst = true

  init(isGzip: Bool, isChecked: Bool) { (self.isGzip, self.isChecked) = (isGzip, isChecked) }

  var needsMore: Bool { phase == .beginning || phase == .between }
  var isComplete: Bool { phase == .between || phase == .junk }

  mutating func step(_ input: inout ArraySlice<UInt8>) throws -> [UInt8] {
    while true {
      switch phase {
      case .beginning:
        guard input.count >= 2 else { return [] }
        let (first, second) = (input[input.startIndex], input[input.startIndex + 1])
        if first == 0x1F, second == 0x8B {
          stream = InflateStream(windowBits: 15 + 16, isChecked)
        } else if !isGzip {
          let isZlib = first & 0x0F == 8 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
          stream = InflateStream(windowBits: isZlib ? 15 : -15, isChecked)
        }
        guard stream != nil else { throw ContentCodingTrouble.broken }
        phase = .inflating
      case .between:
        guard input.count >= 2 else { return [] }
        guard isGzip, input.starts(with: [0x1F, 0x8B]) else {
          phase = .junk
          continue
        }
        stream = InflateStream(windowBits: 15 + 16, isChecked)
        guard stream != nil else { throw ContentCodingTrouble.broken }
        (hasMade, isFirst) = (false, false)
        phase = .inflating
      case .inflating:
        guard let (made, status) = stream?.step(&input) else { return [] }
        hasMade = hasMade || !made.isEmpty
        switch status {
        case .more: return made
        case .ended:
          stream = nil
          phase = .between
          if !made.isEmpty { return made }
        case .broken where !isFirst && !hasMade:
          // It only looked like another member.
          phase = .junk
        case .broken: throw ContentCodingTrouble.broken
        }
      case .junk:
        input = []
        return []
      }
    }
  }
}

/// One member that zlib unpacks.
private final class InflateStream {
  enum Status { case more, ended, broken }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  init?(windowBits: Int32, _ isChecked: Bool) {
    stream.initialize(to: z_stream())
    guard telex_inflate_begin_as(stream, windowBits) == Z_OK else { return nil }
    if !isChecked { inflateValidate(stream, 0) }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func step(_ input: inout ArraySlice<UInt8>) -> ([UInt8], Status) {
    var status: Int32 = Z_OK
    let made = [UInt8](unsafeUninitializedCapacity: ContentDecoder.pieceSize) { room, count in
      status = input.withUnsafeBufferPointer { bytes in
        // zlib asks for a pointer it may write through, and does not.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        return inflate(stream, Z_NO_FLUSH)
      }
      count = room.count - Int(stream.pointee.avail_out)
    }
    input = input.dropFirst(input.count - Int(stream.pointee.avail_in))
    switch status {
    case Z_OK, Z_BUF_ERROR: return (made, .more)
    case Z_STREAM_END: return (made, .ended)
    default: return (made, .broken)
    }
  }
}

/// zstd (RFC 8878): frames one after the other.
private final class ZstdStage: CodingStage {
  private let context: OpaquePointer
  private var isAtFrameStart = true
  private var hasEnded = false
  private var isJunk = false

  init() throws {
    guard let context = ZSTD_createDCtx() else { throw ContentCodingTrouble.broken }
    self.context = context
    // The largest window that may be used on the web (RFC 9659): 8 MiB.
    _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
  }

  deinit { ZSTD_freeDCtx(context) }

  var needsMore: Bool { false }
  var isComplete: Bool { isJunk || (isAtFrameStart && hasEnded) }

  func step(_ input: inout ArraySlice<UInt8>) throws -> [UInt8] {
    if isJunk { input = [] }
    while true {
      // At the start of a frame nothing is kept back, so that nothing comes of nothing.
      guard !input.isEmpty || !isAtFrameStart else { return [] }
      let before = input.count
      let (made, result) = decompress(&input)
      guard ZSTD_isError(result) == 0 else {
        guard hasEnded && isAtFrameStart else { throw ContentCodingTrouble.broken }
        // Bytes behind the last frame are no part of the text.
        isJunk = true
        input = []
        return []
      }
      isAtFrameStart = result == 0
      hasEnded = hasEnded || result == 0
      if !made.isEmpty { return made }
      if input.isEmpty || input.count == before { return [] }
    }
  }

  private func decompress(_ input: inout ArraySlice<UInt8>) -> ([UInt8], Int) {
    var result = 0
    var read = 0
    let made = [UInt8](unsafeUninitializedCapacity: ContentDecoder.pieceSize) { room, count in
      input.withUnsafeBufferPointer { bytes in
        var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        result = ZSTD_decompressStream(context, &target, &source)
        (read, count) = (source.pos, target.pos)
      }
    }
    input = input.dropFirst(read)
    return (made, result)
  }
}

/// brotli (RFC 7932), where the machine has its library.
private final class BrotliStage: CodingStage {
  private let functions: brotli_functions
  private let state: OpaquePointer
  private(set) var isComplete = false

  init(_ library: BrotliLibrary?) throws {
    guard let functions = library?.functions, let state = functions.create(nil, nil, nil) else {
      throw ContentCodingTrouble.broken
    }
    (self.functions, self.state) = (functions, state)
  }

  deinit { functions.destroy(state) }

  var needsMore: Bool { false }

  func step(_ input: inout ArraySlice<UInt8>) throws -> [UInt8] {
    guard !isComplete else {
      input = []
      return []
    }
    var result: Int32 = 0
    var left = 0
    let made = [UInt8](unsafeUninitializedCapacity: ContentDecoder.pieceSize) { room, count in
      input.withUnsafeBufferPointer { bytes in
        var next = bytes.baseAddress
        var target = room.baseAddress
        var free = room.count
        left = bytes.count
        result = functions.decompress(state, &left, &next, &free, &target, nil)
        count = room.count - free
      }
    }
    input = input.dropFirst(input.count - left)
    // 0 is an error, 1 the end of the stream.
    guard result != 0 else { throw ContentCodingTrouble.broken }
    isComplete = result == 1
    return made
  }
}
