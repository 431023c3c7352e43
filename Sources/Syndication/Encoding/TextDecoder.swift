internal import Text

/// Incremental decoder from any encoding to valid UTF-8. The result does not depend on the pieces.
///
/// The bytes determine the encoding: the declared one is assumed until the first non-ASCII byte,
/// and from there an `EncodingSample` has to confirm it. If a sample is inconclusive, the more
/// likely encoding is taken, and the next non-ASCII byte begins another sample.
struct TextDecoder: ~Copyable {
  /// Warnings about wrong declarations of the encoding.
  private(set) var remarks: [String] = []
  /// Bytes of windows-1252 within UTF-8.
  private(set) var mended = Damage()
  /// Invalid bytes, each replaced by U+FFFD.
  private(set) var lost = Damage()

  struct Damage {
    private(set) var count = 0
    /// Offset in the output of the current call.
    private(set) var place: Int?

    mutating func note(_ place: Int) {
      count += 1
      if count == 1 { self.place = place }
    }
  }

  private let claims: EncodingClaims
  /// Nil while all bytes are ASCII.
  private var encoding: TextEncoding?
  private var isSure = false
  private var evidence = UTF8Evidence()
  private var formerEncoding: TextEncoding?
  private var carried: [UInt8] = []
  private var converter: Converter?
  private var position = 0
  private var lastByte: UInt8?
  /// End of the last U+FFFD in UTF-8, in bytes read.
  private var endOfLoss: Int?
  /// End of the last byte that was decoded as windows-1252, in bytes read.
  private var endOfMended: Int?
  private var isWestern = false

  init(_ claims: EncodingClaims) {
    self.claims = claims
    if let shown = claims.shown { settle(on: shown) }
  }

