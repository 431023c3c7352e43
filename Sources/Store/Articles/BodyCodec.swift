internal import CZstd
internal import Foundation

/// Form of a text in the database: compressed where that makes it smaller.
///
/// The first byte is 0 for plain UTF-8, and 1 for a Zstandard frame (RFC 8878) with its length, a
/// checksum and `BodyDictionary` as its dictionary.
enum BodyCodec {
  fileprivate static let plain: UInt8 = 0
  fileprivate static let zstd: UInt8 = 1
  /// Longer texts are not compressed; a frame that claims more is damage, not a reason to allocate.
  fileprivate static let maximumLength = 64 << 20
  fileprivate static let minimumLength = 64

  /// Nil without bytes, and for those that no encoder wrote.
  static func decode(_ data: Data?) -> String? {
    data?.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> String? in
      guard let kind = bytes.first else { return nil }
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
      switch kind {
      case plain: return String(decoding: rest, as: UTF8.self)
      case zstd: return decompress(rest)
      default: return nil
      }
    }
  }

  private static func decompress(_ frame: UnsafeRawBufferPointer) -> String? {
    let length = ZSTD_getFrameContentSize(frame.baseAddress, frame.count)
    // Unknown and invalid lengths are the two largest numbers.
    guard length <= maximumLength, let context = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(context) }
    var isComplete = false
    let text = String(unsafeUninitializedCapacity: Int(length)) { target in
      let written = ZSTD_decompress_usingDDict(
        context, target.baseAddress, target.count, frame.baseAddress, frame.count,
        BodyDictionary.forReading.pointer)
      isComplete = written == length
      return isComplete ? written : 0
    }
    return isComplete ? text : nil
  }
}

/// Compresses bodies with a context that is kept between them; one for each page, as it is not
/// thread-safe.
final class BodyEncoder {
  /// Nil without memory for it; bodies are then kept as they are.
  private let context = ZSTD_createCCtx()

  init() {
    guard let context else { return }
    ZSTD_CCtx_refCDict(context, BodyDictionary.forWriting.pointer)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit { ZSTD_freeCCtx(context) }

  func encode(_ text: String) -> Data {
    var text = text
    return text.withUTF8 { source in
      if source.count >= BodyCodec.minimumLength, source.count <= BodyCodec.maximumLength,
        let packed = compress(source)
      {
        return packed
      }
      var data = Data(capacity: source.count + 1)
      data.append(BodyCodec.plain)
      data.append(source)
      return data
    }
  }

  private func compress(_ source: UnsafeBufferPointer<UInt8>) -> Data? {
    guard let context else { return nil }
    let bound = ZSTD_compressBound(source.count)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 + bound) { target in
      guard let start = target.baseAddress else { return nil }
      let written = ZSTD_compress2(context, start + 1, bound, source.baseAddress, source.count)
      guard ZSTD_isError(written) == 0, written < source.count else { return nil }
      start[0] = BodyCodec.zstd
      return Data(bytes: start, count: 1 + written)
    }
  }
}

extension BodyDictionary {
  /// A dictionary prepared by zstd, which takes longer than a body. Read-only, used by all threads
  /// and never freed; held as a number because pointers are not `Sendable`.
  fileprivate struct Prepared: Sendable {
    private let address: UInt

    init(_ pointer: OpaquePointer?) { address = UInt(bitPattern: pointer) }

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
  }

  /// The fastest level: higher ones save a few hundredths of a body at twice the time.
  fileprivate static let forWriting = Prepared(ZSTD_createCDict(bytes, bytes.count, 1))
  fileprivate static let forReading = Prepared(ZSTD_createDDict(bytes, bytes.count))
}
