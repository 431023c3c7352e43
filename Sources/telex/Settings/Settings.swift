internal import Foundation
internal import HTTP
internal import News
internal import Reader
internal import Repository
internal import Screen
internal import Secrets
internal import Services
internal import TOMLKit
internal import Text

/// `config.toml`: what can be set, with its defaults.
struct Settings {
  var refresh = RefreshSettings()
  var limits = HTTPLimits()
  var gate = OriginGate.Settings()
  var caFile: String?
  var proxy: String?
  var pins = PublicKeyPins()
  /// By origin.
  var accounts: [String: ConfiguredAccount] = [:]
  var usesKeyring = true
  /// How servers are listened to; nil for not at all.
  var live: LiveClient.Wire? = .eventStream
  var minTLS = TLSVersion.v12
  /// By origin.
  var clientCertificates: [String: ClientCertificate] = [:]
  var reader = ReaderSettings()
  var background: Background?
  var colors = true
  var mouse = true
  var browser: String?
  var browserUsesTerminal = false

  /// Of single hosts.
  var hostProxies: [String: ProxyChoice] = [:]
  /// Where a line is written for each request; nil for nowhere.
  var logFile: String?

  /// What `proxy` asks for, else what the environment does; but for hosts with one of their own.
  var proxies: ProxySettings {
    var settings = ProxySettings(
      environment: Environment.values(of: ProxySettings.variables))
    // What the environment excepts stays excepted. An empty one turns off what the environment says.
    if let proxy {
      let proxy = proxy.isEmpty ? nil : proxy
      (settings.http, settings.https, settings.mistakes) = (proxy, proxy, [])
    }
    settings.hosts = hostProxies
    return settings
  }

  /// The proxies of the file, with the passwords that stand in it.
  var writtenProxies: [String] {
    hostProxies.values.reduce(into: [proxy].compactMap(\.self)) { proxies, choice in
      if case .via(let proxy) = choice { proxies.append(proxy) }
    }
  }

  /// The settings of a file; the defaults where there is none.
  ///
  /// - Throws: `SourceError` of stage `.config` with the line and column of what is wrong.
  static func load(_ path: String) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SourceError(
        .file, stage: .config, subject: path, message: "the file cannot be read",
        next: "check its permissions")
    }
    return try parse(String(decoding: data, as: UTF8.self), subject: path)
  }

  static func parse(_ text: String, subject: String) throws -> Settings {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      throw SourceError(
        .decoding, stage: .config, subject: "\(subject):\(place.line):\(place.column)",
        message: error.description.split(separator: "\n").first.map(String.init) ?? "not TOML",
        next: "mend the line")
    }
    var settings = Settings()
    let reader = TableReader(text: text, subject: subject)
    try reader.read(
      table, path: [],
      keys: [
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
            settings.reader.refreshesByItself = minutes != 0
          },
          "max_pages": .integer(1...1_000_000) { settings.refresh.maxOlderPages = $0 },
        ]),
        "screen": .table([
          "background": .choice(["dark", "light"]) {
            settings.background = Background(rawValue: $0)
          },
          "colors": .boolean { settings.colors = $0 },
          "mouse": .boolean { settings.mouse = $0 },
          "text_width": .integer(20...400) { settings.reader.textWidth = $0 },
        ]),
        "browser": .table([
          "command": .string { settings.browser = $0 },
          "uses_terminal": .boolean { settings.browserUsesTerminal = $0 },
        ]),
      ])
    return settings
  }
}

/// A sign-in that stands in the configuration, with the command that prints its password.
struct ConfiguredAccount {
  var user = ""
  var scheme = "basic"
  /// The base of the Feed API; the origin where it is nil.
  var base: String?
  var header: String?
  var passwordCommand: PasswordCommand?

