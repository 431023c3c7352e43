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
    socket = makeStreamSocket()
    guard socket >= 0 else { throw systemError() }
    do {
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &address) { [socket] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 && listen(socket, 1024) == 0
            && getsockname(socket, $0, &length) == 0
        }
      }
      guard bound else { throw systemError() }
      self.port = UInt16(bigEndian: address.sin_port)
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
