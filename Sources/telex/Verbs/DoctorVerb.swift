internal import ArgumentParser
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Store
internal import TelexKit
internal import Text

struct DoctorVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at this machine, or at what a request to an address goes through.",
    discussion: """
      Nothing is changed without --repair. Exits with 1 when something needs attention. Each request has 20 seconds, \
      or what --timeout leaves it.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "An address, or a feed by its number; without one, this machine.")
  var url: String?
  @Flag(
    help: "Before that, save what can be read of a damaged database; the damaged file is kept.")
  var repair = false
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let folder = common.store ?? Folders.store
      if repair, FileManager.default.fileExists(atPath: folder + "/telex.sqlite") {
        // What is done is told as by every verb that meets damage.
        let composition = try await common.compose(deadline: limit.deadline())
        _ = try await composition.store.repair()
      }
      let patient = try await Patient(common, limit)
      let isWell = try await untilInterrupted { [url] in
        if let url { return try await lookAt(url, patient) }
        return try await lookAtMachine(patient)
      }
      if !isWell { throw ExitCode(1) }
    }
  }

  private func lookAtMachine(_ patient: Patient) async throws -> Bool {
    let checkup = MachineCheckup(
      folder: patient.folder, configPath: common.config ?? Folders.config,
      settings: patient.settings, settingsError: patient.settingsError, health: patient.health,
      composition: patient.composition, limit: patient.limit,
      frontEnd: [TerminalFinding.finding()])
    let report = DoctorReport(
      title: "Telex \(Version.current)", groups: try await checkup.groups(now: Date()))
    print(report, beside: [("version", .string(Version.current))], patient)
    return report.isWell
  }

  private func lookAt(_ name: String, _ patient: Patient) async throws -> Bool {
    // A number names a feed that is there; an address may be any.
    let isNumber = Int64(name) != nil
    let store = patient.composition?.store
    if isNumber, store == nil { try patient.refuse(name) }
    let feed = isNumber ? try store?.feed(named: name) : try? store?.feed(named: name)
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
    let diagnosis = try await patient.sources.diagnose(
      url, isTyped: feed?.isTyped ?? true, proxies: patient.settings.proxies,
      of: feed)
    let origin = try? SignIns.origin(of: url)
    let account = try patient.composition?.allSignIns().first { $0.origin == origin }
    let findings = AddressFindings(
      diagnosis: diagnosis, pins: patient.settings.pins, feed: feed, account: account, now: Date())
    let report = DoctorReport(
      title: WebAddress.redacted(url), groups: findings.groups + patient.problems,
      footer: findings.footer)
    let known: [(String, JSONValue)] = [
      ("signIn", .string(feed?.signIn == nil ? account?.scheme.name : "basic")),
      ("feed", .subscription(feed)),
    ]
    print(report, beside: JSONValue.diagnosis(diagnosis) + known, patient)
    return report.isWell
  }

  private func print(
    _ report: DoctorReport, beside values: [(String, JSONValue)], _ patient: Patient
  ) {
    let findings = JSONValue.array(report.findings.map(JSONValue.finding))
    guard !form.json else {
      return Output.line(
        .object(
          [("ok", .bool(report.isWell))] + values + [("findings", findings), ("error", .null)]))
    }
    Output.lines(
      report.lines(width: Output.width),
      hasColors: patient.settings.screen.colors && Output.hasColors)
  }
}

/// What can be had of a machine on which anything may be broken.
private struct Patient: Sendable {
  let folder: String
  var settings = Settings()
  var settingsError: SourceError?
  let health: StoreHealth
  /// nil where there is no store, or none that should be opened.
  var composition: Composition?
  let sources: Sources
  let limit: Duration

  private static let usualLimit: Duration = .seconds(20)
  private static let checkLimit: Duration = .seconds(10)

  init(_ common: CommonOptions, _ time: TimeLimitOptions) async throws {
    folder = common.store ?? Folders.store
    do { settings = try common.settings() } catch let error as SourceError {
      settingsError = error
    }
    let deadline = time.deadline()
    limit = min(
      Self.usualLimit, deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.usualLimit)
    settings.limits.total = limit
    settings.limits.connect = min(settings.limits.connect, limit)
    health = await Store.health(of: folder, limit: min(Self.checkLimit, limit))
    // To open it would make what is missing, set aside what is damaged, and renew what is of an earlier
    // schema.
    if health.schema == StoreHealth.currentSchema, health.error == nil, health.damage.isEmpty,
      health.isWritable
    {
      composition = try? Composition(folder: folder, settings: settings, deadline: deadline) {
        notice in
        if case .secretFile = notice { return }
        Output.tell(notice)
      }
    }
    if let composition {
      sources = composition.sources
    } else {
      sources = Sources(
        client: try Composition.client(settings), limits: settings.limits, deadline: deadline)
    }
  }

  /// What keeps an address from being looked at as a refresh would.
  var problems: [[Finding]] {
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

  func refuse(_ feed: String) throws -> Never {
    throw SourceError(
      .address, stage: .arguments, subject: feed, message: "there is no such feed",
      next: health.hasDatabase ? "telex doctor" : "telex list names those there are")
  }
}
