import FeedServer
import Foundation
import Testing

/// The servers that a transcript changes things at: a Feed API (`$API`), a Google Reader server (`$SYNC`) and a
/// Miniflux (`$MINIFLUX`), each with the user ada.
struct ContractServers {
  private let api: FeedServer
  private let sync = GoogleReaderServer(.freshRSS)
  private let miniflux = SyncServer(.miniflux(.current))

  init() throws {
    api = try FeedServer(archive: newspaper(3))
    api.addUser("ada", password: "secret")
    sync.addUser("ada", password: "secret", library: Self.library)
    miniflux.addUser("ada", password: "secret", library: Self.library)
  }

  private static let library: GoogleReaderModel = {
    var library = GoogleReaderModel()
    let feed = library.subscribe(
      to: "https://a.example/feed", title: "News", page: "https://a.example/", folders: ["Work"])
    library.insert(
      (1...3).map { number in
        GoogleReaderModel.Item(
          id: 1_700_000_000_000_000 + number, feed: feed.stream, title: "Item \(number)",
          url: "https://a.example/\(number)", html: "<p>Text of item \(number)</p>",
          published: 1_700_000_000 + number * 60, crawled: 1_700_000_000_000_000 + number)
      })
    return library
  }()

  /// Starts those that a transcript names, and runs the body with the addresses by the names of the variables.
  func whileServing(
    _ transcript: Transcript, _ body: ([String: String]) async throws -> Void
  ) async throws {
    func isNamed(_ name: String) -> Bool {
      transcript.steps.contains { $0.command.contains("$" + name) }
    }
    var addresses: [String: String] = [:]
    if isNamed("API") { addresses["API"] = try api.start() }
    if isNamed("SYNC") { addresses["SYNC"] = try sync.start() }
    if isNamed("MINIFLUX") {
      try miniflux.start()
      addresses["MINIFLUX"] = miniflux.siteURL
    }
    do { try await body(addresses) } catch { Issue.record(error) }
    await api.stop()
    await sync.stop()
    await miniflux.stop()
  }

  /// Answers requests to some paths with a status from here on, as in `! 403 edit-tag`; all is well again after `! 200`.
  func fail(_ line: String) throws {
    let words = line.split(separator: " ")
    let status = try #require(words.dropFirst().first.flatMap { Int($0) })
    api.clearFaults()
    sync.clearFaults()
    guard status != 200 else { return }
    for path in words.dropFirst(2).map(String.init) {
      api.inject(.status(status), on: path, times: nil)
      sync.inject(.wire(.status(status)), on: path, times: nil)
    }
  }
}
