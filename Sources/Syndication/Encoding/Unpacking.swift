internal import CZlib
internal import Text

/// Incremental decompressor for gzip and zlib (RFC 1952, RFC 1950) without `Content-Encoding`.
final class Unpacking {
  enum Trouble { case none, cut, broken, tooLong }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let room: UnsafeMutableBufferPointer<UInt8>
  private let limit: Int
  private var count = 0
  private var isDone = false
  private var failure: Trouble?

  private static let pieceSize = 64 << 10

  /// - Parameter limit: maximum size in bytes, decompressed.
  init(limit: Int) {
    self.limit = limit
    room = .allocate(capacity: Self.pieceSize)
    stream.initialize(to: z_stream())
    // The only possible cause is a lack of memory.
    if telex_inflate_begin(stream) != Z_OK { failure = .broken }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    room.deallocate()
  }

  static func isPacked(_ first: UInt8, _ second: UInt8) -> Bool {
    (first == 0x1F && second == 0x8B)
      || (first == 0x78 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0)
  }

  /// Valid after the last byte.
  var trouble: Trouble { failure ?? (isDone ? .none : .cut) }

  /// Continues with another member (RFC 1952 §2.2).
  private func startNextMember() {
    guard isDone, failure == nil, stream.pointee.avail_in > 0,
      stream.pointee.next_in?.pointee == 0x1F, inflateReset(stream) == Z_OK
    else { return }
    isDone = false
  }

  func unpack(_ bytes: ByteBuffer, _ body: (ByteBuffer) -> Void) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    // The pointer of zlib is mutable, but zlib does not write through it.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(clamping: bytes.count)
    startNextMember()
    while !isDone, failure == nil {
      stream.pointee.next_out = room.baseAddress
      stream.pointee.avail_out = UInt32(room.count)
      let status = inflate(stream, Z_NO_FLUSH)
      let made = room.count - Int(stream.pointee.avail_out)
      let taken = min(made, limit - count)
      count += taken
      body(ByteBuffer(rebasing: UnsafeBufferPointer(room)[..<taken]))
      if taken < made {
        failure = .tooLong
      } else if status == Z_STREAM_END {
        isDone = true
        startNextMember()
      } else if status != Z_OK && status != Z_BUF_ERROR {
        failure = .broken
      } else if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 {
        return
      }
    }
  }
}
