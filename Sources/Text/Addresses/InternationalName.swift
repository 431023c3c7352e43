internal import Foundation

extension WebAddress {
  /// The name of a host in the ASCII form in which it is looked up (RFC 5890 §2.3.2.1): each label
  /// outside ASCII in lower case, in NFC, as `xn--` and its Punycode.
  ///
  /// Of UTS #46's mapping that is what names on the web need. Not done: compatibility forms (full-width
  /// letters, ligatures) and full stops other than `.` are not mapped, nothing is left out (soft
  /// hyphens, variation selectors), and no code point is refused. A name with a label of more than
  /// 63 bytes (RFC 1035 §2.3.4) comes back as it is, in lower case.
  package static func asciiHost(_ name: String) -> String {
    let lowercased = name.lowercased()
    if lowercased.utf8.allSatisfy({ $0 < 0x80 }) { return lowercased }
    var labels: [String] = []
    let composed = lowercased.precomposedStringWithCanonicalMapping
    for label in composed.split(separator: ".", omittingEmptySubsequences: false) {
      if label.utf8.allSatisfy({ $0 < 0x80 }) {
        labels.append(String(label))
      } else if let code = Punycode.encoded(label.unicodeScalars), code.utf8.count <= 59 {
        labels.append("xn--" + code)
      } else {
        return lowercased
      }
    }
    return labels.joined(separator: ".")
  }

  /// The address with its host in that form.
  package static func withASCIIHost(_ address: String) -> String {
    address.withBytes { bytes in
      guard bytes.firstNonASCII(from: 0) < bytes.count,
        let authority = AddressParts(bytes, 0..<bytes.count).authority
      else { return address }
      let name = AddressHost(bytes, authority).name
      guard name.contains(where: { bytes[$0] >= 0x80 }) else { return address }
      return bytes.string(0..<name.lowerBound) + asciiHost(bytes.string(name))
        + bytes.string(name.upperBound..<bytes.count)
    }
  }
}

/// Punycode (RFC 3492 §6.3), the encoding only.
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
