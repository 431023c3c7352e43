internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One client of a `RawServer`, on the one thread that reads and writes its socket.
package struct RawConnection {
  /// A head longer than this, or a body, ends the connection.
  private static let headLimit = 64 << 10
  private static let bodyLimit = 64 << 20

  let socket: Int32
  let number: Int
  var opening = RawServer.Opening.request
  var counts = RawServer.Counts()

  /// Answers request after request until either side has had enough.
  ///
  /// - Returns: whether the connection is to end with a reset.
  func serve(_ respond: (WireRequest) -> Script, whenAnswered: () -> Void) -> Bool {
    var buffer: [UInt8] = []
    switch opening {
    case .request: break
    case .greeting(let bytes): guard send(bytes[...]) else { return false }
    case .silence:
      while receive(into: &buffer) { buffer = [] }
      return false
    case .dropping:
      _ = receive(into: &buffer)
      return false
    }
    while let request = nextRequest(&buffer) {
      for step in respond(request).steps {
        switch step {
        case .send(let bytes): guard send(bytes[...]) else { return false }
        case .stream(let next, let limit):
          guard stream(next, cutAfter: limit) else { return false }
        case .fill(let byte, let count): guard fill(byte, count) else { return false }
        case .drip(let bytes, let size, let interval):
          var rest = bytes[...]
          while !rest.isEmpty {
            guard send(rest.prefix(max(1, size))), pause(interval) else { return false }
            rest = rest.dropFirst(max(1, size))
          }
        case .pause(let duration): guard pause(duration) else { return false }
        case .wait(let isOver): while !isOver() { guard !isLeft() else { return false } }
        case .hang:
          while receive(into: &buffer) { buffer = [] }
          return false
        case .handOver(let hold):
          hold(self, buffer)
          return false
        case .close: return false
        case .reset: return true
        }
      }
      guard request.keepsAlive else { return false }
      whenAnswered()
    }
    return false
  }

  func end(reset: Bool) {
    if reset {
      // A close that does not linger throws away what is unsent and sends a reset.
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    close(socket)
  }

  /// - Parameter buffer: what came after the request before.
  private func nextRequest(_ buffer: inout [UInt8]) -> WireRequest? {
    var end = endOfHead(in: buffer)
    while end == nil {
      guard buffer.count < Self.headLimit, receive(into: &buffer) else { return nil }
      // TLS, for which there is no server here; others that have none say so as well.
      if buffer.first == 0x16 {
        _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)[...])
        return nil
      }
      end = endOfHead(in: buffer)
    }
    guard let end else { return nil }
    let head = String(decoding: buffer[..<end], as: UTF8.self)
    // A CR LF is one Character, so that lines split where the wire splits them.
    let lines = head.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(value))
    }
    func header(_ name: String) -> String? {
      headers.first { $0.name.isASCIIEqualIgnoringCase(to: name) }?.value
    }
    let length = header("Content-Length").flatMap { Int($0) } ?? 0
    guard (0...Self.bodyLimit).contains(length), header("Transfer-Encoding") == nil else {
      return nil
    }
    if header("Expect") != nil {
      guard send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]) else { return nil }
    }
    while buffer.count < end + length { guard receive(into: &buffer) else { return nil } }
    let body = Array(buffer[end..<end + length])
    let bytes = Array(buffer[..<end])
    buffer.removeFirst(end + length)
    return WireRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body,
      head: bytes, arrived: .now, connection: number)
  }

  private func endOfHead(in buffer: [UInt8]) -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (4...buffer.count).first {
      buffer[$0 - 1] == 10 && buffer[$0 - 2] == 13 && buffer[$0 - 3] == 10 && buffer[$0 - 4] == 13
    }
  }

  /// False at the end of what the client sends.
  func receive(into buffer: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { space in
      while true {
        let count = recv(socket, space.baseAddress, space.count, 0)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return noteLeaving() }
        buffer.append(contentsOf: space[..<count])
        return true
      }
    }
  }

  /// False once the client is gone.
  func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        #if canImport(Glibc)
          let flags = Int32(MSG_NOSIGNAL)
        #else
          let flags: Int32 = 0
        #endif
        #if canImport(Glibc)
          let count = Glibc.send(socket, bytes.baseAddress! + sent, bytes.count - sent, flags)
        #else
          let count = Darwin.send(socket, bytes.baseAddress! + sent, bytes.count - sent, flags)
        #endif
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return noteLeaving() }
        sent += count
      }
      return true
    }
  }

  private func stream(_ next: (Int) -> [UInt8]?, cutAfter limit: Int?) -> Bool {
    var left = limit ?? .max
    var number = 0
    while let piece = next(number) {
      let chunk = piece.prefix(left)
      let size = Array((String(chunk.count, radix: 16) + "\r\n").utf8)
      guard chunk.isEmpty || send((size + chunk + [13, 10])[...]) else { return false }
      left -= chunk.count
      guard left > 0 else { return false }
      number += 1
    }
    return send(Array("0\r\n\r\n".utf8)[...])
  }

  private func fill(_ byte: UInt8, _ count: Int) -> Bool {
    let block = [UInt8](repeating: byte, count: min(count, 64 << 10))
    var rest = count
    while rest > 0 {
      let piece = block.prefix(rest)
      guard send(piece) else { return false }
      counts.filledBytes.add(piece.count, ordering: .relaxed)
      rest -= piece.count
    }
    return true
  }

  /// The client has closed its side, or the connection is broken.
  ///
  /// - Returns: false.
  private func noteLeaving() -> Bool {
    counts.leavings.add(1, ordering: .relaxed)
    return false
  }

  /// Whether the client has closed its side; looks for two milliseconds.
  private func isLeft() -> Bool {
    var polled = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
    guard poll(&polled, 1, 2) > 0 else { return false }
    var byte: UInt8 = 0
    guard recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0 else {
      // It has sent more, and cannot be seen leaving behind that.
      usleep(2_000)
      return false
    }
    return !noteLeaving()
  }

  enum Occasion {
    /// The client has sent something, or is gone.
    case readable
    case woken
    case tooLate
  }

  /// - Parameter pipe: becomes readable when there is something else to do.
  func wait(until end: ContinuousClock.Instant, orWoken pipe: Int32) -> Occasion {
    while true {
      var polled = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&polled, 2, milliseconds(until: end))
      if ready > 0 { return polled[0].revents != 0 ? .readable : .woken }
      if end <= .now { return .tooLate }
    }
  }

  private func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
    let left = (end - .now).components
    return Int32(
      clamping: max(1, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000))
  }

  /// False if the connection ends meanwhile: the server stops, or the client resets it.
  private func pause(_ duration: Duration) -> Bool {
    let end = ContinuousClock.now + duration
    while true {
      guard end > .now else { return true }
      // No events asked for: only an error or the end of both directions wakes it.
      var polled = pollfd(fd: socket, events: 0, revents: 0)
      guard poll(&polled, 1, milliseconds(until: end)) <= 0 else { return noteLeaving() }
    }
  }
}
