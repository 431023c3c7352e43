import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Hands the bytes of a TLS connection on, and may keep the server's "close notify" to
/// itself: to the client the connection looks cut then.
final class TLSRelay: Sendable {
  let port: UInt16
  private let listener: Int32

  init(to target: Int, dropsNotice: Bool) throws {
    listener = Self.socketOnLoopback()
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [listener] address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 8) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        Self.relay(client, to: UInt16(target), dropsNotice: dropsNotice)
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func relay(_ client: Int32, to port: UInt16, dropsNotice: Bool) {
    let server = socketOnLoopback()
    var target = address(port)
    let isConnected = withUnsafePointer(to: &target) { target in
      target.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(client)
      return
    }
    Thread.detachNewThread {
      var block = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        let count = recv(client, &block, block.count, 0)
        guard count > 0, send(server, block, count, 0) == count else { break }
      }
      shutdown(server, Int32(SHUT_WR))
    }
    Thread.detachNewThread {
      var block = [UInt8](repeating: 0, count: 16 << 10)
      var held: [UInt8] = []
      relaying: while true {
        let count = recv(server, &block, block.count, 0)
        guard count > 0 else { break }
        held += block[..<count]
        // A record: its kind, five bytes of head in all, two of them the length.
        while held.count >= 5 {
          let length = 5 + Int(held[3]) << 8 + Int(held[4])
          guard held.count >= length else { break }
          // In TLS 1.2 an alert bears its kind. The server waits for an answer to it.
          if dropsNotice, held[0] == 21 { break relaying }
          _ = send(client, Array(held[..<length]), length, 0)
          held.removeFirst(length)
        }
      }
      shutdown(client, Int32(SHUT_WR))
      close(server)
      var rest: [UInt8] = [0]
      while recv(client, &rest, 1, 0) > 0 {}
      close(client)
    }
  }

  private static func socketOnLoopback() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }
}
