internal import ArgumentParser
internal import News
internal import TelexKit

struct DoctorVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this device, or the connection to an address.",
    discussion: """
      Changes nothing without --repair. The exit status is 1 if a check needs attention. A request \
      may take 20 seconds; --timeout changes that.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(
    help: "An address, or the number of a feed. Default: this device.", completion: .feeds)
  var url: String?
  @Flag(help: "Repair a damaged database first; the damaged file is kept.")
  var repair = false
  @OptionGroup var limit: TimeLimitOptions

  func perform() async throws {
    let deadline = limit.deadline()
    if repair, Doctor.hasDatabase(in: common.store) {
      // A notice reports the repair, as in every command.
      try await common.compose(deadline: deadline).repair()
    }
    try await common.waitForNetwork(until: deadline)
    let doctor = try await Doctor(
      folder: common.store, config: common.config, isOffline: common.isOffline,
      deadline: deadline
    ) { notice in
      if case .secretFile = notice { return }
      Output.tell(notice)
    }
    let isWell = try await untilInterrupted { [url] in
      if let url { return try await lookAt(url, doctor) }
      return try await lookAtMachine(doctor)
    }
    if !isWell { throw ExitCode(1) }
  }

  private func lookAtMachine(_ doctor: Doctor) async throws -> Bool {
    let report = DoctorReport(
      title: "Telex \(Version.current)",
      groups: try await doctor.machine(frontEnd: [.terminal, .textDirection]))
    print(report, beside: ["version": .string(Version.current)], doctor)
    return report.isWell
  }

  private func lookAt(_ name: String, _ doctor: Doctor) async throws -> Bool {
    let found = try await doctor.address(name)
    let report = DoctorReport(title: found.url, groups: found.groups, footer: found.footer)
    let known: JSONOutput = [
      "signIn": .string(found.feed?.signIn == nil ? found.account?.schemeName : "basic"),
      "feed": .subscription(found.feed),
    ]
    print(report, beside: .joined(.measurements(found.measurements), known), doctor)
    return report.isWell
  }

  private func print(_ report: DoctorReport, beside values: JSONOutput, _ doctor: Doctor) {
    let findings = JSONOutput.array(report.findings.map(JSONOutput.finding))
    guard !form.json else {
      return Output.line(
        .joined(["ok": .bool(report.isWell)], values, ["findings": findings, "error": .null]))
    }
    Output.lines(
      report.lines(width: Output.width),
      hasColors: doctor.settings.screen.colors && Output.hasColors)
  }
}
