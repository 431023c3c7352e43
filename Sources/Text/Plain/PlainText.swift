/// Sanitiser of text from outside, before it enters the model; the only one.
///
/// Removed are C0, DEL and C1 control characters, which could control the terminal (those of C1 that are
/// letters or quotes in windows-1252 are replaced by these, as in references), the embedding,
/// override and isolate controls of the bidirectional algorithm (U+202A–E, U+2066–9: they show
/// letters in another order than they are stored), the deprecated format characters U+206A–F,
/// interlinear annotation marks, byte order marks, and tag characters (they hide text).
/// The marks U+200E, U+200F and U+061C stay: they place punctuation in Hebrew and Arabic, and cannot
/// reorder letters.
///
/// Entities are decoded before text comes here. A text from which nothing is removed comes back as
/// the same string, without a copy.
package enum PlainText {
  /// Text of one line: tabs and line ends become spaces, runs of spaces one, none at either end.
  package static func sanitized(_ text: String) -> String {
    text.withBytes { isCleanLine($0) ? nil : cleanedLine($0) } ?? text
  }

  /// Text of several lines: tabs and line feeds stay, other line ends become line feeds.
  package static func sanitizedBlock(_ text: String) -> String {
    text.withBytes { bytes in
      firstUnclean(in: bytes, from: 0).map { cleanedBlock(bytes, from: $0) }
    } ?? text
  }

  /// Text of one line whose spaces stay as they are, for the names of files and users: tabs and line
  /// ends become spaces, and what `sanitized` removes is removed.
  package static func sanitizedName(_ text: String) -> String {
    let block = sanitizedBlock(text)
    guard block.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A }) else { return block }
    return String(decoding: block.utf8.map { $0 == 0x09 || $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
  }

  /// HTML on its way into the model: what `sanitizedBlock` removes from text is removed from the
  /// markup as it stands. Character references are left for the renderer to decode and sanitise.
  package static func sanitizedMarkup(_ html: String) -> String {
    sanitizedBlock(html)
  }

  /// `sanitizedMarkup` for bytes that are no string yet. Invalid UTF-8 becomes U+FFFD.
  package static func sanitizedMarkup(bytes: ByteBuffer) -> String {
    guard let first = firstUnclean(in: bytes, from: 0) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return cleanedBlock(bytes, from: first)
  }

  /// `sanitizedMarkup` for bytes from a decoder: well-formed UTF-8, which is not validated again.
  package static func sanitizedMarkup(wellFormed bytes: ByteBuffer) -> String {
    guard let first = firstUnclean(in: bytes, from: 0) else { return String(wellFormed: bytes) }
    return cleanedBlock(bytes, from: first)
  }

  /// `sanitized` for bytes that are no string yet. Invalid UTF-8 becomes U+FFFD.
  package static func sanitized(bytes: ByteBuffer) -> String {
    isCleanLine(bytes) ? String(decoding: bytes, as: UTF8.self) : cleanedLine(bytes)
  }
}

