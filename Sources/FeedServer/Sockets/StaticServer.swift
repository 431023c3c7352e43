internal import Foundation
internal import Text

/// Serves the files of a directory out of memory, with validators: the feeds of a benchmark.
///
/// All files are read when it is made; later changes on disk are not seen. Paths are the files'
/// names relative to the directory; nothing outside it can be reached.
package final class StaticServer: Sendable {
  private let server: RawServer
  /// The paths it answers, sorted.
  package let paths: [String]

  /// - Parameter delay: before each answer, as if the server were far away.
  /// - Throws: when the directory or a file in it cannot be read.
  package init(directory: String, port: UInt16 = 0, delay: Duration = .zero) throws {
    var files: [String: CachedFile] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory).sorted() {
      let path = directory + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      let changed = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
      let encoded = name.split(separator: "/").map { percentEncoded($0) }
      files["/" + encoded.joined(separator: "/")] = CachedFile(bytes, name: name, changed: changed)
    }
    paths = files.keys.sorted()
    server = RawServer(port: port, records: false) { [files] request in
      var script = Script.reply(
        WireReply(status: 404, type: "text/plain", text: "No such file.\n"))
      if let file = files[String(request.path)] { script = .bytes(file.answer(to: request)) }
      if delay > .zero { script.steps.insert(.pause(delay), at: 0) }
      return script
    }
  }

  /// See `RawServer.start()`.
  @discardableResult
  package func start() throws -> UInt16 { try server.start() }

  /// See `RawServer.stop()`.
  package func stop() async { await server.stop() }

  /// `http://127.0.0.1:PORT`, without a slash at the end.
  package var baseURL: String { "http://127.0.0.1:\(server.port)" }

  package var madeConnections: Int { server.madeConnections }
}

/// A file's three possible answers, written once.
private struct CachedFile: Sendable {
  private let etag: String
  private let lastModified: String
  private let whole: [UInt8]
  private let head: [UInt8]
  private let notModified: [UInt8]

  init(_ bytes: [UInt8], name: String, changed: Date) {
    var reply = WireReply(headers: [("Content-Type", mediaType(of: name))], body: bytes)
    reply.addValidators(lastModified: changed)
    etag = reply[header: "ETag"] ?? ""
    lastModified = reply[header: "Last-Modified"] ?? ""
    whole = reply.bytes()
    head = reply.bytes(for: "HEAD")
    reply.status = 304
    notModified = reply.bytes()
  }

  func answer(to request: WireRequest) -> [UInt8] {
    if isUnchanged(for: request, etag: etag, lastModified: lastModified) { return notModified }
    return request.method == "HEAD" ? head : whole
  }
}

/// By the ending of a file's name.
func mediaType(of name: String) -> String {
  switch name.split(separator: ".").last.map({ $0.lowercased() }) {
  case "xml", "rss": "application/rss+xml; charset=utf-8"
  case "atom": "application/atom+xml; charset=utf-8"
  case "rdf": "application/rdf+xml; charset=utf-8"
  case "json": "application/json; charset=utf-8"
  case "html": "text/html; charset=utf-8"
  case "txt": "text/plain; charset=utf-8"
  case "png": "image/png"
  case "jpg", "jpeg": "image/jpeg"
  case "svg": "image/svg+xml"
  case "wav": "audio/wav"
  case "opml": "text/x-opml; charset=utf-8"
  default: "application/octet-stream"
  }
}
