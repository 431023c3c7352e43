internal import CZlib
internal import Text

/// Writer of a ZIP archive (APPNOTE.TXT 6.3.3), in pieces: each file is given away as soon as it is added, and only the
/// directory is held until the end.
///
/// The same files make the same bytes: no file has a time of its own, and none an owner. Neither ZIP64 nor encryption.
package struct ZIPWriter {
  package enum Failure: Error, Hashable, Sendable {
    /// More files, or more bytes, than an archive without ZIP64 can have.
    case tooLarge
  }

  /// The most files of an archive.
  package static let mostFiles = 0xFFFF
  private static let mostBytes = UInt64(UInt32.max)

  /// What stands at the end of the archive of the files so far.
  private var directory: [UInt8] = []
  private var count = 0
  /// The bytes that were given away.
  private var offset: UInt64 = 0

  package init() {}

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - path: with `/` between folders; unique in the archive.
  ///   - isPacked: whether its bytes are compressed, where that makes them fewer. The first file of an EPUB is not, and
  ///     pictures are packed already.
  /// - Returns: the next bytes of the archive.
  package mutating func add(
    _ path: String, _ bytes: [UInt8], isPacked: Bool = true
  ) throws -> [UInt8] {
    let packed = isPacked ? Self.deflated(bytes) : nil
    let stored = packed ?? bytes
    let name = Array(path.utf8)
    // The local header, and its twin in the directory with the end of the archive.
    let end = offset + UInt64(stored.count + directory.count + 2 * name.count + 98)
    guard count < Self.mostFiles, name.count <= 0xFFFF, end <= Self.mostBytes else {
      throw Failure.tooLarge
    }
    var common: [UInt8] = []
    // 2.0 is the version that has deflate; a flag says that names are UTF-8, where they are not ASCII.
    common.append(little: 20, 2)
    common.append(little: name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11, 2)
    common.append(little: packed == nil ? 0 : 8, 2)
    // Midnight of 1 January 1980, the first time that there is.
    common.append(little: 0, 2)
    common.append(little: 1 << 5 | 1, 2)
    common.append(little: Self.checksum(bytes), 4)
    common.append(little: stored.count, 4)
    common.append(little: bytes.count, 4)
    common.append(little: name.count, 2)
    // No extra field: OCF forbids it for the first file.
    common.append(little: 0, 2)
    var output = Array("PK\u{03}\u{04}".utf8)
    output.reserveCapacity(30 + name.count + stored.count)
    output += common
    output += name
    output += stored

    directory += "PK\u{01}\u{02}".utf8
    directory.append(little: 20, 2)
    directory += common
    // No comment, on the first disk, binary, no attributes.
    directory.append(little: 0, 10)
    directory.append(little: Int(offset), 4)
    directory += name
    count += 1
    offset += UInt64(output.count)
    return output
  }

  /// The end of the archive, after which nothing is added.
  package func end() -> [UInt8] {
    var output = directory
    output += "PK\u{05}\u{06}".utf8
    output.append(little: 0, 4)
    output.append(little: count, 2)
    output.append(little: count, 2)
    output.append(little: directory.count, 4)
    output.append(little: Int(offset), 4)
    output.append(little: 0, 2)
    return output
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    Int(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
  }

  /// Compressed (RFC 1951, without a frame); nil where that is not shorter.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 16, bytes.count <= mostBytes else { return nil }
    var stream = z_stream()
    guard telex_deflate_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var bytes = bytes
    let room = bytes.count - 1
    var isDone = false
    let output = [UInt8](unsafeUninitializedCapacity: room) { space, count in
      bytes.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = space.baseAddress
        stream.avail_out = UInt32(room)
        isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = room - Int(stream.avail_out)
      }
    }
    return isDone ? output : nil
  }
}

extension [UInt8] {
  /// Appends a number with its lowest byte first.
  fileprivate mutating func append(little number: Int, _ size: Int) {
    for index in 0..<size {
      append(index < 8 ? UInt8(truncatingIfNeeded: number >> (8 * index)) : 0)
    }
  }
}
