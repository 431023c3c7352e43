internal import CCurl

/// Raw connection that curl has made: bytes are sent and received unchanged. Used on the curl thread only, and
/// not longer than the handle it belongs to.
final class CurlSocket {
  enum Writing {
    case waits
    /// The last bytes are out.
    case ended
    case failed(CURLcode)
  }

  enum Reading {
    case bytes(ArraySlice<UInt8>)
    case waits, ended
    case failed(CURLcode)
  }

  private static let readSize = 16 << 10

  private var functions: curl_functions
  private let easy: UnsafeMutableRawPointer
  private var outgoing: ArraySlice<UInt8>
  private var endsWhenSent = false
  /// Bytes that were read, and for which there was no room.
  private var untaken: ArraySlice<UInt8> = []

  init(_ functions: curl_functions, _ easy: UnsafeMutableRawPointer, sending bytes: [UInt8]) {
    self.functions = functions
    self.easy = easy
    outgoing = bytes[...]
  }

  /// Nothing more is sent after what was said to be the last.
  func enqueue(_ bytes: [UInt8], thenEnds: Bool) {
    guard !endsWhenSent else { return }
    outgoing += bytes
    endsWhenSent = thenEnds
  }

  func awaited(reads: Bool) -> curl_waitfd? {
    let socket = curl_info_socket(&functions, easy)
    guard socket != CURL_SOCKET_BAD else { return nil }
    let events = (reads ? CURL_WAIT_POLLIN : 0) | (outgoing.isEmpty ? 0 : CURL_WAIT_POLLOUT)
    return curl_waitfd(fd: socket, events: Int16(events), revents: 0)
  }

  func write() -> Writing {
    while !outgoing.isEmpty {
      var sent = 0
      let code = outgoing.withUnsafeBytes {
        functions.easy_send(easy, $0.baseAddress, $0.count, &sent)
      }
      if code == CURLE_AGAIN { return .waits }
      guard code == CURLE_OK else { return .failed(code) }
      outgoing = outgoing.dropFirst(sent)
    }
    return endsWhenSent ? .ended : .waits
  }

  /// Reads bytes. To be called until it returns `.waits`: bytes that TLS has decrypted already wake no wait.
  func read() -> Reading {
    if !untaken.isEmpty {
      defer { untaken = [] }
      return .bytes(untaken)
    }
    var received = 0
    var code = CURLE_OK
    let fresh = [UInt8](unsafeUninitializedCapacity: CurlSocket.readSize) { space, count in
      code = functions.easy_recv(easy, space.baseAddress, space.count, &received)
      count = code == CURLE_OK ? received : 0
    }
    return switch code {
    case CURLE_OK where received == 0: .ended
    case CURLE_OK: .bytes(fresh[...])
    case CURLE_AGAIN: .waits
    default: .failed(code)
    }
  }

  func putBack(_ bytes: ArraySlice<UInt8>) { untaken = bytes }
}
