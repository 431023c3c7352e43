/// Puts a response's head together from the lines that curl hands over one by one.
struct ResponseHeadParser {
  /// Whether "switching protocols" was asked for, and is not just an interim response.
  var takesUpgrade = false
  private(set) var httpVersion = ""
  private(set) var status = 0
  private var headers = HTTPHeaders()

  /// The head, once its last line is there. Interim responses (1xx) are passed over.
  mutating func receive(_ line: UnsafeRawBufferPointer, url: String) -> HTTPResponseHead? {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    let text = String(decoding: line[..<end], as: UTF8.self)
    if text.isEmpty {
      guard status >= 200 || (takesUpgrade && status == 101) else { return nil }
      return HTTPResponseHead(status: status, headers: headers, url: url, httpVersion: httpVersion)
    }
    if text.hasPrefix("HTTP/") {
      let words = text.dropFirst(5).split(separator: " ", maxSplits: 2)
      httpVersion = words.first.map(String.init) ?? ""
      status = words.dropFirst().first.flatMap { Int($0) } ?? 0
      headers = HTTPHeaders()
    } else if text.hasPrefix(" ") || text.hasPrefix("\t") {
      headers.continueLast(with: ResponseHeadParser.trimmed(text[...]))
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(
        ResponseHeadParser.trimmed(text[..<colon]),
        ResponseHeadParser.trimmed(text[text.utf8.index(after: colon)...]))
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let inner = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    let end = inner.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { inner.index(after: $0) }
    return String(text[inner.startIndex..<(end ?? inner.startIndex)])
  }
}
