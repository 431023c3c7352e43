internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A proxy on 127.0.0.1 for tests: HTTP, with CONNECT and whole addresses, and SOCKS 5. Whatever host
/// it is asked for, it connects to one port of this machine.
///
/// One thread for each connection.
package final class LoopbackProxy: Sendable {
  /// What it does with a request that it understands, once the sign-in is right.
  package enum Manner: Sendable {
    case connects
    /// An HTTP proxy answers with this status; a SOCKS proxy with this code of RFC 1928 §6.
    case refuses(UInt16)
    /// Closes the connection without a word.
    case closes
    /// Says nothing more.
    case hangs
  }

  /// What it was asked for.
  package struct Visit: Sendable, Hashable {
    package var host: String
    package var port: UInt16
    /// `user:password`, where they were sent.
    package var credentials: String?
    /// CONNECT or SOCKS, rather than a request with a whole address.
    package var isTunnel: Bool
  }

  private struct State {
    var visits: [Visit] = []
    var manner: Manner
    var sockets: Set<Int32> = []
    var isOver = false
  }

  package let port: UInt16
  private let upstream: UInt16
  private let credentials: String?
  private let wake: Int32
  private let state: Mutex<State>

  /// Listens from here on, until the value is gone.
  ///
  /// - Parameters:
  ///   - upstream: where every request leads.
  ///   - credentials: `user:password`, asked for where they are given.
  /// - Throws: `POSIXError`.
  package init(
    to upstream: UInt16, credentials: String? = nil, _ manner: Manner = .connects
  ) throws {
    let listener = try LoopbackListener(port: 0)
    (port, wake) = (listener.port, listener.wake)
    (self.upstream, self.credentials) = (upstream, credentials)
    state = Mutex(State(manner: manner))
    signal(SIGPIPE, SIG_IGN)
    let thread = Thread { [weak self] in
      while let socket = listener.accept() {
        guard let self, self.keep(socket) else {
          close(socket)
          continue
        }
        Thread.detachNewThread { [weak self] in
          self?.serve(RawConnection(socket: socket, number: 0))
          self?.forget(socket)
          close(socket)
        }
      }
      listener.end()
    }
    thread.start()
  }

  deinit {
    close(wake)
    for socket in state.withLock({ $0.sockets }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  package var visits: [Visit] { state.withLock { $0.visits } }

  package var manner: Manner {
    get { state.withLock { $0.manner } }
    set { state.withLock { $0.manner = newValue } }
  }

  /// Its address for this scheme, with a user and a password or without.
  package func url(_ scheme: String = "http", as user: String? = nil) -> String {
    "\(scheme)://\(user.map { $0 + "@" } ?? "")127.0.0.1:\(port)"
  }

  private func keep(_ socket: Int32) -> Bool {
    state.withLock { state in
      if !state.isOver { state.sockets.insert(socket) }
      return !state.isOver
    }
  }

  private func forget(_ socket: Int32) { _ = state.withLock { $0.sockets.remove(socket) } }

  private func note(_ visit: Visit) -> Manner {
    state.withLock { state in
      state.visits.append(visit)
      return state.manner
    }
  }

  // MARK: One connection

  private func serve(_ connection: RawConnection) {
    var buffer: [UInt8] = []
    guard connection.receive(into: &buffer) else { return }
    if buffer[0] == 5 { return serveSOCKS(connection, &buffer) }
    while let end = headEnd(buffer) ?? (connection.receive(into: &buffer) ? -1 : nil) {
      guard end > 0 else { continue }
      let head = String(decoding: buffer[..<end], as: UTF8.self)
      buffer.removeFirst(end)
      guard serveHTTP(head, connection, &buffer) else { return }
    }
  }

  /// False where the connection is over.
  private func serveHTTP(
    _ head: String, _ connection: RawConnection, _ buffer: inout [UInt8]
  ) -> Bool {
    var lines = head.split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    guard words.count == 3 else { return false }
    let isTunnel = words[0] == "CONNECT"
    let bare = isTunnel ? words[1][...] : words[1].dropFirst("http://".count)
    let authority = bare.prefix { $0 != "/" && $0 != "?" }
    let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
    let basic = lines.first { $0.lowercased().hasPrefix("proxy-authorization: basic ") }
      .flatMap { Data(base64Encoded: String($0.dropFirst("proxy-authorization: basic ".count))) }
      .map { String(decoding: $0, as: UTF8.self) }
    let manner = note(
      Visit(
        host: String(authority[..<(colon ?? authority.endIndex)]),
        port: colon.flatMap { UInt16(authority[authority.index(after: $0)...]) } ?? 80,
        credentials: basic, isTunnel: isTunnel))
    if let credentials, basic != credentials {
      return answer(407, "Proxy-Authenticate: Basic realm=\"proxy\"\r\n", connection)
    }
    switch manner {
    case .closes: return false
    case .hangs: return hang(connection)
    case .refuses(let status): return answer(status, "", connection)
    case .connects: break
    }
    guard let server = connected() else { return answer(502, "", connection) }
    defer { close(server.socket) }
    if isTunnel {
      guard connection.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8)[...]) else { return false }
    } else {
      lines[0] = "\(words[0]) \(bare.dropFirst(authority.count)) HTTP/1.1"
      lines.removeAll { $0.lowercased().hasPrefix("proxy-") }
      let request = lines.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n"
      guard server.send(Array(request.utf8)[...]) else { return false }
    }
    relay(connection, buffer, server)
    return false
  }

  private func answer(_ status: UInt16, _ fields: String, _ connection: RawConnection) -> Bool {
    let text = "HTTP/1.1 \(status) Said\r\n\(fields)Content-Length: 0\r\n\r\n"
    return connection.send(Array(text.utf8)[...])
  }

  /// RFC 1928, with the sign-in of RFC 1929.
  private func serveSOCKS(_ connection: RawConnection, _ buffer: inout [UInt8]) {
    func take(_ count: Int) -> [UInt8]? {
      while buffer.count < count { guard connection.receive(into: &buffer) else { return nil } }
      defer { buffer.removeFirst(count) }
      return Array(buffer[..<count])
    }
    func say(_ bytes: [UInt8]) -> Bool { connection.send(bytes[...]) }
    func text() -> String? {
      take(1).flatMap { take(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let hello = take(2), take(Int(hello[1])) != nil else { return }
    var given: String?
    if credentials != nil {
      guard say([5, 2]), take(1) != nil, let user = text(), let password = text() else { return }
      given = "\(user):\(password)"
      guard say([1, given == credentials ? 0 : 1]), given == credentials else { return }
    } else {
      guard say([5, 0]) else { return }
    }
    guard let request = take(4) else { return }
    let host: String?
    switch request[3] {
    case 1: host = take(4).map { $0.map(String.init).joined(separator: ".") }
    case 3: host = text()
    default: host = take(16).map { $0.map { String($0, radix: 16) }.joined(separator: ":") }
    }
    guard let host, let end = take(2) else { return }
    let manner = note(
      Visit(
        host: host, port: UInt16(end[0]) << 8 | UInt16(end[1]), credentials: given,
        isTunnel: true))
    func reply(_ code: UInt8) -> Bool { say([5, code, 0, 1, 127, 0, 0, 1, 0, 0]) }
    switch manner {
    case .closes: return
    case .hangs: _ = hang(connection)
    case .refuses(let code): _ = reply(UInt8(truncatingIfNeeded: code))
    case .connects:
      guard let server = connected() else {
        _ = reply(5)
        return
      }
      defer { close(server.socket) }
      if reply(0) { relay(connection, buffer, server) }
    }
  }

  /// Until the client goes away.
  private func hang(_ connection: RawConnection) -> Bool {
    var rest: [UInt8] = []
    while connection.receive(into: &rest) { rest = [] }
    return false
  }

  private func connected() -> RawConnection? {
    #if canImport(Glibc)
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let made = socket(AF_INET, SOCK_STREAM, 0)
      _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = upstream.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(made, $0, size) == 0 }
    }
    guard isConnected else {
      close(made)
      return nil
    }
    return RawConnection(socket: made, number: 0)
  }

  /// Carries bytes both ways until one side has ended.
  private func relay(_ client: RawConnection, _ first: [UInt8], _ server: RawConnection) {
    guard keep(server.socket), first.isEmpty || server.send(first[...]) else { return }
    defer { forget(server.socket) }
    while true {
      var polled = [client.socket, server.socket].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, 2, -1) > 0 else { continue }
      for (place, ends) in [(client, server), (server, client)].enumerated()
      where polled[place].revents != 0 {
        var bytes: [UInt8] = []
        guard ends.0.receive(into: &bytes), ends.1.send(bytes[...]) else { return }
      }
    }
  }

  private func headEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { Array(bytes[($0 - 4)..<$0]) == [13, 10, 13, 10] }
  }
}
