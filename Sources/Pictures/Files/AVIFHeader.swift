/// The boxes of an AVIF file (ISO/IEC 14496-12, 23008-12) as far as the size of its primary item needs.
enum AVIFHeader {
  static func isAVIF(_ reader: ByteReader) -> Bool {
    guard reader.has("ftyp", at: 4), let length = reader.bigEndian(0, 4) else { return false }
    let end = min(length, reader.count, 256)
    // The major brand, and the compatible ones behind a version number.
    return ([8] + Array(stride(from: 16, to: max(end - 3, 16), by: 4))).contains {
      reader.has("avif", at: $0) || reader.has("avis", at: $0)
    }
  }

  static func size(_ reader: ByteReader) -> PictureSize? {
    guard let meta = boxes(reader, 0..<reader.count).first(where: { $0.isNamed("meta", reader) })
    else { return nil }
    var primary: Int?
    var associations: [Int] = []
    var properties: [Box] = []
    for box in boxes(reader, meta.contents.dropFirst(4)) {
      if box.isNamed("pitm", reader) { primary = item(reader, box.contents) }
      guard box.isNamed("iprp", reader) else { continue }
      for part in boxes(reader, box.contents) {
        if part.isNamed("ipco", reader) { properties = boxes(reader, part.contents) }
        if part.isNamed("ipma", reader), let primary, associations.isEmpty {
          associations = Self.associations(of: primary, reader, part.contents)
        }
      }
    }
    var size: PictureSize?
    var isTurned = false
    for index in associations where properties.indices.contains(index - 1) {
      let property = properties[index - 1]
      let start = property.contents.lowerBound
      guard property.contents.count >= (property.isNamed("ispe", reader) ? 12 : 1) else { continue }
      if property.isNamed("ispe", reader) {
        size = .of(reader.bigEndian(start + 4, 4), reader.bigEndian(start + 8, 4))
      }
      if property.isNamed("irot", reader) { isTurned = (reader.byte(start) ?? 0) & 1 == 1 }
    }
    return isTurned ? size?.turned : size
  }

  private struct Box {
    var name: Int
    /// Without the header, within the file.
    var contents: Range<Int>

    func isNamed(_ text: StaticString, _ reader: ByteReader) -> Bool { reader.has(text, at: name) }
  }

  /// The boxes one after the other in a part of the file, up to one that does not end in it.
  private static func boxes(_ reader: ByteReader, _ range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, var length = reader.bigEndian(offset, 4) {
      var start = offset + 8
      if length == 0 { length = range.upperBound - offset }
      if length == 1 {
        // 64 bits, of which no file needs the upper ones.
        guard reader.bigEndian(offset + 8, 4) == 0, let long = reader.bigEndian(offset + 12, 4)
        else { break }
        (length, start) = (long, offset + 16)
      }
      guard length >= start - offset, length <= range.upperBound - offset else { break }
      boxes.append(Box(name: offset + 4, contents: start..<offset + length))
      offset += length
    }
    return boxes
  }

  private static func item(_ reader: ByteReader, _ range: Range<Int>) -> Int? {
    guard let version = reader.byte(range.lowerBound) else { return nil }
    return reader.bigEndian(range.lowerBound + 4, version == 0 ? 2 : 4)
  }

  /// The numbers of the properties of an item, from 1.
  private static func associations(
    of item: Int, _ reader: ByteReader, _ range: Range<Int>
  ) -> [Int] {
    let start = range.lowerBound
    guard range.count >= 8, let version = reader.byte(start), let flags = reader.byte(start + 3)
    else { return [] }
    let (idSize, indexSize) = (version == 0 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
    var offset = start + 8
    while offset + idSize + 1 <= range.upperBound {
      guard let id = reader.bigEndian(offset, idSize), let count = reader.byte(offset + idSize)
      else { return [] }
      offset += idSize + 1
      guard offset + count * indexSize <= range.upperBound else { return [] }
      if id == item {
        // The highest bit says that the property must be understood.
        return (0..<count).compactMap {
          reader.bigEndian(offset + $0 * indexSize, indexSize)
            .map { $0 & (indexSize == 2 ? 0x7FFF : 0x7F) }
        }
      }
      offset += count * indexSize
    }
    return []
  }
}
