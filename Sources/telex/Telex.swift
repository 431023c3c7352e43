internal import ArgumentParser
internal import CursesTerminal
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

#if GRPC
  internal import GRPCFeed
#endif

/// The program `telex`, which opens the reader without a command.
@main
struct Telex: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "telex",
    abstract: "A news reader for the terminal.",
    discussion: "Without a command it opens the reader; press ? there.",
    version: Version.current,
    subcommands: [TransferHelperVerb.self, PictureHelperVerb.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Read",
        subcommands: [ArticlesVerb.self, ShowVerb.self, SearchVerb.self, DigestVerb.self]),
      CommandGroup(
        name: "Subscribe",
        subcommands: [
          ListVerb.self, AddVerb.self, RemoveVerb.self, RefreshVerb.self, SetVerb.self,
        ]),
      CommandGroup(
        name: "Organise",
        subcommands: [
          ReadVerb.self, StarVerb.self, TagVerb.self, LaterVerb.self, DeleteVerb.self,
          FoldersVerb.self, SmartVerb.self, RulesVerb.self, UndoVerb.self, RedoVerb.self,
        ]),
      CommandGroup(
        name: "Accounts",
        subcommands: [
          LoginVerb.self, LogoutVerb.self, AccountsVerb.self, OutboxVerb.self, CommentsVerb.self,
        ]),
      CommandGroup(
        name: "Offline", subcommands: [PrefetchVerb.self, TransfersVerb.self, QueueVerb.self]),
      CommandGroup(
        name: "Move",
        subcommands: [ExportVerb.self, ImportVerb.self, EditVerb.self, ApplyVerb.self]),
      CommandGroup(
        name: "Scripts",
        subcommands: [
          StatusVerb.self, ParseVerb.self, FetchVerb.self, OPMLVerb.self, RenderVerb.self,
          ExtractVerb.self, StatsVerb.self, JournalVerb.self,
        ]),
      CommandGroup(
        name: "Mend", subcommands: [DoctorVerb.self, CacheVerb.self, ConfigVerb.self]),
    ])

  @OptionGroup var common: CommonOptions

  @MainActor
  static func main() async {
    StandardStreams.open()
    shareMemory()
    #if GRPC
      GRPCWire.install()
    #endif
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if var reader = Telex(simple: arguments) {
        try await reader.run()
        leave(with: 0)
      }
      if var command = simple(arguments) {
        try await command.run()
        leave(with: 0)
      }
      var command = try parsed(arguments)
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch {
      finish(with: error)
    }
    leave(with: 0)
  }

  /// Limits glibc to four heaps (arenas). The default is up to eight for each processor; memory
  /// that is freed in one is not used by another, and a first refresh took a tenth more memory.
  /// With two heaps threads wait for each other, and it took a tenth more time.
  private static func shareMemory() {
    #if canImport(Glibc)
      // Swift’s module of glibc lacks `mallopt`. -8 is M_ARENA_MAX.
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      _ = mallopt(-8, 4)
    #endif
  }

  /// Ends the process without the exit handlers of libraries: that of OpenSSL may crash while
  /// curl’s thread runs. All data is written by then.
  private static func leave(with status: Int32) -> Never {
    awaitRenewals()
    fflush(nil)
    _exit(status)
  }

  /// Waits for access tokens that are being renewed: the new ones would be lost, while the old ones
  /// may be invalid already. At most half a minute (`SignIns`); a signal ends it.
  private static func awaitRenewals() {
    guard Composition.isRenewingSignIn else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    let start = ContinuousClock.now
    var isTold = false
    while Composition.isRenewingSignIn {
      usleep(5_000)
      if !isTold, .now - start > .seconds(1) {
        Output.complain(
          "telex: waiting for a sign-in that is being renewed; Ctrl-C ends this at once")
        isTold = true
      }
    }
  }

  /// Prints an error and exits with status 2 for an invalid command line, else 1.
  private static func finish(with error: any Error) -> Never {
    if let error = error as? SourceError {
      Output.complain(error)
      leave(with: error.stage == .arguments ? 2 : 1)
    }
    if let error = error as? TerminalError {
      Output.complain("telex: terminal: \(error)")
      leave(with: 1)
    }
    if let code = error as? ExitCode { leave(with: code.rawValue) }
    // Messages of the argument parser repeat arguments, which may contain control characters.
    let (code, text) = (exitCode(for: error), printed(fullMessage(for: error)))
    if code.isSuccess, text == Version.current {
      BuildReport.lines.forEach(Output.line)
    } else if !text.isEmpty {
      if code.isSuccess { Output.line(text) } else { Output.complain(text) }
    }
    if code == .validationFailure, let hint = queryHint(for: text) { Output.complain(hint) }
    leave(with: code == .validationFailure ? 2 : code.rawValue)
  }

  /// Advice about a query that begins with a hyphen, which the parser takes for an option; nil for
  /// other mistakes.
  private static func queryHint(for usage: String) -> String? {
    let takesQuery = ["<query>", "<words>", "<articles>"].contains(where: usage.contains)
    guard takesQuery else { return nil }
    let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
    let word = words.first { $0.count > 2 && $0.hasPrefix("-") && !$0.hasPrefix("--") }
    return word.map { "A query that begins with - comes last, behind --: telex … -- '\($0)'" }
  }

  @MainActor
  mutating func run() async throws {
    // The parser does not run without a command.
    try common.validate()
    try common.refuse(common.wait != nil, "--wait goes with a command; the reader waits by itself.")
    let composition = try await common.compose(hasScreen: true)
    let place = ReaderPlace(folder: common.store, config: common.config)
    let verbs = Self.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
      ReaderSettings.Verb($0.configuration.commandName ?? "", help: $0.configuration.abstract)
    }
    let program = try ReaderProgram(composition, at: place, verbs: verbs)
    let status = await program.run()
    if status != 0 { throw ExitCode(status) }
  }
}

