// telex-demo-server: the reference server of the Feed API with its demo content, to read from by
// hand. `make run` starts it beside the reader.

internal import ArgumentParser
internal import FeedServer
internal import Foundation

@main
struct DemoServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "telex-demo-server",
    abstract: "Serves demo articles on 127.0.0.1 as a Feed API, RSS, Atom, RDF and JSON Feed.",
    discussion: """
      It ends on Ctrl-C and SIGTERM, and with --with-parent when its standard input closes.
      Any request can ask for trouble: add ?fault=delay:500, status:503:30, cut:1000, drip:20:100,
      reset, hang, garbage, type:text/plain, oversized:40000000, repeat-cursor, bad-line:3,
      insert:3 or mute.
      """)

  @Option(help: "The port; 0 takes a free one.")
  var port: UInt16 = 0

  @Option(help: ArgumentHelp("The demo's articles.json and media.", valueName: "dir"))
  var fixtures = "Fixtures/demo"

  @Option(
    help: ArgumentHelp(
      "Serve the Google Reader API instead, as freshrss, miniflux or plain; name and password are demo.",
      valueName: "product"))
  var googleReader: String?

  @Option(
    help: ArgumentHelp(
      "Serve a protocol of sync servers instead, as miniflux, nextcloud-news, feedbin, newsblur, tt-rss or fever; name and password are demo.",
      valueName: "protocol"))
  var syncServer: String?

  @Option(help: "How many articles there are at the start.")
  var articles = 300
  @Option(help: "How many feeds a sync server has; one for each section, where it is left out.")
  var feeds: Int?

  @Option(
    help: ArgumentHelp(
      "How many of the newest articles a sync server has unread; half of them, where it is left out.",
      valueName: "count"))
  var unread: Int?

  @Option(help: ArgumentHelp("Add a new article every so many seconds.", valueName: "seconds"))
  var insertEvery: Double?

  @Flag(help: "Ask for a sign-in: name and password are demo.")
  var signIn = false

  @Option(
    help: ArgumentHelp(
      "Write the base URL to this file once the server listens.", valueName: "path"))
  var readyFile: String?

  @Option(
    name: .customLong("static"),
    help: ArgumentHelp("Serve the files of this directory instead.", valueName: "dir"))
  var staticDirectory: String?

  @Option(
    help: ArgumentHelp(
      "With --static: wait so long before each answer.", valueName: "milliseconds"))
  var delay = 0

  @Flag(help: "End when standard input closes.")
  var withParent = false

  func validate() throws {
    guard articles >= 0 else { throw ValidationError("--articles must not be negative.") }
    if let feeds, feeds <= 0 { throw ValidationError("--feeds must be more than 0.") }
    guard unread ?? 0 >= 0 else { throw ValidationError("--unread must not be negative.") }
    guard delay >= 0 else { throw ValidationError("--delay must not be negative.") }
    if let googleReader, Self.quirks[googleReader] == nil {
      throw ValidationError("--google-reader takes freshrss, miniflux or plain.")
    }
    if let syncServer, Self.dialects[syncServer] == nil {
      throw ValidationError(
        "--sync-server takes miniflux, nextcloud-news, feedbin, newsblur, tt-rss or fever.")
    }
    if let insertEvery, insertEvery <= 0 {
      throw ValidationError("--insert-every must be more than 0.")
    }
  }

  private static let quirks: [String: GoogleReaderQuirks] = [
    "freshrss": .freshRSS, "miniflux": .miniflux, "plain": .plain,
  ]

  private static let dialects: [String: SyncServer.Dialect] = [
    "feedbin": .feedbin(FeedbinQuirks()), "fever": .fever(.plain), "miniflux": .miniflux(.current),
    "nextcloud-news": .nextcloudNews(NextcloudNewsQuirks()),
    "newsblur": .newsBlur(NewsBlurQuirks()), "tt-rss": .tinyTinyRSS(.current),
  ]

  func run() async throws {
    // Before the port is announced, so that a signal right after it still ends in order.
    let endings = Endings(standardInput: withParent)
    if let staticDirectory {
      let server = try StaticServer(
        directory: staticDirectory, port: port, delay: .milliseconds(delay))
      try server.start()
      try announce(server.baseURL, also: ["\(server.paths.count) files"])
      await endings.first()
      await server.stop()
      try FileHandle.standardOutput.write(
        contentsOf: Data("\(server.madeConnections) connections\n".utf8))
    } else if let quirks = googleReader.flatMap({ Self.quirks[$0] }) {
      let archive = try Archive(directory: fixtures, now: Date(), count: articles)
      let server = GoogleReaderServer(quirks, port: port)
      server.addUser(
        "demo", password: "demo", library: GoogleReaderModel(archive, unread: unread, feeds: feeds))
      try server.start()
      try announce(server.siteURL, also: [server.apiURL])
      await endings.first()
      await server.stop()
    } else if let dialect = syncServer.flatMap({ Self.dialects[$0] }) {
      let archive = try Archive(directory: fixtures, now: Date(), count: articles)
      let server = SyncServer(dialect, port: port)
      server.addUser(
        "demo", password: "demo", library: GoogleReaderModel(archive, unread: unread, feeds: feeds))
      try server.start()
      try announce(server.siteURL, also: [])
      await endings.first()
      await server.stop()
    } else {
      let archive = try Archive(directory: fixtures, now: Date(), count: articles)
      let server = try FeedServer(
        archive: archive, port: port, mediaDirectory: fixtures + "/media")
      if signIn { server.addUser("demo", password: "demo") }
      try server.start()
      try announce(server.baseURL, also: addresses(of: server))
      await withTaskGroup { group in
        if let insertEvery {
          group.addTask {
            while (try? await Task.sleep(for: .seconds(insertEvery))) != nil {
              server.insertFresh(1)
            }
          }
        }
        await endings.first()
        group.cancelAll()
      }
      await server.stop()
    }
  }

  private func addresses(of server: FeedServer) -> [String] {
    ["/api", "/api/live", "/rss.xml", "/atom.xml", "/rdf.xml", "/feed.json"].map {
      server.baseURL + $0
    }
      + server.archive.sections.map { "\(server.baseURL)/\($0.slug)/rss.xml" }
  }

  private func announce(_ baseURL: String, also lines: [String]) throws {
    let text = ([baseURL] + lines).joined(separator: "\n") + "\n"
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    if let readyFile {
      // Atomically: whoever waits for the file never reads half an address.
      try Data((baseURL + "\n").utf8).write(
        to: URL(fileURLWithPath: readyFile), options: .atomic)
    }
  }
}
