internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A listening socket on 127.0.0.1 and the pipe that ends its waiting.
///
/// No descriptor survives an `exec`: a program that a test starts would otherwise keep the port
/// open after the server has stopped.
struct LoopbackListener: Sendable {
  let port: UInt16
  /// Closing it makes `accept()` return nil.
  let wake: Int32
  private let socket: Int32
  private let woken: Int32

  /// - Throws: `POSIXError`.
  init(port: UInt16) throws {
    (socket, self.port) = try boundSocket(port: port)
    do {
      guard listen(socket, 1024) == 0 else { throw systemError() }
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw systemError() }
      (woken, wake) = (ends[0], ends[1])
      _ = fcntl(woken, F_SETFD, FD_CLOEXEC)
      _ = fcntl(wake, F_SETFD, FD_CLOEXEC)
    } catch {
      close(socket)
      throw error
    }
  }

  /// The next connection; nil once `wake` is closed.
  func accept() -> Int32? {
    while true {
      var polled = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: woken, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[1].revents != 0 { return nil }
      let connection = acceptStream(socket)
      guard connection >= 0 else { continue }
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
      #if !canImport(Glibc)
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
      #endif
      return connection
    }
  }

  /// Stops listening: from now on clients are refused.
  func end() {
    close(socket)
    close(woken)
  }
}

/// A port of 127.0.0.1 that the system gives to nobody else. Clients are refused there while no
/// listener has it.
final class ReservedPort: Sendable {
  let number: UInt16
  private let socket: Int32

  /// - Parameter number: 0 takes a free one.
  /// - Throws: `POSIXError`.
  init(_ number: UInt16) throws { (socket, self.number) = try boundSocket(port: number) }

  deinit { close(socket) }
}

/// Runs the body with a port of 127.0.0.1 where clients are refused.
///
/// - Throws: `POSIXError`.
package nonisolated(nonsending) func withRefusedPort<Value>(
  _ body: nonisolated(nonsending) (_ port: UInt16) async throws -> Value
) async throws -> Value {
  let reserved = try ReservedPort(0)
  defer { withExtendedLifetime(reserved) {} }
  return try await body(reserved.number)
}

/// - Throws: `POSIXError`.
private func boundSocket(port: UInt16) throws -> (socket: Int32, port: UInt16) {
  let socket = makeStreamSocket()
  guard socket >= 0 else { throw systemError() }
  // With this a server can listen on a port that is only reserved.
  var yes: Int32 = 1
  let size = socklen_t(MemoryLayout<Int32>.size)
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size)
  #if !canImport(Glibc)
    setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &yes, size)
  #endif
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
    }
  }
  guard isBound else {
    let error = systemError()
    close(socket)
    throw error
  }
  return (socket, UInt16(bigEndian: address.sin_port))
}

private func makeStreamSocket() -> Int32 {
  #if canImport(Glibc)
    return socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  #else
    let made = socket(AF_INET, SOCK_STREAM, 0)
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    return made
  #endif
}

private func acceptStream(_ listener: Int32) -> Int32 {
  let made = accept(listener, nil, nil)
  _ = fcntl(made, F_SETFD, FD_CLOEXEC)
  return made
}

private func systemError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
