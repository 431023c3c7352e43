internal import CZlib
internal import Text

/// Writer of a ZIP archive (APPNOTE.TXT 6.3.10) in pieces; only the directory stays in memory.
///
/// Equal files give equal bytes: there are no times and owners. Beyond 65,534 files or 4 GiB the
/// archive is ZIP64 (§4.3.14, §4.5.3). No encryption.
package struct ZIPWriter {
  package enum Failure: Error, Hashable, Sendable {
    /// A file of 4 GiB, or a path of 64 KiB.
    case tooLarge
  }

  /// Markers for values in the fields of ZIP64.
  private static let manyFiles = 0xFFFF
  private static let manyBytes = 0xFFFF_FFFF

  private var directory: [UInt8] = []
  private var count = 0
  private var offset: Int

  /// - Parameter start: number of bytes before the archive in its file.
  package init(after start: Int = 0) { offset = start }

  /// - Parameters:
  ///   - path: unique, with `/` between folders.
  ///   - isPacked: whether to compress. EPUB forbids it for its first file; pictures gain nothing.
  /// - Returns: the next bytes of the archive.
  package mutating func add(
    _ path: String, _ bytes: [UInt8], isPacked: Bool = true
  ) throws -> [UInt8] {
    let packed = isPacked ? Self.deflated(bytes) : nil
    let stored = packed ?? bytes
    let name = Array(path.utf8)
    guard name.count <= 0xFFFF, bytes.count < Self.manyBytes else { throw Failure.tooLarge }
    var common: [UInt8] = []
    // Version 2.0 introduced deflate; the flag declares UTF-8 names.
    common.append(
      little: (20, 2), (name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11, 2), (packed == nil ? 0 : 8, 2))
    // Midnight of 1 January 1980, the earliest time.
    common.append(little: (0, 2), (1 << 5 | 1, 2))
    let checksum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    common.append(
      little: (Int(checksum), 4), (stored.count, 4), (bytes.count, 4), (name.count, 2))
    var output = Array("PK\u{03}\u{04}".utf8)
    output.reserveCapacity(30 + name.count + stored.count)
    output += common
    // No extra field: OCF forbids it for the first file.
    output.append(little: (0, 2))
    output += name
    output += stored

    let isFar = offset >= Self.manyBytes
    directory += "PK\u{01}\u{02}".utf8
    // Versions made by, and needed to extract.
    let version = isFar ? 45 : 20
    directory.append(little: (version, 2), (version, 2))
    directory += common.dropFirst(2)
    // Length of the extra field; no comment, first disk, binary, no attributes.
    directory.append(little: (isFar ? 12 : 0, 2), (0, 10), (min(offset, Self.manyBytes), 4))
    directory += name
    // Extra field of ZIP64, 8 bytes.
    if isFar { directory.append(little: (1, 2), (8, 2), (offset, 8)) }
    count += 1
    offset += output.count
    return output
  }

  package func end() -> [UInt8] {
    var output = directory
    if count >= Self.manyFiles || directory.count >= Self.manyBytes || offset >= Self.manyBytes {
      output += "PK\u{06}\u{06}".utf8
      // Size of the rest; version 4.5 introduced ZIP64; first disk.
      output.append(
        little: (44, 8), (45, 2), (45, 2), (0, 8), (count, 8), (count, 8), (directory.count, 8),
        (offset, 8))
      // Locator, on the first of one disk.
      output += "PK\u{06}\u{07}".utf8
      output.append(little: (0, 4), (offset + directory.count, 8), (1, 4))
    }
    output += "PK\u{05}\u{06}".utf8
    let files = min(count, Self.manyFiles)
    output.append(
      little: (0, 4), (files, 2), (files, 2), (min(directory.count, Self.manyBytes), 4),
      (min(offset, Self.manyBytes), 4), (0, 2))
    return output
  }

  /// Raw deflate (RFC 1951); nil if that is not shorter.
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
  /// Appends numbers with their lowest bytes first.
  fileprivate mutating func append(little numbers: (value: Int, size: Int)...) {
    for (value, size) in numbers {
      for index in 0..<size {
        append(index < 8 ? UInt8(truncatingIfNeeded: value >> (8 * index)) : 0)
      }
    }
  }
}
