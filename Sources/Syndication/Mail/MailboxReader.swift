internal import Text

/// Reader of mbox files of Mozilla's programs: `From - DATE` or `From ` precedes each message.
package enum MailboxReader {
  /// The messages of a part of a file that begins with a `From ` line.
  ///
  /// - Parameter isEnd: whether the part ends with the file; otherwise its last message may
  ///   continue.
  /// - Returns: the messages without their `From ` lines, and the start of the unread rest.
  package static func messages(
    in bytes: [UInt8], isEnd: Bool
  ) -> (messages: [Range<Int>], rest: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      var starts: [(line: Int, message: Int)] = []
      var line = 0
      while line < bytes.count {
        let end = bytes.firstIndex(of: 0x0A, from: line)
        if let message = message(after: line, end, in: bytes) { starts.append((line, message)) }
        guard let end else { break }
        line = end + 1
      }
      var messages: [Range<Int>] = []
      for (index, start) in starts.enumerated() {
        let next = index + 1 < starts.count ? starts[index + 1].line : isEnd ? bytes.count : nil
        guard let next else { return (messages, start.line) }
        messages.append(start.message..<max(start.message, next))
      }
      return (messages, isEnd || starts.isEmpty && bytes.count > 0 ? bytes.count : 0)
    }
  }

  /// The start of the message after a `From ` line, which must be followed by headers.
  private static func message(
    after line: Int, _ end: Int?, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let end, bytes.count - line > 5, "From ".utf8.elementsEqual(bytes[line..<line + 5]) else {
      return nil
    }
    let isBare = bytes[line + 5] == 0x0A || bytes[line + 5] == 0x0D
    guard isBare || bytes[line + 5] == 0x2D else { return nil }
    var name = end + 1
    while name < bytes.count,
      bytes[name].isASCIILetter || bytes[name] == 0x2D || bytes[name].isASCIIDigit
    {
      name += 1
    }
    guard name < bytes.count else { return nil }
    return name > end + 1 && bytes[name] == 0x3A ? end + 1 : nil
  }
}