  func account(at origin: String) -> SignIn {
    let scheme: SignIn.Scheme =
      switch scheme {
      case "feed-api": .bearer(base: base ?? origin)
      case "api-key": .apiKey(header: header ?? "X-API-Key")
      default: .basic
      }
    return SignIn(origin: origin, user: user, scheme: scheme)
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

/// Why a value is not taken. Does not repeat it: it may hold a password.
private struct SettingMistake: Error {
  var message: String
  var next: String
}

/// Reads a table by a list of the keys it may have. What is unknown or of the wrong kind is an
/// error with its place: a setting that is silently not taken is worse than none.
private struct TableReader {
  indirect enum Key {
    case table([String: Key])
    case integer(ClosedRange<Int>, (Int) -> Void)
    case string((String) -> Void)
    case choice([String], (String) -> Void)
    case boolean((Bool) -> Void)
    /// Any keys, each with a list of texts. What is taken may be refused with a `PublicKeyPins.Mistake`.
    case lists((String, [String]) throws -> Void)
    /// Any keys, each with a text that may be refused with a `SettingMistake`.
    case texts((String, String) throws -> Void)
    /// A text that may be refused, with an error that says why: a `SettingMistake`, or a `SecretError`.
    case checked((String) throws -> Void)
    /// Tables of any name: the keys of each, and what is done when it has been read.
    case tables((String, [String]) -> ([String: Key], done: () throws -> Void))

    static func integer(_ range: ClosedRange<Int>) -> (@escaping (Int) -> Void) -> Key {
      { .integer(range, $0) }
    }
  }

  let text: String
  let subject: String

  func read(_ table: TOMLTable, path: [String], keys: [String: Key]) throws {
    for (name, value) in table {
      let here = path + [name]
      guard let key = keys[name] else {
        let known = keys.keys.sorted().joined(separator: ", ")
        throw failure(here, "there is no setting of this name", "the settings here are \(known)")
      }
      switch key {
      case .table(let keys):
        guard let table = value.table else {
          throw failure(
            here, "this must be a table", "write it as [\(here.joined(separator: "."))]")
        }
        try read(table, path: here, keys: keys)
      case .integer(let range, let take):
        guard let number = value.int, range.contains(number) else {
          throw failure(
            here, "this must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        take(number)
      case .string(let take):
        guard let text = value.string else { throw failure(here, "this must be a text in quotes") }
        take(text)
      case .checked(let take):
        guard let text = value.string else { throw failure(here, "this must be a text in quotes") }
        do { try take(text) } catch let error as SecretError {
          throw failure(here, error.message, error.next)
        } catch let mistake as SettingMistake {
          throw failure(here, mistake.message, mistake.next)
        }
      case .tables(let entry):
        guard let table = value.table else { throw failure(here, "this must be a table") }
        for (name, value) in table {
          guard let table = value.table else {
            throw failure(here + [name], "this must be a table")
          }
          let (keys, done) = entry(name, here + [name])
          try read(table, path: here + [name], keys: keys)
          do { try done() } catch let error as SourceError {
            throw failure(here + [name], error.message, "name a scheme, a host and a port")
          }
        }
      case .choice(let choices, let take):
        guard let text = value.string, choices.contains(text) else {
          throw failure(here, "this must be one of: \(choices.joined(separator: ", "))")
        }
        take(text)
      case .boolean(let take):
        guard let flag = value.bool else { throw failure(here, "this must be true or false") }
        take(flag)
      case .texts(let take):
        guard let table = value.table else { throw failure(here, "this must be a table") }
        for (name, value) in table {
          guard let text = value.string else {
            throw failure(here + [name], "this must be a text in quotes")
          }
          do { try take(name, text) } catch let mistake as SettingMistake {
            throw failure(here + [name], mistake.message, mistake.next)
          }
        }
      case .lists(let take):
        guard let table = value.table else {
          throw failure(
            here, "this must be a table", "write it as [\(here.joined(separator: "."))]")
        }
        for (name, value) in table { try read(value, path: here + [name], into: take) }
      }
    }
  }

  private func read(
    _ value: any TOMLValueConvertible, path: [String], into take: (String, [String]) throws -> Void
  ) throws {
    let texts = value.array.map { array in array.compactMap(\.string) }
    guard let texts, texts.count == value.array?.count else {
      throw failure(path, "this must be a list of texts: [\"…\", \"…\"]")
    }
    do {
      try take(path.last ?? "", texts)
    } catch let mistake as PublicKeyPins.Mistake {
      throw failure(path, mistake.message, mistake.next)
    }
  }

  private func failure(
    _ path: [String], _ message: String, _ next: String = "mend the line"
  ) -> SourceError {
    let (line, column) = place(of: path)
    return SourceError(
      .decoding, stage: .config, subject: "\(subject):\(line):\(column)",
      message: "\(path.joined(separator: ".")): \(message)", next: next)
  }

  /// Where a key stands. The parser keeps no places for values, so that the text is searched: below
  /// the heading of its table, for a line that begins with the key.
  private func place(of path: [String]) -> (line: Int, column: Int) {
    var table: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.dropFirst(indent)
      if content.hasPrefix("[") {
        table = content.dropFirst().prefix { $0 != "]" }.split(separator: ".")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        if table == path { return (index + 1, indent + 1) }
        continue
      }
      let key = content.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
      // A key in quotes may hold dots of its own.
      let isQuoted = key.hasPrefix("\"") || key.hasPrefix("'")
      let names =
        isQuoted
        ? [key.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))]
        : key.split(separator: ".").map(String.init)
      if content.contains("="), table + names == path { return (index + 1, indent + 1) }
    }
    // A table within a line stands where the line does.
    return path.count > 1 ? place(of: path.dropLast()) : (1, 1)
  }
}
