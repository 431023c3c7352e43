internal import CIconv
internal import Text

/// Conversion descriptor of iconv for one source encoding; the output is UTF-8.
final class Converter {
  private let descriptor: iconv_t
  private let family: DoubleByteFamily?
  private let supplement: ConverterSupplement?
  private let isStateful: Bool
  private let isGB: Bool

  /// Input of one call in bytes. The output is at most four times as long.
  private static let pieceSize = 16 * 1024

  init?(_ encoding: TextEncoding) {
    let opened = encoding.converterNames.lazy.compactMap { name in
      openConverter(to: "UTF-8", from: name).map { (name, $0) }
    }.first
    guard let (name, descriptor) = opened else { return nil }
    self.descriptor = descriptor
    family = encoding.doubleByteFamily
    supplement = family.flatMap { ConverterSupplement($0, name: name) }
    isStateful = encoding == .named("ISO-2022-JP")
    isGB = family == .gb18030
  }

  deinit { iconv_close(descriptor) }

  /// Returns the number of bytes read. Invalid bytes, and invalid pairs of bytes, become U+FFFD.
  func convert(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8], lost: inout TextDecoder.Damage
  ) -> Int {
    var index = 0
    while index < bytes.count {
      var end = min(index + Self.pieceSize, bytes.count)
      if isStateful, let feed = bytes.firstIndex(of: 0x0A, in: index..<end) { end = feed + 1 }
      let step = convert(ByteBuffer(rebasing: bytes[index..<end]), into: &output)
      index += step.consumed
      if step.outcome == TELEX_ICONV_ALL {
        // Each line ends in ASCII (RFC 1468), even if the escape sequence back to ASCII is missing.
        if isStateful, bytes[end - 1] == 0x0A { finish(into: &output) }
        continue
      }
      if step.consumed > 0, step.outcome == TELEX_ICONV_FULL || end < bytes.count { continue }
      // The length of an invalid character is known only if all its bytes are present.
      if bytes.count - index < 8, !isLast { return index }
      if isGB, bytes[index] == 0x80 {
        // Code page 936 of Windows has the euro sign at this byte.
        output.append(scalar: 0x20AC)
        index += 1
        continue
      }
      if index + 1 < bytes.count,
        let text = supplement?.text(bytes[index], bytes[index + 1])
      {
        output.append(contentsOf: text)
        index += 2
        continue
      }
      lost.note(output.count)
      output.append(scalar: 0xFFFD)
      if step.outcome == TELEX_ICONV_CUT, end == bytes.count { return bytes.count }
      index += invalidLength(bytes, at: index)
    }
    return index
  }

  /// Writes the letters that iconv has withheld in case an accent follows, and resets its state.
  func finish(into output: inout [UInt8]) {
    let tail = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        var target = buffer.baseAddress
        var free = buffer.count
        _ = telex_iconv(descriptor, nil, nil, &target, &free)
        count = buffer.count - free
      }
    }
    output.append(contentsOf: tail)
  }

  private func convert(
    _ bytes: ByteBuffer, into output: inout [UInt8]
  ) -> (consumed: Int, outcome: telex_iconv_outcome) {
    var outcome = TELEX_ICONV_ALL
    var left = bytes.count
    let room = bytes.count * 4 + 64
    var piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          var input = bytes.baseAddress
          var target = buffer.baseAddress
          var free = room
          outcome = telex_iconv(descriptor, &input, &left, &target, &free)
          count = room - free
        }
      }
    }
    supplement?.replacePrivateCharacters(in: &piece)
    output.append(contentsOf: piece)
    return (bytes.count - left, outcome)
  }

  /// Length in bytes of an invalid character. An ASCII trail byte does not belong to it, because it
  /// may be markup (WHATWG Encoding).
  private func invalidLength(_ bytes: ByteBuffer, at index: Int) -> Int {
    guard family != nil, bytes[index] > 0x80, bytes[index] < 0xFF, index + 1 < bytes.count,
      bytes[index + 1] >= 0x80
    else { return 1 }
    return 2
  }
}

/// Nil for an unknown encoding.
func openConverter(to: String, from: String) -> iconv_t? {
  let descriptor = iconv_open(to, from)
  return descriptor == iconv_t(bitPattern: -1) ? nil : descriptor
}

/// Converts a few bytes; nil if they are invalid or incomplete.
func convert(_ bytes: [UInt8], with descriptor: iconv_t) -> [UInt8]? {
  var isWhole = false
  let result = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
    buffer.withMemoryRebound(to: CChar.self) { buffer in
      bytes.withUnsafeBytes { bytes in
        var input = bytes.bindMemory(to: CChar.self).baseAddress
        var left = bytes.count
        var target = buffer.baseAddress
        var room = buffer.count
        isWhole =
          telex_iconv(descriptor, &input, &left, &target, &room) == TELEX_ICONV_ALL && left == 0
        // Some encodings withhold a letter until they know whether an accent follows.
        _ = telex_iconv(descriptor, nil, nil, &target, &room)
        count = buffer.count - room
      }
    }
  }
  return isWhole && !result.isEmpty ? result : nil
}
