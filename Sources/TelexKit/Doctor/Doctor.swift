internal import Foundation
internal import HTTP
package import News
internal import Services
internal import Store
internal import Text

/// A look at this machine, or at what a request to an address goes through. It takes what it can get of
/// a machine on which anything may be broken, and changes nothing.
package struct Doctor: Sendable {
  /// The defaults where the configuration cannot be used.
  package private(set) var settings = Settings()
  private var settingsError: SourceError?
  private let folder: String
  private let configPath: String
  private let health: StoreHealth
  /// nil where there is no store, or none that should be opened.
  private var composition: Composition?
  private let sources: Sources
  private let limit: Duration

  private static let usualLimit: Duration = .seconds(20)
  private static let checkLimit: Duration = .seconds(10)

  /// - Parameters:
  ///   - folder: the store's; nil for the usual one.
  ///   - config: the file of the settings; nil for the usual one.
  ///   - deadline: when all of it has to be done; each request has 20 seconds at most.
  ///   - tell: told what a user should hear of meanwhile, on any thread.
  package init(
    folder: String?, config: String?, deadline: ContinuousClock.Instant? = nil,
    tell: @escaping @Sendable (Notice) -> Void
  ) async throws {
    self.folder = folder ?? Folders.store
    configPath = config ?? Folders.config
    do { settings = try Settings.load(named: config) } catch let error as SourceError {
      settingsError = error
    }
    limit = min(
      Self.usualLimit, deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.usualLimit)
    settings.limits.total = limit
    settings.limits.connect = min(settings.limits.connect, limit)
    health = await Store.health(of: self.folder, limit: min(Self.checkLimit, limit))
    // To open it would make what is missing, set aside what is damaged, and renew what is of an earlier
    // schema.
    if health.schema == StoreHealth.currentSchema, health.error == nil, health.damage.isEmpty,
      health.isWritable
    {
      composition = try? Composition(
        folder: folder, settings: settings, deadline: deadline, tell: tell)
    }
    if let composition {
      sources = composition.sources
    } else {
      sources = Sources(
        client: try Composition.client(settings), limits: settings.limits, deadline: deadline)
    }
  }

  /// Whether there is a database in a folder that `Composition.repair` could repair.
  ///
  /// - Parameter folder: the store's; nil for the usual one.
  package static func hasDatabase(in folder: String?) -> Bool {
    FileManager.default.fileExists(atPath: (folder ?? Folders.store) + "/telex.sqlite")
  }

  /// Looks at everything on this machine that Telex needs.
  ///
  /// - Parameter frontEnd: what the front end has found out about what it is shown on.
  package func machine(frontEnd: [Finding] = []) async throws -> [[Finding]] {
    let checkup = MachineCheckup(
      folder: folder, configPath: configPath, settings: settings, settingsError: settingsError,
      health: health, composition: composition, limit: limit)
    var groups = try await checkup.groups(now: Date())
    // The last group is that of what is shown.
    groups[groups.count - 1] += frontEnd
    return groups
  }

  /// Sends a request to an address as a refresh would, and looks at each step of it.
  ///
  /// - Parameter name: an address, or a feed by its number.
  /// - Throws: `SourceError` for what names neither, or `CancellationError`.
  package func address(_ name: String) async throws -> AddressReport {
    let subscriptions = composition.map(Subscriptions.init)
    // A number names a feed that is there; an address may be any.
    let isNumber = Int64(name) != nil
    if isNumber, subscriptions == nil { throw missing(name) }
    let feed =
      isNumber
      ? try subscriptions?.feed(named: name) : try? subscriptions?.feed(named: name)
    let typed = isNumber ? nil : try? WebAddress.normalized(name)
    // A name and password that are typed go before those of the feed.
    let url =
      try typed.flatMap { WebAddress.user(in: $0) == nil ? nil : $0 }
      ?? (feed?.url ?? WebAddress.entered(name))
    guard WebAddress.isWeb(url) else {
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.redacted(url),
        message: "this is no address on the web", next: "telex fetch reads a file")
    }
    let diagnosis = try await sources.diagnose(
      url, isUserEntered: feed?.isUserEntered ?? true, proxies: settings.proxies, of: feed)
    let origin = try? SignIns.origin(of: url)
    let there = try composition?.allSignIns().filter { $0.origin == origin } ?? []
    let account =
      there.first { $0.account != nil && $0.account == feed?.account.id }
      ?? (there.count == 1 ? there[0] : there.first { !$0.isOfAccount })
    let findings = AddressFindings(
      diagnosis: diagnosis, pins: settings.pins, feed: feed, account: account, now: Date())
    return AddressReport(
      url: WebAddress.redacted(url), groups: findings.groups + problems, footer: findings.footer,
      feed: feed, account: account, measurements: AddressMeasurements(diagnosis))
  }

  /// What keeps an address from being looked at as a refresh would.
  private var problems: [[Finding]] {
    let isRenewedFirst = (health.schema ?? StoreHealth.currentSchema) < StoreHealth.currentSchema
    guard
      settingsError != nil || (health.hasDatabase && composition == nil && !isRenewedFirst)
    else { return [] }
    return [
      [
        .attention(
          "machine", "Machine", "the settings or the store cannot be used", next: "telex doctor")
      ]
    ]
  }

  private func missing(_ feed: String) -> SourceError {
    SourceError(
      .address, stage: .arguments, subject: feed, message: "there is no such feed",
      next: health.hasDatabase ? "telex doctor" : "telex list names those there are")
  }
}

/// What was found at an address.
package struct AddressReport: Sendable {
  /// The address, without what is secret in it.
  package let url: String
  package let groups: [[Finding]]
  /// Lines of advice that belong to no finding.
  package let footer: [String]
  /// The subscription at this address, if there is one.
  package let feed: Feed?
  /// Who is signed in at its origin.
  package let account: SignIn?
  package let measurements: AddressMeasurements
}
