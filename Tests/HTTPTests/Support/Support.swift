import HTTP
import TestSupport
import Testing

extension HTTPRequest {
  /// A request without a limit that would end the connection before `eventually` gives up: what
  /// closes it is what the test is about. The test holds the client until then, for a transport that
  /// is let go closes its connections too.
  static func patient(_ url: String) -> HTTPRequest {
    HTTPRequest(url) {
      $0.limits.connect = .seconds(600)
      $0.limits.silence = .seconds(600)
    }
  }
}

/// What the server managed to send when nothing has moved for half a second.
func stalledCount(of server: LoopbackServer) async throws -> Int {
  var last = -1
  var since = ContinuousClock.now
  #expect(
    await eventually {
      let current = server.filledBytes
      if current != last || current == 0 { (last, since) = (current, .now) }
      return since.duration(to: .now) > .milliseconds(500)
    })
  return last
}

/// A client of its own, which takes no notice of the machine's proxies.
func makeClient(
  _ adjust: (inout CurlTransport.Configuration) -> Void = { _ in },
  client: HTTPClient.Configuration = HTTPClient.Configuration()
) -> HTTPClient {
  var configuration = CurlTransport.Configuration(proxy: ProxySettings.none)
  adjust(&configuration)
  return HTTPClient(transport: CurlTransport(configuration), configuration: client)
}

/// The kind of the `HTTPError` that `body` throws.
func kind(
  of body: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation
) async -> HTTPError.Kind? {
  do {
    _ = try await body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as HTTPError {
    return error.kind
  } catch {
    Issue.record("\(error) is not an HTTPError", sourceLocation: sourceLocation)
  }
  return nil
}

extension HTTPRequest {
  init(_ url: String, _ adjust: (inout HTTPRequest) -> Void) {
    self.init(.get, url)
    adjust(&self)
  }
}

/// Just enough of RFC 1951 and 1952 to send compressed bodies.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// One stored block.
  static func stored(_ text: String) -> [UInt8] { stored(bytes: Array(text.utf8)) }

  static func stored(bytes: [UInt8]) -> [UInt8] {
    let size = UInt16(bytes.count)
    return header + [1, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
      + bytes + littleEndian(crc32(bytes)) + littleEndian(UInt32(size))
  }

  /// The letter x, 258 times for each repeat, in 13 bits each. Has no checksum: nobody should get
  /// that far.
  static func bomb(repeats: Int) -> [UInt8] {
    var bytes = header
    var current: UInt8 = 0
    var used = 0
    func put(_ bits: [UInt8]) {
      for bit in bits {
        current |= bit << used
        used += 1
        if used == 8 {
          bytes.append(current)
          (current, used) = (0, 0)
        }
      }
    }
    put([1, 1, 0])
    put([1, 0, 1, 0, 1, 0, 0, 0])
    for _ in 0..<repeats { put([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
    return bytes
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
    }
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(number >> ($0 * 8) & 255) }
  }
}
