import FeedServer
import Foundation
import Synchronization

/// Serves a feed with files, and breaks the transfer of a file as a test says.
final class FileShelf: Sendable {
  /// How a file is sent.
  struct Manner: Sendable {
    /// Changes with the contents.
    var version = 1
    var hasRanges = true
    var hasLength = true
    /// The connection ends after so many bytes of each answer.
    var cutAfter: Int?
    /// The connection stays open without a byte after so many of each answer.
    var hangAfter: Int?
    var status = 200
    /// What is in the file instead.
    var text: String?
    /// The same, where it is no text.
    var bytes: [UInt8]?
    var headers: [String: String] = [:]
  }

  static let size = 2_000_000

  private struct State {
    var manners: [String: Manner] = [:]
    var items: [String] = []
  }

  private let state = Mutex(State())
  private let server: RawServer
  let port: UInt16

  /// - Parameter items: the elements inside of each item, the newest first; `$` stands for this server.
  init(_ items: [String]) throws {
    let box = Box()
    server = RawServer { request in box.shelf?.answer(to: request) ?? .reset }
    port = try server.start()
    state.withLock { $0.items = items }
    box.set(self)
  }

  /// The server answers in the name of the shelf, which is made after it.
  private final class Box: Sendable {
    private struct Reference: Sendable { weak var shelf: FileShelf? }
    private let reference = Mutex(Reference())
    var shelf: FileShelf? { reference.withLock { $0.shelf } }
    func set(_ shelf: FileShelf) { reference.withLock { $0.shelf = shelf } }
  }

  var origin: String { "http://127.0.0.1:\(port)" }
  var feed: String { origin + "/feed" }
  var requests: [WireRequest] { server.requests.filter { !$0.path.hasPrefix("/feed") } }
  /// The offsets that were asked for; nil for the whole.
  var offsets: [Int?] { requests.map(Self.offset) }

  func set(_ path: String, _ change: (inout Manner) -> Void) {
    state.withLock { change(&$0.manners[path, default: Manner()]) }
  }

  func add(_ item: String) { state.withLock { $0.items.insert(item, at: 0) } }

  func replaceLast(with item: String) {
    state.withLock { $0.items[$0.items.count - 1] = item }
  }

  func stop() async { await server.stop() }

  static func item(_ number: Int, title: String? = nil, files: String...) -> String {
    "<guid>item-\(number)</guid><title>\(title ?? "Episode \(number)")</title>"
      + "<pubDate>\(String(format: "Sun, 01 Mar 2026 12:%02d:00 GMT", number))</pubDate>"
      + files.map { "<enclosure url=\"\($0)\" type=\"audio/mpeg\" length=\"12\"/>" }.joined()
  }

  /// The contents of a version.
  static func contents(_ version: Int = 1) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 7 &+ version) >> 2) }
  }

  private static let known = [1: contents(1), 2: contents(2)]

  private static func offset(_ request: WireRequest) -> Int? {
    request.header("Range").flatMap { $0.split(separator: "=").last }
      .flatMap { Int($0.dropLast()) }
  }

  private func answer(to request: WireRequest) -> Script {
    let path = String(request.path)
    let manner = state.withLock { $0.manners[path, default: Manner()] }
    // Wherever it has moved to.
    guard !path.hasPrefix("/feed") || manner.status != 200 else {
      let items = state.withLock { $0.items }.map { "<item>\($0)</item>" }.joined()
      let text =
        "<rss version=\"2.0\"><channel><title>Casts</title>\(items)</channel></rss>"
        .replacing("$", with: origin)
      return .reply(
        WireReply(
          headers: [(name: "Content-Type", value: "application/rss+xml")], body: Array(text.utf8)))
    }
    let extra = manner.headers.map { "\($0): \($1)\r\n" }.joined()
    guard manner.status == 200 else {
      return .bytes(
        Array("HTTP/1.1 \(manner.status) No\r\n\(extra)Content-Length: 2\r\n\r\nno".utf8))
    }
    let whole =
      manner.bytes ?? manner.text.map { Array($0.utf8) } ?? Self.known[manner.version] ?? []
    let tag = "\"v\(manner.version)\""
    let isSame = request.header("If-Range") == tag
    let start = manner.hasRanges && isSame ? Self.offset(request) ?? 0 : 0
    let body = whole[start...]
    var head = start > 0 ? "HTTP/1.1 206 Part\r\n" : "HTTP/1.1 200 OK\r\n"
    if start > 0 { head += "Content-Range: bytes \(start)-\(whole.count - 1)/\(whole.count)\r\n" }
    if manner.hasLength { head += "Content-Length: \(body.count)\r\n" }
    head += "ETag: \(tag)\r\n\(extra)\r\n"
    let sent = [manner.cutAfter, manner.hangAfter].compactMap { $0 }.min()
    var steps: [Script.Step] = [.send(Array(head.utf8) + body.prefix(sent ?? body.count))]
    if manner.hangAfter != nil, body.count > sent ?? 0 { steps.append(.hang) }
    if manner.cutAfter != nil || !manner.hasLength { steps.append(.close) }
    return Script(steps)
  }
}

extension Sandbox {
  /// The files in the folder of downloads.
  var downloads: [String] {
    let folder = folder + "/Downloads/Telex"
    return ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func download(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder + "/Downloads/Telex/" + name).map { Array($0) }
  }

  /// The numbers of the articles by their titles.
  func numbers() async throws -> [String: String] {
    try await articles().reduce(into: [:]) { numbers, row in
      if let title = row["title"] as? String, let id = row["id"] as? Int {
        numbers[title] = "\(id)"
      }
    }
  }

  func transfers(_ arguments: String...) async throws -> [[String: Any]] {
    try await telex(["transfers", "--json"] + arguments).jsonLines()
  }

  private var helperLock: String { folder + "/.local/share/telex/transfers/helper.lock" }

  /// The process that downloads for this home; nil where none does.
  var helper: pid_t? {
    contents(of: ".local/share/telex/transfers/helper.lock")
      .flatMap { pid_t($0.prefix { $0.isNumber }) }.flatMap { kill($0, 0) == 0 ? $0 : nil }
  }

  /// Ends the process that downloads, as an accident would.
  func killHelper() { if let helper { kill(helper, SIGKILL) } }
}
