import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An HTTP server on a raw socket of 127.0.0.1 that does what a script says, broken things too, and
/// remembers what it saw. One thread for each connection.
final class LoopbackServer: Sendable {
  /// A part of an answer. After the last, the connection waits for the next request.
  enum Step: Sendable {
    case bytes([UInt8])
    /// So many bytes of nothing, counted in `bytesFlooded` as the client takes them.
    case flood(Int)
    /// The letter x at each interval, so many times.
    case drip(Int, every: Duration)
    /// Until the gate opens or the client goes away.
    case wait(Gate)
    /// Says nothing until the client goes away.
    case hang
    case close
    /// Closes with RST.
    case reset

    static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
  }

  struct Request: Sendable {
    var method: String
    var target: String
    var headers: [String: String]
    var body: [UInt8]
    /// The head as it came, which need not be UTF-8.
    var head: [UInt8] = []
  }

  struct Log: Sendable {
    var requests: [Request] = []
    var connectionsOpened = 0
    /// Connections that the client closed.
    var closesSeen = 0
    var bytesFlooded = 0
  }

  let port: UInt16
  private let listener: Int32
  private let state = Mutex((log: Log(), open: Set<Int32>()))
  private let greeting: String
  private let isDropping: Bool
  private let script: @Sendable (Request) -> [Step]

  /// - Parameters:
  ///   - greeting: what each connection is sent before it says anything.
  ///   - drops: whether each connection ends in order once something has come over it.
  init(
    greeting: String = "", drops: Bool = false, _ script: @escaping @Sendable (Request) -> [Step]
  ) throws {
    self.greeting = greeting
    isDropping = drops
    self.script = script
    #if canImport(Glibc)
      // A program that another test starts must not keep a connection open.
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [listener] address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 512) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    signal(SIGPIPE, SIG_IGN)
    let thread = Thread { [weak self, listener] in
      while true {
        let connection = accept(listener, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard connection >= 0, let server = self else { break }
        Thread.detachNewThread { [weak server] in server?.serve(connection) }
      }
      close(listener)
    }
    thread.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  var log: Log { state.withLock { $0.log } }

  func url(_ target: String = "/") -> String { "http://127.0.0.1:\(port)\(target)" }

  // MARK: One connection

  private func serve(_ connection: Int32) {
    state.withLock {
      $0.log.connectionsOpened += 1
      $0.open.insert(connection)
    }
    var pending: [UInt8] = []
    if isDropping {
      var block = [UInt8](repeating: 0, count: 64 << 10)
      _ = recv(connection, &block, block.count, 0)
    }
    var isOpen = greeting.isEmpty || write(Array(greeting.utf8), connection)
    while isOpen, !isDropping {
      guard let request = readRequest(connection, &pending) else {
        noteClose()
        break
      }
      state.withLock { $0.log.requests.append(request) }
      for step in script(request) where isOpen { isOpen = perform(step, connection) }
    }
    _ = state.withLock { $0.open.remove(connection) }
    close(connection)
  }

  /// False ends the connection.
  private func perform(_ step: Step, _ connection: Int32) -> Bool {
    switch step {
    case .bytes(let bytes): return write(bytes, connection)
    case .flood(let count):
      let block = [UInt8](repeating: 0x78, count: 64 << 10)
      var left = count
      while left > 0 {
        let size = min(left, block.count)
        guard write(Array(block[..<size]), connection) else { return false }
        state.withLock { $0.log.bytesFlooded += size }
        left -= size
      }
      return true
    case .drip(let count, let interval):
      for _ in 0..<count {
        guard write([0x78], connection), !isGone(connection, within: interval) else { return false }
      }
      return true
    case .wait(let gate):
      while !gate.isOpen {
        if isGone(connection, within: .milliseconds(2)) { return false }
      }
      return true
    case .hang:
      while !isGone(connection, within: .seconds(1)) {}
      return false
    case .close: return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private func write(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else {
        noteClose()
        return false
      }
      sent += count
    }
    return true
  }

  /// True once the client has closed its side; waits for that as long as `interval`.
  private func isGone(_ connection: Int32, within interval: Duration) -> Bool {
    let milliseconds = Int32(interval / .milliseconds(1))
    var poller = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) > 0 else { return false }
    var byte: UInt8 = 0
    guard recv(connection, &byte, 1, Int32(MSG_PEEK)) <= 0 else { return false }
    noteClose()
    return true
  }

  private func noteClose() {
    state.withLock { $0.log.closesSeen += 1 }
  }

  private func readRequest(_ connection: Int32, _ pending: inout [UInt8]) -> Request? {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    func more() -> Bool {
      let count = recv(connection, &block, block.count, 0)
      guard count > 0 else { return false }
      pending += block[..<count]
      return true
    }
    var end = LoopbackServer.headEnd(pending)
    while end == nil {
      guard more() else { return nil }
      end = LoopbackServer.headEnd(pending)
    }
    let lines = String(decoding: pending[..<end!], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    var request = Request(
      method: String(words[0]), target: String(words[1]), headers: [:], body: [])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      request.headers[parts[0].lowercased(), default: ""] += String(value)
    }
    request.head = Array(pending[..<end!])
    let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
    while pending.count < end! + length {
      guard more() else { return nil }
    }
    request.body = Array(pending[end!..<end! + length])
    pending.removeFirst(end! + length)
    return request
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in 3..<bytes.count
    where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10
      && bytes[index - 3] == 13
    {
      return index + 1
    }
    return nil
  }
}

/// Holds server scripts back until a test lets them go on.
final class Gate: Sendable {
  private let state = Mutex(false)
  var isOpen: Bool { state.withLock { $0 } }
  func open() { state.withLock { $0 = true } }
}

extension LoopbackServer.Step {
  /// A whole response.
  static func response(
    _ status: Int = 200, _ headers: [String: String] = [:], body: [UInt8] = []
  ) -> Self {
    let fields = headers.map { "\($0): \($1)\r\n" }.joined()
    let hasBody = status != 204 && status != 304
    let length = hasBody ? "Content-Length: \(body.count)\r\n" : ""
    return .bytes(Array("HTTP/1.1 \(status) Said\r\n\(fields)\(length)\r\n".utf8) + body)
  }

  static func response(_ status: Int, _ headers: [String: String], _ text: String) -> Self {
    .response(status, headers, body: Array(text.utf8))
  }

  static func response(_ status: Int, _ text: String) -> Self {
    .response(status, [:], body: Array(text.utf8))
  }

  static func redirect(_ status: Int, to location: String) -> Self {
    .response(status, ["Location": location])
  }
}

/// Short enough for the log of a run.
extension LoopbackServer.Step: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .bytes(let bytes): "bytes(\(bytes.count))"
    case .flood(let count): "flood(\(count))"
    case .drip(let count, let interval): "drip(\(count), every: \(interval))"
    case .wait: "wait"
    case .hang: "hang"
    case .close: "close"
    case .reset: "reset"
    }
  }
}
