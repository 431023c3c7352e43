internal import Foundation
internal import HTTP
internal import NetworkMonitor
internal import News
internal import Pictures
internal import Secrets
internal import Services
internal import Store
internal import Text

/// Checks everything on this machine that Telex needs, and changes nothing.
struct MachineCheckup {
  let folder: String
  let configPath: String
  let settings: Settings
  /// Why the configuration cannot be used; `settings` are the defaults then.
  let settingsError: SourceError?
  let health: StoreHealth
  /// nil where the store is not to be opened.
  let composition: Composition?
  let limit: Duration

  func groups(now: Date) async throws -> [[Finding]] {
    let feeds = try composition?.store.viewNow { try $0.feeds.all() } ?? []
    return [
      StoreFindings(folder: folder, health: health).findings,
      [configFinding, await secretsFinding] + (try await accountFindings),
      [
        await networkFinding, libraryFinding, proxyFinding,
        ClockFinding.finding(try await clockSkew(feeds)),
        PictureFinding.finding { $0.isInstalled },
      ] + (await clipboardFindings),
      [feedsFinding(feeds, now: now)],
    ]
  }

  private var clipboardFindings: [Finding] {
    get async {
      let tmux = await TmuxClipboard.get(ProcessInfo.processInfo.environment)
      return [tmux?.finding].compactMap(\.self)
    }
  }

  // MARK: Settings and secrets

  private var configFinding: Finding {
    let path = configPath.abbreviated
    if let error = settingsError {
      return Finding(
        name: "config", label: "Settings", state: .failed, text: error.message.withoutStop,
        details: [error.subject.abbreviated], next: error.next)
    }
    if let first = settings.fileMistakes.first {
      let more = settings.fileMistakes.count - 1
      return .attention(
        "config", "Settings", first.line + (more > 0 ? ", and \(more) more" : ""),
        next: "telex config check lists all of them")
    }
    guard let mode = Self.mode(of: configPath) else {
      return .ok("config", "Settings", "the defaults: there is no \(path)")
    }
    let holdsPassword = settings.writtenProxies.contains {
      (try? ProxyAddress($0))?.password != nil
    }
    guard holdsPassword, mode & 0o077 != 0 else { return .ok("config", "Settings", path) }
    return .attention(
      "config", "Settings", "others may read the proxy's password in \(path)",
      next: "chmod 600 \(configPath)")
  }

  private var secretsFinding: Finding {
    get async {
      let secrets = folder + "/secrets"
      for (path, mode) in [(secrets, "700"), (secrets + "/credentials.json", "600")] {
        if let found = Self.mode(of: path), found & 0o077 != 0 {
          return .failed(
            "secrets", "Secrets", "others may read \(path.abbreviated)",
            next: "chmod \(mode) \(path)")
        }
      }
      let store = SecretStore(folder: secrets, usesKeyring: settings.usesKeyring)
      switch await store.backend() {
      case .keyring: return .ok("secrets", "Secrets", "in the system's keyring")
      case .file(let path, let absence):
        return .ok("secrets", "Secrets", "in \(path.abbreviated), because \(absence.reason)")
      }
    }
  }

  private var accountFindings: [Finding] {
    get async throws {
      guard let composition else { return [] }
      let accounts = try composition.allSignIns()
      guard !accounts.isEmpty else { return [] }
      var missing: [String] = []
      var next: String?
      for account in accounts {
        // A command may ask for a passphrase; it is run when its secret is needed.
        if composition.vault.command(of: account) != nil { continue }
        do {
          if try await composition.vault.access.read(account) == nil {
            missing.append("\(account.origin): its secret is not there any more")
            next = next ?? "telex login \(account.origin)"
          }
        } catch let error as SourceError {
          missing.append("\(account.origin): \(error.message)")
          next = next ?? error.next
        }
      }
      guard !missing.isEmpty else {
        return [
          .ok("accounts", "Accounts", Measures.counted(accounts.count, "sign-in") + ", all at hand")
        ]
      }
      let count = "\(missing.count) of \(Measures.counted(accounts.count, "sign-in"))"
      return [.attention("accounts", "Accounts", "\(count) without a secret", missing, next: next)]
    }
  }

  // MARK: The network

  private var networkFinding: Finding {
    get async {
      if settings.isOffline {
        return .attention(
          "network", "Network", "Telex is offline by choice",
          next: SourceError.offlineByChoice(subject: "").next)
      }
      return switch await Composition.connectivity() {
      case .online(let isMetered):
        .ok("network", "Network", isMetered ? "online, and what is transferred costs" : "online")
      case .offline:
        .attention(
          "network", "Network", "there is none",
          next: "connect this machine; what is cached can be read meanwhile")
      case .unknown:
        .skipped("network", "Network", "this machine does not say whether there is one")
      }
    }
  }

  private var libraryFinding: Finding {
    do {
      let library = try NetworkLibrary.load()
      let all = NetworkLibrary.Feature.allCases
      let has = all.filter(library.features.contains).map(\.rawValue).joined(separator: ", ")
      let lacks = all.filter { !library.features.contains($0) }.map(\.rawValue)
      let without = lacks.isEmpty ? "" : "; no \(lacks.joined(separator: ", "))"
      return .ok(
        "library", "Library", "libcurl \(library.version), \(library.tls)",
        [has + without, Self.versions(of: library.http3)])
    } catch {
      let message = (error as? HTTPError)?.message ?? "\(error)"
      return .failed("library", "Library", message, next: nil)
    }
  }

