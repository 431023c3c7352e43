internal import CIconv
internal import News

/// Characters that iconv lacks in one encoding or maps to private use, taken from another encoding.
final class ConverterSupplement {
  private let family: DoubleByteFamily
  private let table: iconv_t
  /// Descriptor from UTF-8 to the encoding itself.
  private let reverse: iconv_t

  /// Fails if no characters are missing, or if iconv lacks the other table.
  ///
  /// - Parameter name: name of the encoding in iconv.
  init?(_ family: DoubleByteFamily, name: String) {
    guard let other = Self.others[family], let table = openConverter(to: "UTF-8", from: other)
    else { return nil }
    guard let reverse = openConverter(to: name, from: "UTF-8") else {
      iconv_close(table)
      return nil
    }
    self.family = family
    self.table = table
    self.reverse = reverse
  }

  deinit {
    iconv_close(table)
    iconv_close(reverse)
  }

  /// Big5 is decoded as in Windows, with the characters of Hong Kong in its gaps. Rows 89 to 92 of
  /// EUC-JP are those of NEC, which Windows has in Shift_JIS.
  private static let others: [DoubleByteFamily: String] = [.big5: "BIG5-HKSCS", .eucJP: "CP932"]

  /// The character of two bytes in UTF-8; nil if the other table lacks it as well.
  func text(_ lead: UInt8, _ trail: UInt8) -> [UInt8]? {
    guard family == .eucJP else { return convert([lead, trail], with: table) }
    // In Shift_JIS two rows of 94 characters share a lead byte.
    guard (0xF9...0xFC).contains(lead), (0xA1...0xFE).contains(trail) else { return nil }
    let (row, cell) = (lead - 0xA0, trail - 0xA0)
    let first = (row - 1) / 2 + 0xC1
    let second = row % 2 == 0 ? cell + 0x9E : cell + (cell < 0x40 ? 0x3F : 0x40)
    return convert([first, second], with: table)
  }

  func replacePrivateCharacters(in text: inout [UInt8]) {
    guard text.contains(where: { $0 == 0xEE || $0 == 0xEF }) else { return }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if index + 2 < text.count,
        text[index] == 0xEE || text[index] == 0xEF && text[index + 1] < 0xA4,
        let pair = convert(Array(text[index...index + 2]), with: reverse), pair.count == 2,
        let character = self.text(pair[0], pair[1])
      {
        result += character
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    text = result
  }
}
