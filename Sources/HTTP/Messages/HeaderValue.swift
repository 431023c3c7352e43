// The parts that the values of header fields have in common (RFC 9110 §5.6).

internal import Text

/// The parts of a list or of parameters. A quoted string may have the separator within it.
///
/// - Parameter keepsQuotes: whether quotation marks and backslashes stay.
func headerParts(
  of text: some StringProtocol, separator: Character, keepsQuotes: Bool = true
) -> [String] {
  var parts = [""]
  var (isQuoted, isEscaped) = (false, false)
  for character in text {
    if isEscaped {
      isEscaped = false
    } else if isQuoted, character == "\\" {
      isEscaped = true
      if !keepsQuotes { continue }
    } else if character == "\"" {
      isQuoted.toggle()
      if !keepsQuotes { continue }
    } else if character == separator, !isQuoted {
      parts.append("")
      continue
    }
    parts[parts.count - 1].append(character)
  }
  return parts
}

/// A decimal number; nil for anything but digits.
func digits(_ text: some StringProtocol) -> Int? {
  guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
  return Int(text)
}

/// A number with a fraction or without; nil for anything else, signs and exponents included.
func decimal(_ text: some StringProtocol) -> Double? {
  let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
  return isNumber ? Double(text) : nil
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and tabs at both ends (OWS, RFC 9110 §5.6.3).
  var withoutBlanks: SubSequence {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
