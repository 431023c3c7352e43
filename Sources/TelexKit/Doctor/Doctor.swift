internal import Foundation
internal import HTTP
package import News
internal import Services
internal import Store
internal import Text

/// Diagnosis of this machine, or of a request to an address. It works where other parts of Telex fail, and
/// changes nothing.
package struct Doctor: Sendable {
  /// The defaults where the configuration cannot be used.
  package private(set) var settings = Settings()
  private var settingsError: SourceError?
  private let folder: String
  private let configPath: String
  private let health: StoreHealth
  /// Nil without a store that can be opened safely.
  private var composition: Composition?
  private let sources: Sources
  private let limit: Duration

  private static let usualLimit: Duration = .seconds(20)
  private static let checkLimit: Duration = .seconds(10)

  /// - Parameters:
  ///   - folder: of the store; nil for the default.
  ///   - config: the file of the settings; nil for the default.
  ///   - isOffline: whether no request may be sent; nil for as the settings say.
  ///   - deadline: of the whole diagnosis; each request has 20 seconds at most.
  ///   - tell: receives notices for the user, on any thread.
  package init(
    folder: String?, config: String?, isOffline: Bool? = nil,
    deadline: ContinuousClock.Instant? = nil,
    tell: @escaping @Sendable (Notice) -> Void
  ) async throws {
    self.folder = folder ?? Folders.store
    configPath = config ?? Folders.config
    do { settings = try Settings.load(named: config) } catch let error as SourceError {
      settingsError = error
    }
    if let isOffline { settings.isOffline = isOffline }
    limit = min(
      Self.usualLimit, deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.usualLimit)
    settings.limits.total = limit
    settings.limits.connect = min(settings.limits.connect, limit)
    health = await Store.health(of: self.folder, limit: min(Self.checkLimit, limit))
    // Opening a store would create, repair or migrate it: only an intact one of this schema is opened.
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

  /// Whether a folder, or the default one, has a database that `Composition.repair` could repair.
  package static func hasDatabase(in folder: String?) -> Bool {
    FileManager.default.fileExists(atPath: (folder ?? Folders.store) + "/telex.sqlite")
  }

  /// Checks this machine.
  ///
  /// - Parameter frontEnd: further findings, such as of the terminal.
  package func machine(frontEnd: [Finding] = []) async throws -> [[Finding]] {
    let checkup = MachineCheckup(
      folder: folder, configPath: configPath, settings: settings, settingsError: settingsError,
      health: health, composition: composition, limit: limit)
    var groups = try await checkup.groups(now: Date())
    // The last group is about the front end.
    groups[groups.count - 1] += frontEnd
    return groups
  }

  /// Sends a request to an address as a refresh would, and checks each step.
  ///
  /// - Parameter name: an address, or the number of a feed.
  /// - Throws: `SourceError` for neither, or `CancellationError`.
  package func address(_ name: String) async throws -> AddressReport {
    let subscriptions = composition.map(Subscriptions.init)
    // A number is that of a subscription; an address need not be one.
    let isNumber = Int64(name) != nil
    if isNumber, subscriptions == nil { throw missing(name) }
    let feed =
      isNumber
      ? try subscriptions?.feed(named: name) : try? subscriptions?.feed(named: name)
    let typed = isNumber ? nil : try? WebAddress.normalized(name)
    // A name and password that the user typed take precedence over those of the feed.
    let url =
      try typed.flatMap { WebAddress.user(in: $0) == nil ? nil : $0 }
      ?? (feed?.url ?? WebAddress.entered(name))
    guard WebAddress.isWeb(url) else {
      throw SourceError.argument(
        WebAddress.redacted(url), "this is not a web address",
        next: feed?.isCommand == true ? "run its program by hand" : "telex fetch reads a file")
    }
    // Its host would be looked up, too.
    if settings.isOffline {
      throw SourceError.offlineByChoice(subject: WebAddress.redacted(url))
    }
    let diagnosis = try await sources.diagnose(
      url, isUserEntered: feed?.isUserEntered ?? true, proxies: settings.proxies, of: feed)
    let account = try await composition?.signIns.signIn(
      at: url, for: Signer(.account(feed?.account ?? .local)))
    let findings = AddressFindings(
      diagnosis: diagnosis, settings: settings, feed: feed, account: account, now: Date())
    return AddressReport(
      url: WebAddress.redacted(url), groups: findings.groups + problems, footer: findings.footer,
      feed: feed, account: account, measurements: AddressMeasurements(diagnosis))
  }

  /// Why a refresh would not request the address.
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
    SourceError.argument(
      feed, "there is no such feed",
      next: health.hasDatabase ? "telex doctor" : "telex list prints the feeds")
  }
}

package struct AddressReport: Sendable {
  /// The address without its secrets.
  package let url: String
  package let groups: [[Finding]]
  /// Lines of advice that belong to no finding.
  package let footer: [String]
  package let feed: Feed?
  package let account: SignIn?
  package let measurements: AddressMeasurements
}
