internal import Foundation
internal import HTTP
package import News
internal import Repository
internal import Secrets
internal import Services
internal import Store
internal import TOMLKit
internal import Text

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
  var journalLimit = JournalEdit.defaultLimit
  /// Whether what several feeds tell is one row of lists.
  var joinsStories = true
  var downloads = DownloadSettings()
  /// The protocol of live connections; nil to open none.
  var live: LiveClient.Wire? = .eventStream
  var minTLS = TLSVersion.v12
  /// By origin.
  var clientCertificates: [String: ClientCertificate] = [:]
  package var screen = ScreenSettings()
  package var pictures = PictureSettings()
  /// Of single hosts.
  var hostProxies: [String: ProxyChoice] = [:]
  var logFile: String?
  /// In the order of the file.
  package internal(set) var fileMistakes: [FileMistake] = []

  package init() {}

  /// The sign-ins of the configuration.
  var signIns: [SignIn] { accounts.map { origin, account in account.account(at: origin) } }

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

  /// Makes feeds due for a refresh that was asked for where automatic refreshes are off
  /// (`refresh.interval_minutes = 0`).
  package mutating func allowDueFeeds() {
    if refresh.interval == .never { refresh.interval = .fixed(0) }
  }

  /// Nil to adapt to each feed.
  var intervalMinutes: Int? {
    get {
      switch refresh.interval {
      case .adaptive: nil
      case .fixed(let seconds): Int(seconds / 60)
      case .never: 0
      }
    }
    set {
      refresh.interval =
        switch newValue {
        case nil: .adaptive
        case 0: .never
        case let minutes?: .fixed(Int64(minutes) * 60)
        }
      screen.preferences.interval = refresh.interval
    }
  }

  /// What is fetched unasked on a metered connection, of feeds that have no setting of their own.
  package var metered: FeedSettings.Metered { refresh.metered }

  /// Whether no request may be sent (`network.offline`).
  package var isOffline: Bool {
    get { refresh.isOffline }
    set { refresh.isOffline = newValue }
  }

  /// The proxies of the file, with the passwords in it.
  var writtenProxies: [String] {
    hostProxies.values.reduce(into: [proxy].compactMap(\.self)) { proxies, choice in
      if case .via(let proxy) = choice { proxies.append(proxy) }
    }
  }

  /// Errors in the proxies of the environment, with the variable in front.
  package var mistakes: [String] { proxies.mistakes.map { "\($0.variable): \($0.message)" } }

  /// The settings of a named file, or of `TELEX_CONFIG`, either of which must exist; else of the
  /// default file, which need not. Mistaken settings keep their defaults, and are in
  /// `fileMistakes`.
  ///
  /// - Throws: `SourceError` of stage `.config`, with line and column, for broken TOML, and for
  ///   mistakes that must not be ignored.
  package static func load(named path: String?) throws -> Settings {
    let settings = try readingAll(of: path)
    if var error = settings.fileMistakes.first(where: \.stops)?.error {
      let others = settings.fileMistakes.count - 1
      if others > 0 { error.next = "\(error.next ?? "") (and \(others) more: telex config check)" }
      throw error
    }
    return settings
  }

  /// As `load`, with every mistake in `fileMistakes`.
  ///
  /// - Parameter renamed: the new names of settings by their former ones.
  /// - Throws: `SourceError` of stage `.config` for a file that cannot be read, or is no TOML.
  package static func readingAll(
    of path: String?, renamed: [String: String] = renamed
  ) throws -> Settings {
    let text = try text(of: path ?? Folders.config)
    let found = try text.map { try parse($0, subject: path ?? Folders.config, renamed: renamed) }
    if let named = path ?? Folders.namedConfig, found == nil {
      throw SourceError(
        .file, stage: .config, subject: named, message: "there is no such file",
        next: "check the path given with \(path == nil ? Folders.configVariable : "--config")")
    }
    var settings = found ?? Settings()
    settings.sitesFile = sitesFile(beside: path)
    return settings
  }

  /// The rules for single sites, beside the settings; the file need not exist.
  static func sitesFile(beside path: String?) -> String {
    URL(filePath: path ?? Folders.config).deletingLastPathComponent()
      .appending(path: "sites.toml").path(percentEncoded: false)
  }

  /// The text of a file; nil where there is none.
  ///
  /// - Throws: `SourceError` of stage `.config`.
  static func text(of path: String) throws -> String? {
    do {
      return try StoredFile.contents(of: path, purpose: "the settings file").map {
        String(decoding: $0, as: UTF8.self)
      }
    } catch {
      throw SourceError(
        .file, stage: .config, subject: path, message: error.message,
        next: "check its permissions and those of its folder")
    }
  }

  /// - Throws: `SourceError` of stage `.config`, with line and column.
  static func table(of text: String, subject: String) throws -> TOMLTable {
    // The library ends the program at a heading that begins with anything but a name.
    if let heading = TOMLLines(text).headings.first(where: \.path.isEmpty) {
      throw SourceError(
        .decoding, stage: .config, subject: "\(subject):\(heading.number):1",
        message: "a heading needs a name in its brackets", next: "correct the line")
    }
    do { return try TOMLTable(string: text) } catch let error as TOMLParseError {
      let place = error.source.begin
      throw SourceError(
        .decoding, stage: .config, subject: "\(subject):\(place.line):\(place.column)",
        message: error.description.split(separator: "\n").first.map(String.init) ?? "not TOML",
        next: "correct the line")
    }
  }

  /// - Parameters:
  ///   - renamed: the new names of settings by their former ones.
  ///   - look: gets the keys that there are.
  static func parse(
    _ text: String, subject: String, renamed: [String: String] = renamed,
    look: (([String: TableReader.Key]) -> Void)? = nil
  ) throws -> Settings {
    let table = try table(of: text, subject: subject)
    var settings = Settings()
    let reader = TableReader(text: text, subject: subject, renamed: renamed)
    func change(_ body: (inout Settings) throws -> Void) rethrows { try body(&settings) }
    var keys = ownNames(reader, change)
    for table in SettingTable.all {
      var names: [String: TableReader.Key] = [:]
      if case .table(let others)? = keys[table.name] { names = others }
      for setting in table.settings {
        names[setting.name] = setting.key(
          place: { reader.text(of: reader.place(of: [table.name, setting.name])) }, change: change)
      }
      keys[table.name] = .table(names)
    }
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
      .map { FileMistake(path: $0.0.path, error: $0.0.error, stops: $0.stops) }
    return settings
  }

  private static func ownNames(
    _ reader: TableReader, _ change: @escaping ((inout Settings) throws -> Void) throws -> Void
  ) -> [String: TableReader.Key] {
    func changed(_ body: (inout Settings) -> Void) { try? change(body) }
    return [
      "network": .table([
        "proxies": .texts { host, proxy in
          if proxy != "direct" { try requireProxy(proxy, or: ", or direct") }
          changed { $0.hostProxies[host.lowercased()] = proxy == "direct" ? .direct : .via(proxy) }
        },
        "client_certificates": .tables { host, _ in
          var own = ClientCertificate()
          return (
            [
              "certificate": .string { own.certificate = $0 },
              "key": .string { own.key = $0 },
            ],
            {
              let url = host.contains("://") ? host : "https://\(host)"
              let origin = try SignIns.origin(of: url)
              changed { $0.clientCertificates[origin] = own }
            }
          )
        },
        "pins": .lists { host, pins in try change { try $0.pins.set(pins, for: host) } },
      ]),
      "accounts": .tables { origin, _ in
        var account = ConfiguredAccount()
        return (
          [
            "user": .string { account.user = $0 },
            "scheme": .choice(["feed-api", "basic", "api-key"]) { account.scheme = $0 },
            "base": .string { account.base = $0 },
            "header": .string { account.header = $0 },
            "password_command": .checked { account.passwordCommand = try PasswordCommand($0) },
          ],
          {
            let origin = try SignIns.origin(of: origin)
            changed { $0.accounts[origin] = account }
          }
        )
      },
      "feeds": .tables { address, _ in
        (
          [
            "download": .boolean { isWanted in
              if isWanted { changed { $0.downloads.automaticFeeds.insert(address) } }
            }
          ], {}
        )
      },
      "keys": .values { name, value in try change { try $0.screen.take(keys: name, value, reader) }
      },
      "events": .values { name, value in changed { $0.screen.take(event: name, value, reader) } },
      "themes": .values { name, value in changed { $0.screen.take(theme: name, value, reader) } },
      "highlights": .list { table, index in
        changed { $0.screen.take(highlight: table, at: index, reader) }
      },
      "macros": .values { name, value in
        changed { $0.screen.take(own: name, value, isProgram: false, reader) }
      },
      "commands": .values { name, value in
        changed { $0.screen.take(own: name, value, isProgram: true, reader) }
      },
      "speech": .values { name, value in
        guard name == "command" else {
          throw SettingMistake(
            message: "there is no setting with this name", next: "the only setting here is command")
        }
        let command = try command(value)
        changed { $0.screen.speechCommand = command }
      },
    ]
  }
}

extension Settings {
  package struct FileMistake: Sendable {
    let path: [String]
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

  /// Tables whose mistakes only change looks or keys. The others decide on requests and on what is
  /// kept; an unknown name may be meant for any of them.
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

  /// A program and its arguments in one line, quoted as in a shell; nil for none.
  static func words(_ line: String) throws -> [String]? {
    do throws(CommandWords.Mistake) {
      return try CommandWords.opening(line, home: Folders.home)
    } catch {
      throw SettingMistake(
        message: error.message, next: "name a program with its arguments, or a script of your own")
    }
  }

  /// A program and its arguments: a line quoted as in a shell, or a list; nil for none.
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

  /// - Throws: `SettingMistake` where a text is no address of a proxy.
  static func requireProxy(_ text: String, or other: String = "") throws {
    do { _ = try ProxyAddress(text) } catch {
      let message = error.message
      throw SettingMistake(
        message: message.prefix(1).lowercased() + message.dropFirst(),
        next: "write it like socks5h://localhost:9050\(other)")
    }
  }
}