  /// Appends the text of the next bytes. Up to `EncodingSample.size` undecided bytes wait.
  mutating func decode(_ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]) {
    if carried.isEmpty {
      decodeJoined(bytes, isLast: isLast, into: &output)
    } else if !isSure, !isLast, carried.count + bytes.count < EncodingSample.size {
      carried.append(contentsOf: bytes)
    } else {
      // This copies the piece; it is rare, and happens only at the border of two pieces.
      let joined = carried + bytes
      carried = []
      joined.withUnsafeBufferPointer { decodeJoined($0, isLast: isLast, into: &output) }
    }
    guard isLast else { return }
    converter?.finish(into: &output)
    if let encoding {
      if !isSure { remark(on: encoding) }
    } else if let remark = claims.remarkOnASCII {
      remarks.append(remark)
    }
  }

  private mutating func decodeJoined(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) {
    var start = 0
    while !isSure {
      let ascii = ByteBuffer(rebasing: bytes[start...])
      let end = endOfASCII(ascii)
      output.append(contentsOf: ascii[..<end])
      advance(ascii, end)
      start += end
      if start == bytes.count { return }
      let rest = ByteBuffer(rebasing: bytes[start...])
      guard isLast || rest.count >= EncodingSample.size else {
        carried = Array(rest)
        return
      }
      let sample = ByteBuffer(rebasing: rest.prefix(EncodingSample.size))
      decide(sample, isCut: sample.count == EncodingSample.size)
      if isSure { break }
      // A character that the end of the sample truncates begins the next sample.
      let consumed = read(sample, isLast: isLast && sample.count == rest.count, into: &output)
      converter?.finish(into: &output)
      advance(sample, consumed)
      start += consumed
    }
    let rest = ByteBuffer(rebasing: bytes[start...])
    let consumed = read(rest, isLast: isLast, into: &output)
    advance(rest, consumed)
    if consumed < rest.count { carried = Array(rest[consumed...]) }
  }

  private mutating func read(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    switch encoding {
    case .utf8, nil: decodeUTF8(bytes, isLast: isLast, into: &output)
    case .windows1252: decode1252(bytes, into: &output)
    case .utf16(let isBigEndian):
      decodeUTF16(bytes, isBigEndian: isBigEndian, isLast: isLast, into: &output)
    case .utf32(let isBigEndian):
      decodeUTF32(bytes, isBigEndian: isBigEndian, isLast: isLast, into: &output)
    case .named:
      converter?.convert(bytes, isLast: isLast, into: &output, lost: &lost) ?? bytes.count
    }
  }

  private mutating func advance(_ bytes: ByteBuffer, _ count: Int) {
    guard count > 0 else { return }
    position += count
    lastByte = bytes[count - 1]
  }

  // MARK: Which encoding

  /// The first byte whose meaning depends on the encoding.
  private func endOfASCII(_ bytes: ByteBuffer) -> Int {
    let end = bytes.firstNonASCII(from: 0)
    guard claims.believed == .named("ISO-2022-JP") else { return end }
    // ISO-2022-JP consists of ASCII bytes; an escape sequence begins Japanese.
    return bytes.firstIndex(of: 0x1B, in: 0..<end) ?? end
  }

  private mutating func decide(_ bytes: ByteBuffer, isCut: Bool) {
    if bytes.first == 0x1B {
      settle(on: .named("ISO-2022-JP"))
      return
    }
    let sample = EncodingSample(bytes, isCut: isCut)
    evidence = evidence + sample.asUTF8
    isWestern = evidence.isWestern(language: claims.language)
    let looksLike = encoding(of: sample)
    if evidence.isEnough(for: looksLike) {
      settle(on: looksLike)
    } else {
      lean(towards: looksLike)
    }
  }

  private func encoding(of sample: EncodingSample) -> TextEncoding {
    let language = claims.language
    let believed = claims.believed
    // If a sample does not determine the encoding, the previous one may have done so.
    let former = encoding == .utf8 ? nil : encoding
    if believed == .utf8 || believed == .named("ISO-2022-JP") {
      if believed == .utf8,
        evidence.isUTF8(unless: sample.guess(language: language) ?? former)
          || encoding != nil && sample.asUTF8.isPlain
      {
        return .utf8
      }
      // The other declaration is tried first, and then the encoding that the bytes suggest.
      guard let other = claims.alternative else {
        return sample.guess(language: language) ?? former ?? .windows1252
      }
      return sample.plainEncoding(despite: other, language: language) ?? former ?? other
    }
    if evidence.isUTF8(despite: believed)
      || encoding != nil && sample.asUTF8.isPlain && sample.asUTF8.isUTF8(despite: believed)
    {
      return .utf8
    }
    if sample.contradicts(believed) {
      let other = claims.alternative.flatMap { sample.contradicts($0) ? nil : $0 }
      return other ?? sample.guess(language: language) ?? believed
    }
    if let other = claims.alternative, sample.guess(language: nil) == other {
      // Servers add a charset to all responses: the document's declaration wins if the bytes agree.
      return other
    }
    return sample.plainEncoding(despite: believed, language: language) ?? former ?? believed
  }

  /// Decodes in this encoding until a sample is conclusive.
  private mutating func lean(towards encoding: TextEncoding) {
    guard encoding != self.encoding else { return }
    if self.encoding != nil { formerEncoding = self.encoding }
    self.encoding = encoding
    converter = nil
    guard case .named = encoding else { return }
    converter = Converter(encoding)
    guard converter == nil else { return }
    let remark = "The encoding \(encoding.name) cannot be read here; read as windows-1252."
    if !remarks.contains(remark) { remarks.append(remark) }
    self.encoding = .windows1252
  }

  private mutating func settle(on encoding: TextEncoding) {
    lean(towards: encoding)
    isSure = true
    remark(on: self.encoding ?? encoding)
  }

  private mutating func remark(on encoding: TextEncoding) {
    if let remark = claims.remark(readAs: encoding) { remarks.append(remark) }
    guard let formerEncoding, formerEncoding != encoding else { return }
    remarks.append("Some of the text is \(formerEncoding.name), the rest \(encoding.name).")
  }

  // MARK: Reading

  private mutating func decodeUTF8(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    var copied = 0
    var index = 0
    while true {
      index = endOfPlainUTF8(bytes, from: index)
      guard index < bytes.count else { break }
      let sequence = UTF8Sequence(in: bytes, at: index)
      if case .whole(let length) = sequence {
        index += length
        continue
      }
      output.append(contentsOf: bytes[copied..<index])
      // The decision about a byte depends on the next one.
      if !isLast, index + sequence.length == bytes.count { return index }
      if let scalar = strayScalar(bytes, at: index, length: sequence.length) {
        mended.note(output.count)
        output.append(scalar: scalar)
        index += 1
        endOfMended = position + index
      } else {
        lost.note(output.count)
        output.append(scalar: 0xFFFD)
        index += sequence.length
        endOfLoss = position + index
      }
      copied = index
    }
    output.append(contentsOf: bytes[copied..<bytes.count])
    return bytes.count
  }

  /// Nil if uncertain: a letter with punctuation looks like the beginning of a longer sequence.
  private func strayScalar(_ bytes: ByteBuffer, at index: Int, length: Int) -> UInt32? {
    // Some programs treat 0x85 and 0xA0 as white space, and leave the rest of the sequence.
    guard length <= 2, endOfLoss.map({ position + index - $0 > 1 }) ?? true else { return nil }
    return StrayByte(
      byte: bytes[index], before: index > 0 ? bytes[index - 1] : lastByte,
      next: index + 1 < bytes.count ? bytes[index + 1] : nil,
      followsMended: endOfMended == position + index, isWestern: isWestern
    ).scalar
  }

  private func decode1252(_ bytes: ByteBuffer, into output: inout [UInt8]) -> Int {
    var index = 0
    while index < bytes.count {
      let next = bytes.firstNonASCII(from: index)
      output.append(contentsOf: bytes[index..<next])
      index = next
      if index < bytes.count {
        output.append(scalar: scalar1252(bytes[index]))
        index += 1
      }
    }
    return bytes.count
  }

  private mutating func decodeUTF16(
    _ bytes: ByteBuffer, isBigEndian: Bool, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    func unit(_ index: Int) -> UInt32 {
      let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var index = 0
    while index + 1 < bytes.count {
      let high = unit(index)
      if high & 0xF800 != 0xD800 {
        output.append(scalar: high)
        index += 2
        continue
      }
      // A high surrogate at the end of a piece waits for the low one.
      let isHigh = high & 0xFC00 == 0xD800
      if isHigh, index + 3 >= bytes.count, !isLast { return index }
      if isHigh, index + 3 < bytes.count, unit(index + 2) & 0xFC00 == 0xDC00 {
        output.append(scalar: 0x10000 + ((high & 0x3FF) << 10 | unit(index + 2) & 0x3FF))
        index += 4
      } else {
        lost.note(output.count)
        output.append(scalar: 0xFFFD)
        index += 2
      }
    }
    guard isLast, index < bytes.count else { return index }
    lost.note(output.count)
    output.append(scalar: 0xFFFD)
    return bytes.count
  }

  private mutating func decodeUTF32(
    _ bytes: ByteBuffer, isBigEndian: Bool, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    var index = 0
    while index + 3 < bytes.count {
      var value: UInt32 = 0
      for offset in 0..<4 {
        value = value << 8 | UInt32(bytes[index + (isBigEndian ? offset : 3 - offset)])
      }
      if Unicode.Scalar(value) == nil { lost.note(output.count) }
      output.append(scalar: value)
      index += 4
    }
    guard isLast, index < bytes.count else { return index }
    lost.note(output.count)
    output.append(scalar: 0xFFFD)
    return bytes.count
  }
}

