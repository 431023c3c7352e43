internal import CZlib
internal import Foundation

/// How a text lies in the database: compressed where that makes it smaller.
///
/// The first byte says how: 0 for UTF-8 as it is; 1 for the length as four bytes, little-endian,
/// and then a zlib stream (RFC 1950) of level 1.
enum BodyCodec {
  private static let plain: UInt8 = 0
  private static let zlib: UInt8 = 1
  /// No text in the store is longer; a stored length beyond it is damage, not a reason to allocate.
  private static let maximumLength = 64 << 20
  /// Shorter texts do not shrink.
  private static let minimumLength = 120

  static func encode(_ text: String) -> Data {
    var text = text
    return text.withUTF8 { source in
      if source.count >= minimumLength, source.count <= maximumLength,
        let packed = compress(source)
      {
        return packed
      }
      var data = Data(capacity: source.count + 1)
      data.append(plain)
      data.append(source)
      return data
    }
  }

  /// Nil for bytes that no encoder wrote.
  static func decode(_ data: Data) -> String? {
    data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      guard let kind = bytes.first else { return "" }
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
      switch kind {
      case plain:
        return String(decoding: rest, as: UTF8.self)
      case zlib:
        guard rest.count > 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(rest[$1]) << ($1 * 8) }
        guard length <= maximumLength else { return nil }
        return inflate(UnsafeRawBufferPointer(rebasing: rest.dropFirst(4)), length: length)
      default:
        return nil
      }
    }
  }

  private static func compress(_ source: UnsafeBufferPointer<UInt8>) -> Data? {
    let capacity = Int(compressBound(uLong(source.count)))
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { target in
      var written = uLongf(capacity)
      guard
        compress2(
          target.baseAddress, &written, source.baseAddress, uLong(source.count), 1) == Z_OK,
        Int(written) + 5 < source.count
      else { return nil }
      var data = Data(capacity: Int(written) + 5)
      data.append(zlib)
      for shift in [0, 8, 16, 24] { data.append(UInt8(truncatingIfNeeded: source.count >> shift)) }
      data.append(target.baseAddress!, count: Int(written))
      return data
    }
  }

  private static func inflate(_ packed: UnsafeRawBufferPointer, length: Int) -> String? {
    var complete = false
    let text = String(unsafeUninitializedCapacity: length) { target in
      var written = uLongf(length)
      let result = uncompress(
        target.baseAddress, &written, packed.bindMemory(to: UInt8.self).baseAddress,
        uLong(packed.count))
      complete = result == Z_OK && Int(written) == length
      return complete ? length : 0
    }
    return complete ? text : nil
  }
}
