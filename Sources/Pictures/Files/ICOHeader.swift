/// The directory of an icon file (ICO): the same picture in several sizes.
struct ICOHeader {
  struct Entry {
    var size: PictureSize
    var bitsPerPixel: Int
    /// Of its picture in the file: a PNG file, or a bitmap without a file header.
    var bytes: Range<Int>
  }

  /// In the order of the file, at least one. Their bytes may lie beyond the end of the file.
  let entries: [Entry]

  /// Entries that are read.
  private static let most = 64
  private static let (headBytes, entryBytes) = (6, 16)

  /// Nil where the bytes begin no icon file, or end before its directory does. The signature is short, so that all entries
  /// have to fit it.
  init?(_ reader: ByteReader) {
    guard reader.has([0, 0, 1, 0], at: 0), let count = reader.littleEndian(4, 2), count > 0 else {
      return nil
    }
    let end = Self.headBytes + count * Self.entryBytes
    let numbers = 0..<min(count, Self.most)
    entries = numbers.compactMap { number in
      let start = Self.headBytes + number * Self.entryBytes
      guard let width = reader.byte(start), let height = reader.byte(start + 1),
        reader.byte(start + 3) == 0, let bits = reader.littleEndian(start + 6, 2),
        let length = reader.littleEndian(start + 8, 4),
        let offset = reader.littleEndian(start + 12, 4), length > 0, offset >= end,
        // 0 stands for 256.
        let size = PictureSize(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height)
      else { return nil }
      return Entry(size: size, bitsPerPixel: bits, bytes: offset..<offset + length)
    }
    guard entries.count == numbers.count else { return nil }
  }

  /// The entry with the most pixels, of these the one with the most colours.
  var largest: Entry { sorted[sorted.count - 1] }

  /// The smallest entry that has as many pixels each way as are wanted; else the largest.
  func entry(for target: PictureSize) -> Entry {
    let fitting = sorted.filter {
      $0.size.width >= target.width && $0.size.height >= target.height
    }
    guard let first = fitting.first else { return largest }
    return fitting.last { $0.size == first.size } ?? first
  }

  private var sorted: [Entry] {
    entries.sorted {
      ($0.size.width * $0.size.height, $0.bitsPerPixel)
        < ($1.size.width * $1.size.height, $1.bitsPerPixel)
    }
  }
}
