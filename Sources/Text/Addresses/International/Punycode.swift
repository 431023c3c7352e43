/// Punycode (RFC 3492 §6).
enum Punycode {
  private static let base = 36
  private static let tMin = 1
  private static let tMax = 26
  private static let skew = 38
  private static let damp = 700

  /// Nil for more than 63 characters: no label is as long. That bounds the work, which grows with the
  /// square of the length, and the numbers, which stay far below overflow.
  static func encoded(_ label: some Collection<Unicode.Scalar>) -> String? {
    let input = label.map { Int($0.value) }
    guard input.count <= 63 else { return nil }
    var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(0x2D) }
    var next = 0x80
    var delta = 0
    var bias = 72
    var handled = basicCount
    while handled < input.count, let lowest = input.lazy.filter({ $0 >= next }).min() {
      delta += (lowest - next) * (handled + 1)
      next = lowest
      for value in input {
        if value < next { delta += 1 }
        guard value == next else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The label that a code stands for, in lower case (RFC 3492 §6.2); nil where it is no code.
  static func decoded(_ code: some Collection<Unicode.Scalar>) -> [Unicode.Scalar]? {
    guard code.count <= 63, code.allSatisfy(\.isASCII) else { return nil }
    let input = code.map { Int($0.value) }
    let delimiter = input.lastIndex(of: 0x2D)
    var output = input[..<(delimiter ?? 0)].map { $0 }
    var index = delimiter.map { $0 > 0 ? $0 + 1 : 0 } ?? 0
    var next = 0x80
    var place = 0
    var bias = 72
    while index < input.count {
      let previous = place
      var weight = 1
      var position = base
      while true {
        guard index < input.count, let digit = value(ofDigit: input[index]) else { return nil }
        index += 1
        place += digit * weight
        let threshold = min(max(position - bias, tMin), tMax)
        if digit < threshold { break }
        weight *= base - threshold
        position += base
        // Far above all there is; the numbers stay below overflow.
        guard place <= 1 << 40, weight <= 1 << 40 else { return nil }
      }
      let count = output.count + 1
      bias = adapted(place - previous, count: count, isFirst: previous == 0)
      next += place / count
      place %= count
      guard next <= 0x10_FFFF else { return nil }
      output.insert(next, at: place)
      place += 1
    }
    let scalars = output.compactMap { Unicode.Scalar(UInt32($0)) }
    return scalars.count == output.count ? scalars : nil
  }

  private static func value(ofDigit byte: Int) -> Int? {
    switch byte {
    case 0x61...0x7A: byte - 0x61
    case 0x30...0x39: byte - 0x16
    default: nil
    }
  }

  /// Appends a number of variable length, its digits from the lowest on.
  private static func append(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
    var rest = number
    var place = base
    while true {
      let threshold = min(max(place - bias, tMin), tMax)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      place += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? 0x61 + UInt8(value) : 0x16 + UInt8(value)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var bias = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      bias += base
    }
    return bias + (base - tMin + 1) * delta / (delta + skew)
  }
}
