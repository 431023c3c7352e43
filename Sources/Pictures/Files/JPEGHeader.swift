/// Segments before the first scan of a JPEG file (ITU-T T.81, Exif 2.3).
struct JPEGHeader {
  /// Before it is turned.
  let stored: PictureSize
  let orientation: Orientation

  /// After the turn of `orientation`.
  var size: PictureSize { orientation.swapsSides ? stored.turned : stored }

  /// Nil where the file has no frame before its end, or one whose height comes only later (DNL).
  init?(_ reader: ByteReader) {
    var offset = 2
    var orientation: Orientation?
    while let marker = Self.marker(reader, &offset) {
      switch marker {
      case 0x01, 0xD0...0xD7: continue
      case 0xD8, 0xD9, 0xDA: return nil
      default: break
      }
      guard let length = reader.bigEndian(offset, 2), length >= 2 else { return nil }
      if marker == 0xE1, orientation == nil, reader.has("Exif\0\0", at: offset + 2) {
        let end = min(offset + length, reader.count)
        orientation = Orientation(exif: reader, from: offset + 8, to: end)
      }
      if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard
          let size = PictureSize.of(
            reader.bigEndian(offset + 5, 2), reader.bigEndian(offset + 3, 2))
        else { return nil }
        stored = size
        self.orientation = orientation ?? .upright
        return
      }
      offset += length
    }
    return nil
  }

  /// The next marker, with `offset` behind it. Fill bytes before it are allowed.
  private static func marker(_ reader: ByteReader, _ offset: inout Int) -> Int? {
    guard reader.byte(offset) == 0xFF else { return nil }
    while reader.byte(offset) == 0xFF { offset += 1 }
    defer { offset += 1 }
    return reader.byte(offset)
  }
}

/// Turn of a stored picture to be seen upright: the values of Exif's tag *Orientation*.
enum Orientation: Int {
  case upright = 1
  case mirrored, upsideDown, flipped, transposed, turnedRight, transversed, turnedLeft

  var swapsSides: Bool { rawValue >= 5 }

  /// Reads the first directory of the TIFF structure between two places. Nil where it has no such tag.
  init?(exif reader: ByteReader, from start: Int, to end: Int) {
    let isLittle = reader.has([0x49, 0x49, 0x2A, 0], at: start)
    guard isLittle || reader.has([0x4D, 0x4D, 0, 0x2A], at: start) else { return nil }
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= start, offset + size <= end else { return nil }
      return isLittle ? reader.littleEndian(offset, size) : reader.bigEndian(offset, size)
    }
    guard let offset = number(start + 4, 4), let count = number(start + offset, 2) else {
      return nil
    }
    for index in 0..<count {
      let entry = start + offset + 2 + index * 12
      guard let tag = number(entry, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard number(entry + 2, 2) == 3, let value = number(entry + 8, 2) else { return nil }
      self.init(rawValue: value)
      return
    }
    return nil
  }

  /// The place in a stored picture of this size that is seen at (x, y).
  func source(_ x: Int, _ y: Int, in stored: PictureSize) -> (x: Int, y: Int) {
    let (right, bottom) = (stored.width - 1, stored.height - 1)
    return switch self {
    case .upright: (x, y)
    case .mirrored: (right - x, y)
    case .upsideDown: (right - x, bottom - y)
    case .flipped: (x, bottom - y)
    case .transposed: (y, x)
    case .turnedRight: (y, bottom - x)
    case .transversed: (right - y, bottom - x)
    case .turnedLeft: (right - y, x)
    }
  }
}
