internal import Foundation
internal import HTTP
package import News
internal import Repository
internal import Secrets
internal import Services
internal import Store
internal import TOMLKit
internal import Text

/// The settings of `config.toml`, with their defaults.
package struct Settings: Sendable {
  /// The path of the rules for the articles of single sites (`SiteRules`); nil where there are none.
  var sitesFile: String?
  var refresh = RefreshSettings()
  var limits = HTTPLimits()
  var gate = OriginGate.Settings()
  var caFile: String?
  var proxy: String?
  var pins = PublicKeyPins()
  /// By origin.
  var accounts: [String: ConfiguredAccount] = [:]
  var usesKeyring = true
  /// What is kept; all of it, where nothing is set.
  var retention = Retention()
  /// How many actions the journal keeps; 0 for what undo and redo need next.
  var journalLimit = StoreEdit.journalLimit
  /// Whether what several feeds tell is one row of lists.
  var joinsStories = true
  var downloads = DownloadSettings()
  /// The protocol of live connections; nil to open none.
  var live: LiveClient.Wire? = .eventStream
  var minTLS = TLSVersion.v12
  /// By origin.
  var clientCertificates: [String: ClientCertificate] = [:]
  /// The settings of the front end.
  package var screen = ScreenSettings()
  package var pictures = PictureSettings()
  /// Of single hosts.
  var hostProxies: [String: ProxyChoice] = [:]
  /// The path of the log of requests; nil for none.
  var logFile: String?
  /// In the order of the file.
  package internal(set) var fileMistakes: [FileMistake] = []

  /// The defaults.
  package init() {}

  /// The proxies of single hosts, else `proxy`, else those of the environment.
  var proxies: ProxySettings {
    var settings = ProxySettings(
      environment: Environment.values(of: ProxySettings.variables))
    // The exceptions of the environment stay valid. An empty `proxy` turns its proxies off.
    if let proxy {
      let proxy = proxy.isEmpty ? nil : proxy
      (settings.http, settings.https, settings.mistakes) = (proxy, proxy, [])
    }
    settings.hosts = hostProxies
    return settings
  }

  /// Lets feeds without an interval of their own be due at any time where nothing is fetched by itself
  /// (`refresh.interval_minutes = 0`): for a refresh that somebody has asked for.
  package mutating func allowDueFeeds() { refresh.interval = refresh.interval ?? .zero }

  /// The proxies of the file, with the passwords in it.
  var writtenProxies: [String] {
    hostProxies.values.reduce(into: [proxy].compactMap(\.self)) { proxies, choice in
      if case .via(let proxy) = choice { proxies.append(proxy) }
    }
  }

  /// Errors in the proxies of the environment, with the variable in front.
  package var mistakes: [String] { proxies.mistakes.map { "\($0.variable): \($0.message)" } }

  /// The settings of a file that the user names, which must exist; nil for that of `TELEX_CONFIG`, which must too, else
  /// for the default, which need not. What is
  /// mistaken keeps its default, and is in `fileMistakes`.
  ///
  /// - Throws: `SourceError` of stage `.config`, with line and column, for what is no TOML, and for a mistake in what
  ///   must not be left to a default.
  package static func load(named path: String?) throws -> Settings {
    let settings = try readingAll(of: path)
    if var error = settings.fileMistakes.first(where: \.stops)?.error {
      let others = settings.fileMistakes.count - 1
      if others > 0 { error.next = "\(error.next ?? "") (and \(others) more: telex config check)" }
      throw error
    }
    return settings
  }

  /// The same with every mistake in `fileMistakes`, also those that nothing may be done with.
  ///
  /// - Throws: `SourceError` of stage `.config` for a file that cannot be read, or is no TOML.
  package static func readingAll(of path: String?) throws -> Settings {
    let found = try read(path ?? Folders.config)
    if let named = path ?? Folders.namedConfig, found == nil {
      throw SourceError(
        .file, stage: .config, subject: named, message: "there is no such file",
        next: "check the path given with \(path == nil ? Folders.configVariable : "--config")")
    }
    var settings = found ?? Settings()
    settings.sitesFile = sitesFile(beside: path)
    return settings
  }

  /// The rules for the pages of single sites, which need not exist.
  ///
  /// - Parameter path: of the settings; nil for the default.
  static func sitesFile(beside path: String?) -> String {
    URL(filePath: path ?? Folders.config).deletingLastPathComponent()
      .appending(path: "sites.toml").path(percentEncoded: false)
  }

  /// The settings of a file; nil where there is none.
  ///
  /// - Throws: `SourceError` of stage `.config`, with line and column.
  private static func read(_ path: String) throws -> Settings? {
    let data: Data?
    do { data = try StoredFile.contents(of: path, purpose: "the file of settings") } catch {
      throw SourceError(
        .file, stage: .config, subject: path, message: error.message,
        next: "check its permissions and those of its folder")
    }
    guard let data else { return nil }
    return try parse(String(decoding: data, as: UTF8.self), subject: path)
  }

  /// The values of a text of TOML.
  ///
  /// - Throws: `SourceError` of stage `.config`, with line and column.
  static func table(of text: String, subject: String) throws -> TOMLTable {
    do { return try TOMLTable(string: text) } catch let error as TOMLParseError {
      let place = error.source.begin
      throw SourceError(
        .decoding, stage: .config, subject: "\(subject):\(place.line):\(place.column)",
        message: error.description.split(separator: "\n").first.map(String.init) ?? "not TOML",
        next: "mend the line")
    }
  }

  /// - Parameter look: gets the keys that there are.
  static func parse(
    _ text: String, subject: String, look: (([String: TableReader.Key]) -> Void)? = nil
  ) throws -> Settings {
    let table = try table(of: text, subject: subject)
    var settings = Settings()
    let reader = TableReader(text: text, subject: subject)
    let keys: [String: TableReader.Key] = [
      "network": .table([
        "concurrent_feeds": .integer(1...256) { settings.refresh.concurrent = $0 },
        "concurrent_per_host": .integer(1...64) { settings.refresh.perHost = $0 },
        "connect_timeout": .integer(1...3600) { settings.limits.connect = .seconds($0) },
        "silence_timeout": .integer(1...3600) { settings.limits.silence = .seconds($0) },
        "total_timeout": .integer(1...86_400) { settings.limits.total = .seconds($0) },
        "max_body_bytes": .integer(1_024...1 << 31) { settings.limits.maxBodyBytes = $0 },
        "max_redirects": .integer(0...50) { settings.limits.maxRedirects = $0 },
        "live": .choice(["events", "websocket", "off"]) {
          settings.live = $0 == "off" ? nil : $0 == "websocket" ? .webSocket : .eventStream
        },
        "low_data": .boolean { settings.refresh.isLowData = $0 },
        // 0 for no bound.
        "requests_per_minute": .integer(0...100_000) { requests in
          settings.gate.rate =
            requests == 0 ? nil : RateWindow.Settings(requests: requests, per: .seconds(60))
        },
        "ca_file": .string { settings.caFile = $0 },
        "proxy": .checked { proxy in
          if !proxy.isEmpty { try requireProxy(proxy, next: "give one such as \(exampleProxy)") }
          settings.proxy = proxy
        },
        "min_tls": .choice(["1.2", "1.3"]) { settings.minTLS = TLSVersion(rawValue: $0) ?? .v12 },
        "proxies": .texts { host, proxy in
          if proxy != "direct" {
            try requireProxy(proxy, next: "give one such as \(exampleProxy), or direct")
          }
          settings.hostProxies[host.lowercased()] = proxy == "direct" ? .direct : .via(proxy)
        },
        "log": .string { settings.logFile = $0 },
        "client_certificates": .tables { host, _ in
          var own = ClientCertificate()
          return (
            [
              "certificate": .string { own.certificate = $0 },
              "key": .string { own.key = $0 },
            ],
            {
              let url = host.contains("://") ? host : "https://\(host)"
              settings.clientCertificates[try SignIns.origin(of: url)] = own
            }
          )
        },
        "pins": .lists { try settings.pins.set($1, for: $0) },
      ]),
      "accounts": .tables { origin, path in
        var account = ConfiguredAccount()
        return (
          [
            "user": .string { account.user = $0 },
            "scheme": .choice(["feed-api", "basic", "api-key"]) { account.scheme = $0 },
            "base": .string { account.base = $0 },
            "header": .string { account.header = $0 },
            "password_command": .checked { account.passwordCommand = try PasswordCommand($0) },
          ],
          { settings.accounts[try SignIns.origin(of: origin)] = account }
        )
      },
      "secrets": .table([
        "keyring": .boolean { settings.usesKeyring = $0 }
      ]),
      "refresh": .table([
        // 0 turns it off.
        "interval_minutes": .integer(0...100_000) { minutes in
          settings.refresh.interval = minutes == 0 ? nil : .seconds(minutes * 60)
          settings.screen.refreshesByItself = minutes != 0
        },
        "max_pages": .integer(1...1_000_000) { settings.refresh.maxOlderPages = $0 },
      ]),
      // 0 for no bound.
      "retention": .table([
        "days": .integer(0...36_500) {
          settings.retention.age = $0 == 0 ? nil : Int64($0) * 86_400
        },
        "articles_per_feed": .integer(0...10_000_000) {
          settings.retention.articlesPerFeed = $0 == 0 ? nil : $0
        },
        "megabytes": .integer(0...10_000_000) {
          settings.retention.bytes = $0 == 0 ? nil : Int64($0) << 20
        },
        "unread": .boolean { settings.retention.includesUnread = $0 },
      ]),
      "journal": .table([
        "keep": .integer(0...1_000_000) { settings.journalLimit = $0 }
      ]),
      "stories": .table([
        "join": .boolean { settings.joinsStories = $0 }
      ]),
      "downloads": .table([
        "folder": .checked { settings.downloads.folder = try DownloadSettings.checked($0) },
        "name": .checked { settings.downloads.name = try FileNamePattern($0) },
        "concurrent": .integer(1...16) { settings.downloads.concurrent = $0 },
        // 0 for no bound.
        "kib_per_second": .integer(0...10_000_000) {
          settings.downloads.bytesPerSecond = $0 == 0 ? nil : $0 << 10
        },
      ]),
      "feeds": .tables { address, _ in
        (
          [
            "download": .boolean { isWanted in
              if isWanted { settings.downloads.automaticFeeds.insert(address) }
            }
          ], {}
        )
      },
      "pictures": .table([
        "show": .boolean { settings.pictures.areShown = $0 },
        "icons": .boolean { settings.pictures.showsIcons = $0 },
        "draw": .choice(PictureSettings.Drawing.allCases.map(\.rawValue)) {
          settings.pictures.drawing = .init(rawValue: $0) ?? .auto
        },
        "symbols": .choice(PictureSettings.Symbols.allCases.map(\.rawValue)) {
          settings.pictures.symbols = .init(rawValue: $0)
        },
        "cache_megabytes": .integer(1...1_000_000) {
          settings.pictures.mostBytes = Int64($0) << 20
        },
      ]),
      "screen": .table([
        "background": .choice(["dark", "light"]) {
          settings.screen.background = .init(rawValue: $0)
        },
        "bidi": .boolean { settings.screen.ordersText = $0 },
        "colors": .boolean { settings.screen.colors = $0 },
        "mouse": .boolean { settings.screen.mouse = $0 },
        "order": .choice(["newest", "oldest", "feed", "title", "score"]) {
          settings.screen.order = ListOrder(rawValue: $0) ?? .newest
        },
        "text_width": .integer(20...400) { settings.screen.textWidth = $0 },
        "copy_command": .checked { settings.screen.copyCommand = try Self.words($0) },
        "title": .boolean { settings.screen.namesWindow = $0 },
        "theme": .string { name in
          let (line, column) = reader.place(of: ["screen", "theme"])
          settings.screen.theme = ScreenSettings.PlacedText(
            text: name, place: "\(subject):\(line):\(column)")
        },
        "columns": .checked { text in
          let words = text.split(separator: " ").map(String.init)
          guard words.contains("title"), Set(words).count == words.count,
            Set(words).isSubset(of: ["date", "feed", "title"])
          else {
            throw SettingMistake(
              message: "these are the columns of a list, title among them, once each",
              next: "write some of: date feed title")
          }
          settings.screen.columns = words
        },
        "date_format": .checked { text in
          guard text.wholeMatch(of: #/(?:[^%]|%[abdeHImMpyY%])+/#) != nil, text.count <= 40
          else {
            throw SettingMistake(
              message: "this must be a short text with %a %b %d %e %H %I %m %M %p %y %Y in it",
              next: "write, for example, \"%d.%m. %H:%M\"")
          }
          settings.screen.dateFormat = text
        },
        "scroll_margin": .integer(0...100) { settings.screen.scrollMargin = $0 },
        "signs": .choice(["ascii", "unicode"]) { settings.screen.usesAsciiSigns = $0 == "ascii" },
        "preview": .boolean { settings.screen.previews = $0 },
        "mark_read_after": .integer(1...3600) { settings.screen.secondsUntilRead = $0 },
        "confirm_quit": .boolean { settings.screen.asksBeforeQuitting = $0 },
      ]),
      "keys": .values { name, value in
        if name == "set" {
          guard let set = value.string, ["vi", "emacs", "newsboat"].contains(set) else {
            throw SettingMistake(
              message: "this must be one of: vi, emacs, newsboat", next: "mend the line")
          }
          settings.screen.keySet = set
          return
        }
        // What is no key, or no command, is told on the screen: a key must not keep the reader shut.
        func take(_ command: String, _ value: any TOMLValueConvertible, _ path: [String]) {
          let keys = value.string.map { [$0] } ?? value.array?.map { $0.string ?? "" } ?? [""]
          let (line, column) = reader.place(of: path)
          settings.screen.keys.append(
            ScreenSettings.Keys(
              command: command, keys: keys, place: "\(subject):\(line):\(column)"))
        }
        guard let screen = value.table else { return take(name, value, ["keys", name]) }
        for (command, value) in screen {
          take("\(name).\(command)", value, ["keys", name, command])
        }
      },
      "events": .values { name, value in settings.screen.take(event: name, value, reader) },
      "themes": .values { name, value in settings.screen.take(theme: name, value, reader) },
      "highlights": .list { settings.screen.take(highlight: $0, at: $1, reader) },
      "macros": .values { name, value in
        settings.screen.take(own: name, value, isProgram: false, reader)
      },
      "commands": .values { name, value in
        settings.screen.take(own: name, value, isProgram: true, reader)
      },
      "browser": .table([
        "command": .checked { command in
          _ = try Self.words(command)
          settings.screen.browser = command
        },
        "uses_terminal": .boolean { settings.screen.browserUsesTerminal = $0 },
        "background": .checked { settings.screen.backgroundBrowser = try Self.words($0) },
        "mail": .checked { settings.screen.mailProgram = try Self.words($0) },
      ]),
      "speech": .values { name, value in
        guard name == "command" else {
          throw SettingMistake(
            message: "there is no setting of this name", next: "the one here is command")
        }
        settings.screen.speechCommand = try Self.command(value)
      },
      "player": .table([
        "command": .checked { settings.screen.player = try Self.words($0) },
        "uses_terminal": .boolean { settings.screen.playerUsesTerminal = $0 },
      ]),
    ]
    look?(keys)
    // Taken out, so that the table that they stand in does not tell of them as well.
    let misplaced = misplaced(in: table, keys, reader)
    for mistake in misplaced {
      let inner = mistake.path.dropLast().reduce(table as TOMLTable?) { $0?[$1]?.table }
      inner?.remove(at: mistake.path.last ?? "")
    }
    var found: [TableReader.Mistake] = []
    try reader.read(table, path: [], keys: keys) { found.append($0) }
    let mistakes =
      found.map { ($0, stops: !mayBeLeft($0.path, keys)) } + misplaced.map { ($0, stops: true) }
    settings.fileMistakes =
      mistakes.sorted { ($0.0.line, $0.0.column) < ($1.0.line, $1.0.column) }
      .map { FileMistake(error: $0.0.error, stops: $0.stops) }
    return settings
  }
}

extension Settings {
  /// What the file says that is not taken.
  package struct FileMistake: Sendable {
    /// Its subject is the place: file, line and column.
    package let error: SourceError
    /// Whether nothing may be done before it is mended.
    package let stops: Bool

    /// Without a full stop, so that a sentence can go on.
    package var message: String {
      error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    }

    package var line: String { "\(error.subject): \(message)" }
  }

  /// Tables of what a mistake only makes look or feel otherwise. The others say what is asked of whom, by which way
  /// and how often, what is kept and what is deleted; a name that is unknown may be meant for any of them.
  private static let harmless: Set = [
    "commands", "events", "highlights", "keys", "macros", "screen", "speech", "themes",
  ]
  private static let harmlessOfPictures: Set = ["draw", "symbols", "cache_megabytes"]

  private static func mayBeLeft(_ path: [String], _ keys: [String: TableReader.Key]) -> Bool {
    if let table = path.first, path.count > 1, harmless.contains(table) {
      // One of a table that matters, which was written below the heading of another.
      // Others take any name.
      let isKnown =
        if case .table(let names)? = keys[table] { names[path[1]] != nil } else { true }
      let isMeant = keys.contains { name, key in
        if case .table(let names) = key {
          !harmless.contains(name) && names[path[1]] != nil
        } else {
          false
        }
      }
      if isMeant, !isKnown { return false }
    }
    if path.first == "pictures" { return path.count == 2 && harmlessOfPictures.contains(path[1]) }
    return path.first.map(harmless.contains) ?? false
  }

  private static func misplaced(
    in file: TOMLTable, _ keys: [String: TableReader.Key], _ reader: TableReader
  ) -> [TableReader.Mistake] {
    guard case .table(let network)? = keys["network"] else { return [] }
    let names = network.mapValues { key in
      switch key {
      case .table, .texts, .lists, .tables: true
      default: false
      }
    }
    return MisplacedSettings(names: names, reader: reader).mistakes(in: file)
  }

  /// A program and its arguments in one line, with the quoting of the shell.
  ///
  /// - Returns: nil for none.
  private static func words(_ line: String) throws -> [String]? {
    do throws(CommandWords.Mistake) {
      return try CommandWords.opening(line, home: Folders.home)
    } catch {
      throw SettingMistake(
        message: error.message, next: "name a program with its arguments, or a script of your own")
    }
  }

  /// A program and its arguments: a line with the quoting of the shell, or a list.
  ///
  /// - Returns: nil for none.
  fileprivate static func command(_ value: any TOMLValueConvertible) throws -> [String]? {
    let words =
      try value.string.map { try Self.words($0) ?? [] }
      ?? value.array.flatMap { array in
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
      }
    guard let words, words.first.map({ !$0.isEmpty && !$0.hasPrefix("-") }) ?? true else {
      throw SettingMistake(
        message: "this must be a program and its arguments",
        next: "write, for example, [\"espeak-ng\", \"--stdin\"]")
    }
    return words.isEmpty ? nil : words
  }
}

private let exampleProxy = "socks5h://localhost:9050"

/// - Throws: `SettingMistake` where a text is no address of a proxy.
private func requireProxy(_ text: String, next: String) throws {
  do { _ = try ProxyAddress(text) } catch {
    let message = error.message
    throw SettingMistake(message: message.prefix(1).lowercased() + message.dropFirst(), next: next)
  }
}
