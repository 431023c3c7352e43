/// Without controls (but tab and line breaks), and without what changes the direction of text.
func sanitized(_ text: String) -> String {
  var text = text
  return text.withUTF8 { bytes -> String? in
    guard var end = firstControl(in: bytes, from: 0) else { return nil }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var start = 0
    while true {
      kept.append(contentsOf: bytes[start..<end])
      guard end < bytes.count else { break }
      start = end + controlLength(bytes, at: end)
      end = firstControl(in: bytes, from: start) ?? bytes.count
    }
    return String(decoding: kept, as: UTF8.self)
  } ?? text
}

private func firstControl(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
  (start..<bytes.count).first { controlLength(bytes, at: $0) > 0 }
}

/// The bytes that a control or a direction mark at `index` takes; 0 if there is none.
private func controlLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 {
    index + offset < bytes.count ? bytes[index + offset] : 0
  }
  switch bytes[index] {
  case 0x09, 0x0A, 0x0D: return 0
  case 0..<0x20, 0x7F: return 1
  // C1 controls; U+061C.
  case 0xC2: return (0x80..<0xA0).contains(byte(1)) ? 2 : 0
  case 0xD8: return byte(1) == 0x9C ? 2 : 0
  case 0xE2:
    switch (byte(1), byte(2)) {
    // U+200E, U+200F, U+202A–202E; U+2066–2069.
    case (0x80, 0x8E...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return 3
    default: return 0
    }
  default: return 0
  }
}