extension PlainText {
  /// The place of the first character in `range` that a text of one line must not contain: one that is
  /// removed, a tab or a line end.
  static func firstUnfit(in bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int>? {
    var index = range.lowerBound
    while index < range.upperBound {
      if let block = SixteenBytes(bytes, at: index) {
        guard let first = firstSuspect(suspects(in: block), in: block, bytes, at: index) else {
          index += 16
          continue
        }
        index += first
        guard index < range.upperBound else { return nil }
      }
      if mayBeUnclean(bytes[index]) {
        let (action, length) = verdict(at: index, in: bytes)
        if action != .keep { return index..<min(index + length, range.upperBound) }
      }
      index += 1
    }
    return nil
  }

  /// `sanitized` for text of one line whose words are already separated by single spaces.
  static func sanitized(collapsed bytes: ByteBuffer) -> String {
    guard firstUnclean(in: bytes, from: 0) == nil, bytes.last != 0x20 else {
      return cleanedLine(bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: - One line

private func isCleanLine(_ bytes: ByteBuffer) -> Bool {
  if bytes.first == 0x20 || bytes.last == 0x20 { return false }
  var index = 0
  while index < bytes.count {
    if let block = SixteenBytes(bytes, at: index), let next = SixteenBytes(bytes, at: index + 1) {
      let twoSpaces = block.equal(to: 0x20) & next.equal(to: 0x20)
      let mask = suspects(in: block) | twoSpaces
      guard let first = firstSuspect(mask, in: block, bytes, at: index) else {
        index += 16
        continue
      }
      index += first
    }
    let byte = bytes[index]
    // The last byte is no space.
    if byte == 0x20, bytes[index + 1] == 0x20 { return false }
    if mayBeUnclean(byte), verdict(at: index, in: bytes).action != .keep { return false }
    index += 1
  }
  return true
}

private func cleanedLine(_ bytes: ByteBuffer) -> String {
  var output: [UInt8] = []
  output.reserveCapacity(bytes.count)
  var spaceIsDue = false
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    var length = 1
    var action = byte == 0x20 ? Action.newline : .keep
    if mayBeUnclean(byte) { (action, length) = verdict(at: index, in: bytes) }
    switch action {
    case .keep:
      if spaceIsDue, !output.isEmpty { output.append(0x20) }
      spaceIsDue = false
      for offset in 0..<length { output.append(bytes[index + offset]) }
    case .tab, .newline: spaceIsDue = true
    case .letter:
      if spaceIsDue, !output.isEmpty { output.append(0x20) }
      spaceIsDue = false
      output.append(scalar: windows1252[Int(bytes[index + 1]) - 0x80])
    case .drop:
      if isWithinCharacter(bytes, index + length) {
        if spaceIsDue, !output.isEmpty { output.append(0x20) }
        spaceIsDue = false
        output.append(scalar: 0xFFFD)
      }
    }
    index += length
  }
  return String(decoding: output, as: UTF8.self)
}

// MARK: - Several lines

private func firstUnclean(in bytes: ByteBuffer, from start: Int) -> Int? {
  var index = start
  while index < bytes.count {
    if let block = SixteenBytes(bytes, at: index) {
      let mask = suspects(in: block) & ~(block.equal(to: 0x09) | block.equal(to: 0x0A))
      guard let first = firstSuspect(mask, in: block, bytes, at: index) else {
        index += 16
        continue
      }
      index += first
    }
    let byte = bytes[index]
    guard mayBeUnclean(byte), byte != 0x0A, byte != 0x09 else {
      index += 1
      continue
    }
    let (action, length) = verdict(at: index, in: bytes)
    guard action == .keep else { return index }
    index += length
  }
  return nil
}

private func cleanedBlock(_ bytes: ByteBuffer, from first: Int) -> String {
  var output: [UInt8] = []
  output.reserveCapacity(bytes.count)
  var copied = 0
  var next: Int? = first
  while let index = next {
    output.append(contentsOf: bytes[copied..<index])
    let (action, length) = verdict(at: index, in: bytes)
    let isFirstOfCRLF =
      bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
    if action == .newline, !isFirstOfCRLF { output.append(0x0A) }
    if action == .letter { output.append(scalar: windows1252[Int(bytes[index + 1]) - 0x80]) }
    copied = index + length
    if action == .drop, isWithinCharacter(bytes, copied) { output.append(scalar: 0xFFFD) }
    next = firstUnclean(in: bytes, from: copied)
  }
  output.append(contentsOf: bytes[copied..<bytes.count])
  return String(decoding: output, as: UTF8.self)
}

// MARK: - Which characters

/// Whether the byte behind one that is left out continues a character: the UTF-8 is broken there. What follows must
/// not join with what stands before, as `C2 01 9B` would to a control character.
private func isWithinCharacter(_ bytes: ByteBuffer, _ index: Int) -> Bool {
  index < bytes.count && bytes[index] & 0xC0 == 0x80
}

private enum Action {
  case keep
  case tab
  case newline
  /// A C1 control character, of two bytes: publishers take windows-1252 for Latin-1, and what they
  /// turn into UTF-8 was a letter or a quote.
  case letter
  case drop
}

/// Whether a character that begins with this byte may have to be changed.
@inline(__always)
private func mayBeUnclean(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte >= 0xEF
}

@inline(__always)
private func suspects(in block: SixteenBytes) -> SixteenBytes.Mask {
  block.controls | block.equal(to: 0x7F) | block.equal(to: 0xC2) | block.equal(to: 0xE2)
    | block.atLeast(0xEF)
}

/// The first of sixteen bytes at `index` of which `mask` says that they may have to be changed, and which the two
/// behind it do not clear: quotes and dashes begin as what steers the direction of text does.
@inline(__always)
private func firstSuspect(
  _ mask: SixteenBytes.Mask, in block: SixteenBytes, _ bytes: ByteBuffer, at index: Int
) -> Int? {
  guard let first = block.first(where: mask) else { return nil }
  guard let second = SixteenBytes(bytes, at: index + 1),
    let third = SixteenBytes(bytes, at: index + 2)
  else { return first }
  let letters = block.equal(to: 0xC2) & second.atLeast(0xA0)
  let steering =
    (second.equal(to: 0x80) | second.equal(to: 0x81)) & third.atLeast(0xA6)
  let quotes = block.equal(to: 0xE2) & ~steering
  let wide = block.equal(to: 0xEF) & ~(second.equal(to: 0xBB) | second.equal(to: 0xBF))
  let pictures = block.atLeast(0xF0) & ~block.equal(to: 0xF3)
  return block.first(where: mask & ~(letters | quotes | wide | pictures))
}

/// The treatment of the character at `index`, and its length in bytes.
private func verdict(at index: Int, in bytes: ByteBuffer) -> (action: Action, length: Int) {
  let second = index + 1 < bytes.count ? bytes[index + 1] : 0
  let third = index + 2 < bytes.count ? bytes[index + 2] : 0
  switch bytes[index] {
  case 0x09: return (.tab, 1)
  case 0x0A...0x0D: return (.newline, 1)
  case 0x00..<0x20, 0x7F: return (.drop, 1)
  case 0xC2 where second >= 0x80 && second <= 0x9F:
    // Five of them are undefined in windows-1252, too.
    return (windows1252[Int(second) - 0x80] == UInt32(second) ? .drop : .letter, 2)
  case 0xE2 where second == 0x80 && (third == 0xA8 || third == 0xA9): return (.newline, 3)
  case 0xE2 where second == 0x80 && third >= 0xAA && third <= 0xAE: return (.drop, 3)
  case 0xE2 where second == 0x81 && third >= 0xA6 && third <= 0xAF: return (.drop, 3)
  case 0xEF where second == 0xBB && third == 0xBF: return (.drop, 3)
  case 0xEF where second == 0xBF && third >= 0xB9 && third <= 0xBB: return (.drop, 3)
  case 0xF3 where second == 0xA0 && (third == 0x80 || third == 0x81):
    return (.drop, min(4, bytes.count - index))
  default: return (.keep, 1)
  }
}

extension Unicode.Scalar {
  /// Whether `PlainText` leaves it out or changes it: control characters, and those that change the
  /// direction of text or hide it. No name of a host has one, and none may be shown.
  package var steersTerminals: Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
