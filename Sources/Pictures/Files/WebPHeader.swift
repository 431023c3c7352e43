/// The chunks of a WebP file (RFC 9649).
enum WebPHeader {
  static func size(_ reader: ByteReader) -> PictureSize? {
    if reader.has("VP8X", at: 12) {
      return oneMore(reader.littleEndian(24, 3), reader.littleEndian(27, 3))
    }
    if reader.has("VP8 ", at: 12) {
      guard reader.has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
      return .of(
        reader.littleEndian(26, 2).map { $0 & 0x3FFF },
        reader.littleEndian(28, 2).map { $0 & 0x3FFF }
      )
    }
    if reader.has("VP8L", at: 12), reader.byte(20) == 0x2F, let bits = reader.littleEndian(21, 4) {
      return oneMore(bits & 0x3FFF, bits >> 14 & 0x3FFF)
    }
    return nil
  }

  /// The first frame of an animation.
  struct Frame {
    var left: Int
    var top: Int
    var size: PictureSize
    /// The frame as a still picture.
    var file: [UInt8]
  }

  /// Nil where the file is no animation, or none with a whole frame.
  static func firstFrame(_ reader: ByteReader) -> Frame? {
    guard reader.has("VP8X", at: 12), let flags = reader.byte(20), flags & 0x02 != 0 else {
      return nil
    }
    var offset = 12
    while let length = reader.littleEndian(offset + 4, 4) {
      let start = offset + 8
      guard length <= reader.count - start else { return nil }
      if reader.has("ANMF", at: offset) { return frame(reader, start, length) }
      offset = start + length + length % 2
    }
    return nil
  }

  private static func frame(_ reader: ByteReader, _ start: Int, _ length: Int) -> Frame? {
    guard length >= 16, let left = reader.littleEndian(start, 3),
      let top = reader.littleEndian(start + 3, 3),
      let size = oneMore(reader.littleEndian(start + 6, 3), reader.littleEndian(start + 9, 3))
    else { return nil }
    let chunks = reader.bytes[start + 16..<start + length]
    var file = Array("WEBP".utf8)
    // The alpha of a lossy frame is a chunk of its own, which only the extended form has.
    if reader.has("ALPH", at: start + 16) {
      file += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0]
      for side in [size.width - 1, size.height - 1] {
        file += [UInt8(side & 0xFF), UInt8(side >> 8 & 0xFF), UInt8(side >> 16 & 0xFF)]
      }
    }
    file += chunks
    let count = UInt32(file.count).littleEndian
    return Frame(
      left: left * 2, top: top * 2, size: size,
      file: Array("RIFF".utf8) + withUnsafeBytes(of: count, Array.init) + file)
  }

  private static func oneMore(_ width: Int?, _ height: Int?) -> PictureSize? {
    .of(width.map { $0 + 1 }, height.map { $0 + 1 })
  }
}
