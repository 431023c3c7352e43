internal import CZlib
internal import Text

/// Writer of a ZIP archive (APPNOTE.TXT 6.3.10), in pieces: each file is given away as soon as it is added, and only the
/// directory is held until the end.
///
/// Equal files make equal bytes: no file has a time of its own, and none an owner. An archive of more than 65,534 files,
/// or more than 4 GiB, is ZIP64 (§4.3.14, §4.5.3), and only that. No encryption.
package struct ZIPWriter {
  package enum Failure: Error, Hashable, Sendable {
    /// A file of 4 GiB, or a path of 64 KiB.
    case tooLarge
  }

  /// Values that refer to the fields of ZIP64.
  private static let manyFiles = 0xFFFF
  private static let manyBytes = 0xFFFF_FFFF

  /// The central directory of the files so far.
  private var directory: [UInt8] = []
  private var count = 0
  /// The bytes that were given away.
  private var offset: Int

  /// - Parameter start: how many bytes there are before the archive in its file.
  package init(after start: Int = 0) { offset = start }

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
    guard name.count <= 0xFFFF, bytes.count < Self.manyBytes else { throw Failure.tooLarge }
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
    var output = Array("PK\u{03}\u{04}".utf8)
    output.reserveCapacity(30 + name.count + stored.count)
    output += common
    // No extra field: OCF forbids it for the first file.
    output.append(little: 0, 2)
    output += name
    output += stored

    let isFar = offset >= Self.manyBytes
    directory += "PK\u{01}\u{02}".utf8
    directory.append(little: isFar ? 45 : 20, 2)
    // Both say which version is needed.
    directory.append(little: isFar ? 45 : 20, 2)
    directory += common.dropFirst(2)
    directory.append(little: isFar ? 12 : 0, 2)
    // No comment, on the first disk, binary, no attributes.
    directory.append(little: 0, 10)
    directory.append(little: min(offset, Self.manyBytes), 4)
    directory += name
    if isFar {
      // The field of ZIP64, of 8 bytes.
      directory.append(little: 1, 2)
      directory.append(little: 8, 2)
      directory.append(little: offset, 8)
    }
    count += 1
    offset += output.count
    return output
  }

  /// The end of the archive, after which nothing is added.
  package func end() -> [UInt8] {
    var output = directory
    if count >= Self.manyFiles || directory.count >= Self.manyBytes || offset >= Self.manyBytes {
      output += "PK\u{06}\u{06}".utf8
      // The bytes that follow; 4.5 is the version that has ZIP64; the first disk.
      output.append(little: 44, 8)
      output.append(little: 45, 2)
      output.append(little: 45, 2)
      output.append(little: 0, 8)
      output.append(little: count, 8)
      output.append(little: count, 8)
      output.append(little: directory.count, 8)
      output.append(little: offset, 8)
      // Where that stands, on the first disk of one.
      output += "PK\u{06}\u{07}".utf8
      output.append(little: 0, 4)
      output.append(little: offset + directory.count, 8)
      output.append(little: 1, 4)
    }
    output += "PK\u{05}\u{06}".utf8
    output.append(little: 0, 4)
    output.append(little: min(count, Self.manyFiles), 2)
    output.append(little: min(count, Self.manyFiles), 2)
    output.append(little: min(directory.count, Self.manyBytes), 4)
    output.append(little: min(offset, Self.manyBytes), 4)
    output.append(little: 0, 2)
    return output
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    Int(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
  }

  /// Compressed (RFC 1951, without a frame); nil where that is not shorter.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 16 else { return nil }
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