  static func versions(of http3: HTTPVersionRule.Support) -> String {
    switch http3 {
    case .full:
      "https is asked over HTTP/3 (untested) where the server has it, by a proxy over HTTP/2"
    case .experimental:
      "https is asked over HTTP/2: in this release of libcurl HTTP/3 is an experiment"
    case .none:
      "https is asked over HTTP/2: this libcurl has no HTTP/3, which is used, untested, where there is one"
    }
  }

  private var proxyFinding: Finding {
    let proxies = settings.proxies
    if let mistake = proxies.mistakes.first {
      return .failed(
        "proxy", "Proxy", "\(mistake.variable): \(mistake.message.withoutStop)",
        next: "mend or unset \(proxies.mistakes.map(\.variable).joined(separator: " and "))")
    }
    let origin = settings.proxy == nil ? "from the environment" : "from the settings"
    func name(_ proxy: String) -> String { ProxyChoice.via(proxy).proxyOrigin ?? "" }
    var ways: [String] = []
    if let https = proxies.https { ways.append("https by \(name(https))") }
    if let http = proxies.http { ways.append("http by \(name(http))") }
    if !ways.isEmpty, !proxies.exceptions.isEmpty {
      ways.append("not for " + proxies.exceptions.joined(separator: ", "))
    }
    let hosts = proxies.hosts.sorted { $0.key < $1.key }.map { host, choice in
      switch choice {
      case .direct: "\(host) directly"
      case .via(let proxy): "\(host) by \(name(proxy))"
      }
    }
    guard !ways.isEmpty else {
      return .ok("proxy", "Proxy", hosts.isEmpty ? "none" : "for single hosts only", hosts)
    }
    ways += hosts
    return .ok("proxy", "Proxy", origin, ways)
  }

  /// Asks the servers of three feeds, those that answered last.
  private func clockSkew(_ feeds: [Feed]) async throws -> (host: String, skew: Duration)? {
    guard let composition else { return nil }
    var hosts: Set<String> = []
    let asked = feeds.filter { WebAddress.isWeb($0.url) && !$0.state.isGone }
      .sorted { ($0.state.lastSuccess ?? .distantPast) > ($1.state.lastSuccess ?? .distantPast) }
      .filter { hosts.insert(WebAddress.host(of: $0.url) ?? "").inserted }
    return try await composition.sources.clockSkew(
      of: Array(asked.prefix(3)), limit: min(limit, .seconds(5)))
  }

  // MARK: Feeds

  private func feedsFinding(_ feeds: [Feed], now: Date) -> Finding {
    guard composition != nil else {
      return health.hasDatabase
        ? .skipped("feeds", "Feeds", "the store cannot be read as it is")
        : .ok("feeds", "Feeds", "none yet")
    }
    guard !feeds.isEmpty else { return .ok("feeds", "Feeds", "none yet") }
    let failing = feeds.filter(\.state.isFailing).sorted { since($0) < since($1) }
    let gone = feeds.filter(\.state.isGone).sorted { since($0) < since($1) }
    let moved = feeds.compactMap { feed in
      feed.movedTo.map {
        "\(Self.name(feed)) says that it has moved to \(WebAddress.redacted($0))"
      }
    }.prefix(3)
    guard let worst = failing.first ?? gone.first else {
      return .ok(
        "feeds", "Feeds", "\(Measures.counted(feeds.count, "feed")), none fails", Array(moved))
    }
    let details = (failing + gone).prefix(3).map { feed in
      let reason = (feed.state.error?.message ?? "gone for good").withoutStop
      return "\(Self.name(feed)), for \(Measures.span(since: since(feed), at: now)): \(reason)"
    }
    return .attention(
      "feeds", "Feeds",
      [
        failing.isEmpty
          ? nil : "\(failing.count) of \(feeds.count) \(failing.count == 1 ? "fails" : "fail")",
        gone.isEmpty
          ? nil : "\(gone.count) of \(feeds.count) \(gone.count == 1 ? "is" : "are") gone",
      ].compactMap { $0 }.joined(separator: ", "),
      details + moved,
      next: "telex doctor \(worst.id.rawValue)")
  }

  /// An address without a title may hold a key.
  private static func name(_ feed: Feed) -> String {
    feed.title.map { $0.isEmpty ? WebAddress.redacted(feed.url) : $0 }
      ?? WebAddress.redacted(feed.url)
  }

  private func since(_ feed: Feed) -> Date {
    feed.state.failing?.since ?? feed.state.lastAttempt ?? Date(timeIntervalSince1970: 0)
  }

  private static func mode(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }
}

extension String {
  var abbreviated: String {
    guard let home = Environment["HOME"], home.count > 1,
      hasPrefix(home + "/")
    else { return self }
    return "~" + dropFirst(home.count)
  }
}

/// Which pictures can be shown, by the libraries of this machine.
enum PictureFinding {
  static func finding(isInstalled: (PictureLibrary) -> Bool) -> Finding {
    let decoders = PictureLibrary.allCases.filter { $0.kind != nil }
    let shown = decoders.filter(isInstalled).compactMap(\.kind)
    var details = decoders.filter { !isInstalled($0) }.map { library in
      "\(library.kind ?? "") as words: \(help(with: library))"
    }
    if !isInstalled(.chafa) { details.append("cells are half blocks: \(help(with: .chafa))") }
    return .ok(
      "pictures", "Pictures",
      shown.isEmpty ? "their descriptions alone" : shown.joined(separator: ", "), details)
  }

  private static func help(with library: PictureLibrary) -> String {
    "install \(library.package) (Homebrew: \(library.formula))"
  }
}
