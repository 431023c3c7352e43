internal import CCurl
internal import Foundation
internal import Synchronization

/// Asks the system for the addresses of a host, as libcurl does when it connects.
package enum NameLookup {
  /// The addresses in the order in which the system wants them tried, each once.
  ///
  /// - Parameter limit: how long it is waited for. The system cannot be interrupted: its thread ends
  ///   when it has an answer.
  /// - Throws: `HTTPError` of kind `dns`, or `timeout(.connect)`; `CancellationError` at once.
  package static func addresses(of host: String, limit: Duration) async throws -> [IPAddress] {
    let answer = Answer()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        let thread = Thread { answer.finish(Result { try find(host) }) }
        thread.stackSize = 512 << 10
        thread.start()
        let wait = DispatchTimeInterval.milliseconds(Int(limit.milliseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) {
          answer.finish(
            .failure(
              HTTPError(
                .timeout(.connect), "The name \(host) was not found in time.", host: host)))
        }
      }
    } onCancel: {
      answer.finish(.failure(CancellationError()))
    }
  }

  /// The first of several results, whether somebody waits for it yet or not.
  private final class Answer: Sendable {
    private struct State {
      var result: Result<[IPAddress], any Error>?
      var waiter: CheckedContinuation<[IPAddress], any Error>?
    }

    private let state = Mutex(State())

    func wait(_ continuation: CheckedContinuation<[IPAddress], any Error>) {
      state.withLock { state in
        if let result = state.result { return continuation.resume(with: result) }
        state.waiter = continuation
      }
    }

    func finish(_ result: Result<[IPAddress], any Error>) {
      state.withLock { state in
        guard state.result == nil else { return }
        state.result = result
        state.waiter.take()?.resume(with: result)
      }
    }
  }

  /// Blocks.
  private static func find(_ host: String) throws -> [IPAddress] {
    var hints = addrinfo()
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard code == 0 else {
      throw HTTPError(
        .dns, "The name \(host) could not be found.", host: host,
        detail: String(cString: gai_strerror(code)))
    }
    var addresses: [IPAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      if let address = entry.ai_addr.flatMap(address), !addresses.contains(address) {
        addresses.append(address)
      }
    }
    return addresses
  }

  private static func address(_ socket: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
    let raw = UnsafeRawPointer(socket)
    switch Int32(socket.pointee.sa_family) {
    case AF_INET:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) {
        IPAddress(bytes: Array($0))
      }
    case AF_INET6:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
        IPAddress(bytes: Array($0))
      }
    default: return nil
    }
  }
}