extension ParseWarnings {
  mutating func add(_ decoder: borrowing TextDecoder, mendedLine: Int?, lostLine: Int?) {
    if decoder.mended.count > 0 {
      add(
        "A byte of windows-1252 stands in UTF-8.", line: mendedLine, count: decoder.mended.count)
    }
    if decoder.lost.count > 0 {
      add(
        "A byte does not fit the encoding and was not read.", line: lostLine,
        count: decoder.lost.count)
    }
  }
}

extension EncodingClaims {
  /// UTF-8 wins if declared, because invalid bytes disprove it.
  fileprivate var believed: TextEncoding {
    claimed.contains(.utf8) ? .utf8 : claimed.first ?? .utf8
  }

  fileprivate var alternative: TextEncoding? { claimed.first { $0 != believed } }

  private var claimed: [TextEncoding] {
    [first?.encoding, second?.encoding].compactMap(\.self).filter(\.isASCIICompatible)
  }

  /// Warns about a disproved declaration, except beside a byte order mark (RFC 7303 §3.3).
  fileprivate func remark(readAs encoding: TextEncoding) -> String? {
    if hasMark { return nil }
    guard let first else {
      if encoding == .utf8 || shown != nil { return nil }
      return "The document does not say what encoding it is in; read as \(encoding.name)."
    }
    guard let claimed = first.encoding else { return first.isUnknown(readAs: encoding) }
    // Either byte order of UTF-16 and UTF-32 agrees with the declaration.
    return claimed.name == encoding.name ? nil : first.isWrong(readAs: encoding)
  }

  fileprivate var remarkOnASCII: String? {
    guard let first else { return nil }
    guard let claimed = first.encoding else { return first.isUnknown(readAs: .utf8) }
    return claimed.isASCIICompatible ? nil : first.isWrong(readAs: .utf8)
  }
}

extension EncodingClaims.Claim {
  fileprivate func isUnknown(readAs encoding: TextEncoding) -> String {
    "The encoding “\(label)” is unknown; read as \(encoding.name)."
  }

  fileprivate func isWrong(readAs encoding: TextEncoding) -> String {
    "The \(source.rawValue) says the text is \(label), but its bytes are not; "
      + "read as \(encoding.name)."
  }
}

/// The first byte outside ASCII and the sequences with unrestricted trail bytes.
private func endOfPlainUTF8(_ bytes: ByteBuffer, from start: Int) -> Int {
  var index = start
  while index < bytes.count {
    let lead = bytes[index]
    if lead < 0x80 {
      index = bytes.firstNonASCII(from: index)
    } else if lead >= 0xC2, lead <= 0xDF, index + 1 < bytes.count, bytes[index + 1].isTrail {
      index += 2
    } else if lead >= 0xE1, lead <= 0xEC, index + 2 < bytes.count, bytes[index + 1].isTrail,
      bytes[index + 2].isTrail
    {
      index += 3
    } else {
      break
    }
  }
  return index
}

extension UInt8 {
  @inline(__always) fileprivate var isTrail: Bool { self & 0xC0 == 0x80 }
}
