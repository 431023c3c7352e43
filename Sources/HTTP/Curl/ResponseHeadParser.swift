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
    let line = line[..<end]
    if line.isEmpty {
      guard status >= 200 || (takesUpgrade && status == 101) else { return nil }
      return HTTPResponseHead(status: status, headers: headers, url: url, httpVersion: httpVersion)
    }
    if line.starts(with: Array("HTTP/".utf8)) {
      let words = String(decoding: line.dropFirst(5), as: UTF8.self)
        .split(separator: " ", maxSplits: 2)
      httpVersion = words.first.map(String.init) ?? ""
      status = words.dropFirst().first.flatMap { Int($0) } ?? 0
      headers = HTTPHeaders()
    } else if line.first == 0x20 || line.first == 0x09 {
      headers.continueLast(with: line.withoutBlanks)
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: line[..<colon].withoutBlanks, as: UTF8.self)
      headers.append(HTTPHeaders.Field(name: name, bytes: line[(colon + 1)...].withoutBlanks))
    }
    return nil
  }
}
