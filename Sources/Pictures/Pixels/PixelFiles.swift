internal import CZlib

extension PixelImage {
  /// The bytes compressed as zlib does it (RFC 1950), in Base64.
  package var compressed: [UInt8] { Base64.text(of: Self.compressed(bytes)) }

  /// A PNG file of the picture, in Base64.
  package var png: [UInt8] {
    var rows: [UInt8] = []
    let length = size.width * 4
    rows.reserveCapacity(bytes.count + size.height)
    for y in 0..<size.height {
      // No filter.
      rows.append(0)
      rows += bytes[y * length..<(y + 1) * length]
    }
    var file: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
    // Eight bits a channel; red, green, blue and alpha.
    Self.append(
      "IHDR", Self.bigEndian(size.width) + Self.bigEndian(size.height) + [8, 6, 0, 0, 0], to: &file)
    Self.append("IDAT", Self.compressed(rows), to: &file)
    Self.append("IEND", [], to: &file)
    return Base64.text(of: file)
  }

  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    let chunk = Array(type.utf8) + data
    let sum = crc32(0, chunk, uInt(chunk.count))
    file += bigEndian(data.count) + chunk + bigEndian(Int(sum))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Quickly rather than tightly: terminals are near as a rule.
  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let most = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(most)) { space, count in
      var length = most
      let status = compress2(space.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_SPEED)
      // The room is enough by definition.
      precondition(status == Z_OK, "zlib has no memory.")
      count = Int(length)
    }
  }
}

/// RFC 4648, 4.
private enum Base64 {
  private static let signs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { space, count in
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let bits =
          UInt32(bytes[start]) << 16 | (rest > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
          | (rest > 2 ? UInt32(bytes[start + 2]) : 0)
        for place in 0..<4 {
          space[count + place] =
            place > rest ? UInt8(ascii: "=") : signs[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
        }
        count += 4
      }
    }
  }
}
