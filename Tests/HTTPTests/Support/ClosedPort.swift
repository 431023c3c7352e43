import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A port of 127.0.0.1 that refuses connections. It is held meanwhile, so that no server of another
/// test is given it.
final class ClosedPort {
  let number: UInt16
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Bound, but not listening.
    let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  var url: String { "http://127.0.0.1:\(number)/" }
}
