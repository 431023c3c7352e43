internal import Foundation
internal import Synchronization

/// A line in a file for each attempt: when, what, the outcome, and where the time went. Off unless
/// somebody names a file.
///
/// The file is its owner's alone (0600). Queries, credentials, headers and bodies are left out; a file
/// of ten megabytes is set aside as `….1` when it is opened.
package final class HTTPLog: Sendable {
  private static let longest = 10 << 20

  private let descriptor: Int32
  private let lock = Mutex(())

  /// - Throws: `HTTPError` where the file cannot be written.
  package init(path: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_size > HTTPLog.longest { rename(path, path + ".1") }
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      if descriptor >= 0 { close(descriptor) }
      throw HTTPError(.other, "The log \(path) cannot be written.", detail: "errno \(errno)")
    }
  }

  deinit { close(descriptor) }

  package var middleware: HTTPMiddleware {
    HTTPMiddleware(
      observe: { [self] exchange in
        // An answer is told when its body is there.
        if case .failure(let error) = exchange.result { write(exchange.request, failed: error) }
      },
      finish: { [self] request, response in write(request, response) })
  }

  private func write(_ request: HTTPRequest, _ response: HTTPResponse) {
    let metrics = response.metrics
    func ms(_ time: Duration) -> Int64 { time.milliseconds }
    var words = ["\(response.head.status)", metrics.httpVersion]
    if response.head.redirectCount > 0 {
      words.append("hops=\(response.head.redirectCount) to=\(Self.shown(response.head.url))")
    }
    words.append(metrics.isConnectionReused ? "reused" : "dns=\(ms(metrics.dns))ms")
    if !metrics.isConnectionReused {
      words.append("connect=\(ms(metrics.connect))ms tls=\(ms(metrics.tls))ms")
    }
    words.append(
      "first=\(ms(metrics.firstByte))ms total=\(ms(metrics.total))ms "
        + "received=\(metrics.bytesReceived) body=\(response.body.count)")
    write(request, words.joined(separator: " "))
  }

  private func write(_ request: HTTPRequest, failed error: any Error) {
    guard let error = error as? HTTPError else { return write(request, "called off") }
    // curl's own words may hold the address.
    write(request, "failed: \(error.kind) \(error.host)")
  }

  private func write(_ request: HTTPRequest, _ outcome: String) {
    let id = request.headers["X-Request-ID"] ?? request.id ?? "-"
    let line =
      "\(ISO8601.string(from: Date())) \(request.method.rawValue) \(Self.shown(request.url)) "
      + "id=\(id) attempt=\(request.attempt) \(outcome)\n"
    // What a server or a feed wrote makes no lines of its own.
    let shown = String.UnicodeScalarView(
      line.unicodeScalars.dropLast().map { $0.steersTerminals ? "?" : $0 })
    let bytes = Array(String(shown).utf8) + [10]
    lock.withLock { _ in
      _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  private static func shown(_ url: String) -> String {
    (try? HTTPURL(url).redacted) ?? "(no address)"
  }
}
