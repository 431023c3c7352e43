internal import Foundation
internal import Synchronization
internal import Text

/// Log file with a line for each attempt: time, request, outcome and durations. Off unless the settings
/// name a file.
///
/// Only its owner may read the file (0600). It contains no queries, credentials, headers or bodies. At
/// ten megabytes it is renamed to `….1` when it is opened.
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
        if case .failure(let error) = exchange.result {
          write(exchange.request, failed: error, after: exchange.duration)
        }
      },
      finish: { [self] request, response in
        write(request, told(response.head, response.metrics, body: response.body.count))
      },
      finishStream: { [self] end in write(end) })
  }

  private func write(_ end: HTTPStreamEnd) {
    switch end.result {
    case .success(let metrics):
      write(end.request, told(end.head, metrics, body: end.bodyBytes) + " streamed")
    case .failure(let error):
      let kind = (error as? HTTPError).map { "failed: \($0.kind)" } ?? "called off"
      write(
        end.request,
        "\(end.head.status) HTTP/\(end.head.httpVersion) body=\(end.bodyBytes) streamed \(kind) "
          + "after=\(end.duration.milliseconds)ms")
    }
  }

  private func told(_ head: HTTPResponseHead, _ metrics: HTTPMetrics, body: Int) -> String {
    func ms(_ time: Duration) -> Int64 { time.milliseconds }
    var words = ["\(head.status)", metrics.httpVersion]
    if head.redirectCount > 0 {
      words.append("hops=\(head.redirectCount) to=\(Self.shown(head.url))")
    }
    words.append(metrics.isConnectionReused ? "reused" : "dns=\(ms(metrics.dns))ms")
    if !metrics.isConnectionReused {
      words.append("connect=\(ms(metrics.connect))ms tls=\(ms(metrics.tls))ms")
    }
    words.append(
      "first=\(ms(metrics.firstByte))ms total=\(ms(metrics.total))ms "
        + "received=\(metrics.bytesReceived) body=\(body)")
    return words.joined(separator: " ")
  }

  private func write(_ request: HTTPRequest, failed error: any Error, after time: Duration) {
    guard let error = error as? HTTPError else { return write(request, "called off") }
    // Where in the document it is; curl's own words may hold the address.
    let place = error.kind == .decoding ? error.detail.map { " at \($0)" } ?? "" : ""
    write(request, "failed: \(error.kind) \(error.host)\(place) after=\(time.milliseconds)ms")
  }

  private func write(_ request: HTTPRequest, _ outcome: String) {
    let id = request.id ?? "-"
    let line =
      "\(Timestamp.text(toMilliseconds: Date().timeIntervalSince1970)) \(request.method.rawValue) \(Self.shown(request.url)) "
      + "id=\(id) attempt=\(request.attempt) \(outcome)\n"
    // Text from a server cannot start a new line.
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