extension Telex {
  /// The reader with no other arguments than shared options; nil for anything else.
  fileprivate init?(simple arguments: [String]) {
    guard var words = SimpleWords(arguments[...]) else { return nil }
    var reader = Self()
    reader.common = .read(&words)
    self = reader
    guard words.isEmpty else { return nil }
  }

  /// The command of a line that it reads itself; nil for lines that the parser has to read.
  static func simple(_ arguments: [String]) -> (any AsyncParsableCommand)? {
    let commands: [any SimpleCommand.Type] = [ListVerb.self, StatusVerb.self]
    let command = commands.first { $0.configuration.commandName == arguments.first }
    return command?.init(simple: arguments.dropFirst())
  }

  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try parseAsRoot(checked(arguments))
  }
}

/// Options of all commands.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .long, help: .value("DIR", "Keep everything in this folder."), completion: .directory)
  var store: String?

  @Option(
    name: .long, help: .value("FILE", "Read the settings from this file."), completion: .file())
  var config: String?

  @Flag(name: .long, help: "Send no requests; changes wait in the outbox.")
  var offline = false

  @Option(
    name: .long, defaultAsFlag: NetworkWait.forever, parsing: .next,
    help: .value("TIME", "Wait if there is no network; --wait=5m: at most 5 minutes.")
  )
  var wait: NetworkWait?

  /// Whether the network is turned off by the command line, else by the reader that runs this command; nil for as the
  /// settings say.
  var isOffline: Bool? { offline ? true : Environment[Folders.offlineVariable].map { $0 == "1" } }

  func validate() throws {
    try refuse(offline && wait != nil, "Give --offline or --wait, not both.")
    guard let name = Folders.relativeVariable else { return }
    if name == Folders.storeVariable, store != nil { return }
    if name == Folders.configVariable, config != nil { return }
    throw ValidationError("\(name) has to be a whole path, one that begins with /.")
  }

  /// - Parameters:
  ///   - hasScreen: whether notices are shown on the screen, so that nothing may be printed.
  ///   - namesSecretFile: whether to name the file of secrets where there is no keyring.
  ///   - hasHelper: whether to start a process for downloads.
  ///   - isDue: whether due feeds are fetched although the settings have no interval.
  func compose(
    program: String = "telex", deadline: ContinuousClock.Instant? = nil,
    way: ProxyChange? = nil, hasScreen: Bool = false, namesSecretFile: Bool = false,
    hasHelper: Bool = true, isDue: Bool = false
  ) async throws -> Composition {
    var settings = try Settings.load(named: config)
    for mistake in settings.mistakes { Output.complain("warning: \(mistake)") }
    if !hasScreen { Self.tell(settings.fileMistakes) }
    if isDue { settings.allowDueFeeds() }
    // The process for downloads is started only while requests are allowed.
    if let isOffline = hasHelper ? isOffline : false { settings.isOffline = isOffline }
    let composition = try Composition(
      folder: store, settings: settings, program: program, deadline: deadline, way: way,
      helper: hasHelper ? HelperProcess(arguments: helperArguments) : nil
    ) { notice in
      switch notice {
      case .signInWait where hasScreen: break
      case .secretFile where !namesSecretFile: break
      default: Output.tell(notice)
      }
    }
    if !hasScreen { composition.onRepair { Output.complain($0) } }
    try await waitForNetwork(until: deadline)
    return composition
  }

  /// Waits for a network where `--wait` is given.
  func waitForNetwork(until deadline: ContinuousClock.Instant?) async throws {
    guard let wait else { return }
    let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
    try await Composition.waitForNetwork(atMost: [wait.limit, rest].compactMap { $0 }.min()) {
      Output.complain("telex: waiting for a network; Ctrl-C ends this")
    }
  }

  private static func tell(_ mistakes: [Settings.FileMistake]) {
    guard let first = mistakes.first else { return }
    let more = mistakes.count > 1 ? " (and \(mistakes.count - 1) more: telex config check)" : ""
    Output.complain("warning: \(first.line); its default is used\(more)")
  }

  /// The command line of the process for downloads, independent of the working directory.
  private var helperArguments: [String] {
    let place = ReaderPlace(folder: store, config: config)
    return [TransferHelperVerb.configuration.commandName ?? ""]
      + (store == nil ? [] : ["--store", place.folder])
      + (place.config.map { ["--config", $0] } ?? [])
  }
}
