internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A blocking HTTP/1.1 client on one connection that shows what a server really sent.
final class TestClient {
  struct Answer {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the body had the length that the head promised.
    var isComplete = false

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> [String: Any] {
      struct NotAnObject: Error {}
      guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      else { throw NotAnObject() }
      return object
    }
  }

  /// What `errno` said, or 0 for an end of the stream before the head.
  struct Failure: Error, Equatable { let code: Int32 }

  private let socket: Int32
  private let host: String
  private var buffer: [UInt8] = []

  init(port: UInt16) throws {
    #if canImport(Glibc)
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    host = "127.0.0.1:\(port)"
    // No test waits for ever on a server that does not answer.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) { [socket] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(code: errno) }
  }

  deinit { close(socket) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    // A server that is gone must not end the tests with a SIGPIPE.
    #if canImport(Glibc)
      _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      var yes: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      _ = Darwin.send(socket, bytes, bytes.count, 0)
    #endif
  }

  func request(
    _ method: String = "GET", _ target: String, headers: [String: String] = [:], body: String = ""
  ) throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
    send(head + "\r\n" + body)
    return try answer(hasBody: method != "HEAD")
  }

  func answer(hasBody: Bool = true) throws -> Answer {
    var answer = Answer()
    let marker = Array("\r\n\r\n".utf8)
    while buffer.firstRange(of: marker) == nil {
      guard try receive() else { throw Failure(code: 0) }
    }
    let end = buffer.firstRange(of: marker)?.upperBound ?? 0
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end)
    answer.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1)
      if parts.count == 2 { answer.headers[parts[0].lowercased()] = String(parts[1]) }
    }
    if hasBody, answer.headers["transfer-encoding"] == "chunked" {
      try receiveChunks(of: &answer)
      return answer
    }
    let length = hasBody ? answer.headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    while buffer.count < length { guard try receive() else { break } }
    answer.isComplete = buffer.count >= length
    answer.body = Array(buffer.prefix(length))
    buffer.removeFirst(min(length, buffer.count))
    return answer
  }

  /// RFC 9112 §7.1, without extensions and trailers.
  private func receiveChunks(of answer: inout Answer) throws {
    let lineEnd = Array("\r\n".utf8)
    while true {
      while buffer.firstRange(of: lineEnd) == nil { guard try receive() else { return } }
      let end = buffer.firstRange(of: lineEnd)?.lowerBound ?? 0
      guard let size = Int(String(decoding: buffer[..<end], as: UTF8.self), radix: 16) else {
        return
      }
      while buffer.count < end + 2 + size + 2 {
        guard try receive() else {
          answer.body += buffer.dropFirst(end + 2)
          return
        }
      }
      answer.body += buffer[(end + 2)...].prefix(size)
      buffer.removeFirst(end + 2 + size + 2)
      if size == 0 {
        answer.isComplete = true
        return
      }
    }
  }

  /// What has come beyond the last answer.
  func taken() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  /// What comes next; empty at the end.
  func more() throws -> [UInt8] { try receive() ? taken() : [] }

  private func receive() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Failure(code: errno) }
    buffer += bytes.prefix(count)
    return count > 0
  }
}
