internal import ArgumentParser
internal import CursesTerminal
internal import Foundation
internal import News
internal import TelexKit

/// `telex`: the reader without a verb, else what the verb says.
@main
struct Telex: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "telex",
    abstract: "A news reader for the terminal.",
    discussion: """
      Without a verb the reader opens. Press ? in it for every key.

      Exit status: 0 done, 1 failed, 2 wrong usage.
      """,
    version: Version.current,
    subcommands: [
      AddVerb.self, RemoveVerb.self, ListVerb.self, SetVerb.self, RefreshVerb.self,
      ArticlesVerb.self,
      ShowVerb.self, ReadVerb.self, StarVerb.self, SearchVerb.self, ImportVerb.self,
      ImportArticlesVerb.self, ExportVerb.self, LoginVerb.self, LogoutVerb.self, AccountsVerb.self,
      CommentsVerb.self, CommentVerb.self, OutboxVerb.self, ParseVerb.self,
      FetchVerb.self, OPMLVerb.self, RenderVerb.self, DoctorVerb.self,
    ])

  @OptionGroup var common: CommonOptions

  @MainActor
  static func main() async {
    StandardStreams.open()
    shareMemory()
    do {
      var command = try parseAsRoot()
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

  /// Lets the threads share four heaps. By itself glibc gives them up to eight for each processor,
  /// and what one thread has freed another cannot use: a first refresh took a tenth more memory. With
  /// two, they wait for each other: it took a tenth more time.
  private static func shareMemory() {
    #if canImport(Glibc)
      // Not in Swift's view of glibc; looked up instead. -8 is M_ARENA_MAX.
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      _ = mallopt(-8, 4)
    #endif
  }

  /// Ends the process without running what libraries have left for the end: the cleaning up of
  /// OpenSSL crashes now and then while curl's thread is still there. Everything of ours is written
  /// by now.
  private static func leave(with status: Int32) -> Never {
    awaitRenewals()
    fflush(nil)
    _exit(status)
  }

  /// Waits for tokens that are being renewed: the old pair may be spent by now, and the new one would
  /// be lost with the process. It takes half a minute at most (`SignIns`), and a signal ends it.
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

  /// Says what went wrong and leaves: 2 for a command line that cannot be understood, 1 for work
  /// that failed.
  private static func finish(with error: any Error) -> Never {
    if let error = error as? SourceError {
      Output.complain(error)
      leave(with: error.stage == .arguments ? 2 : 1)
    }
    if let error = error as? TerminalError {
      Output.complain("\(error)")
      leave(with: 1)
    }
    if let code = error as? ExitCode { leave(with: code.rawValue) }
    // What the argument parser has to say repeats arguments as they are.
    let (code, text) = (exitCode(for: error), fullMessage(for: error))
    if !text.isEmpty {
      if code.isSuccess { Output.line(text) } else { Output.complain(text) }
    }
    leave(with: code == .validationFailure ? 2 : code.rawValue)
  }

  @MainActor
  mutating func run() async throws {
    let composition = try await common.compose(hasScreen: true)
    let program = try ReaderProgram(composition)
    let status = await program.run()
    if status != 0 { throw ExitCode(status) }
  }
}

/// What every verb takes.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Keep everything in this folder.", valueName: "DIR"))
  var store: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Read the settings from this file.", valueName: "FILE"))
  var config: String?

  /// - Parameters:
  ///   - hasScreen: whether it is the screen that tells of damage, and nothing may be written over it.
  ///   - namesSecretFile: whether the user is told where a secret is kept that the keyring does not
  ///     take.
  func compose(
    program: String = "telex", deadline: ContinuousClock.Instant? = nil,
    way: ProxyWish? = nil, hasScreen: Bool = false, namesSecretFile: Bool = false
  ) async throws -> Composition {
    let settings = try Settings.load(named: config)
    for mistake in settings.mistakes { Output.complain("warning: \(mistake)") }
    let composition = try Composition(
      folder: store, settings: settings, program: program, deadline: deadline, way: way
    ) { notice in
      switch notice {
      case .signInWait where hasScreen: break
      case .secretFile where !namesSecretFile: break
      default: Output.tell(notice)
      }
    }
    if !hasScreen { composition.onRepair { Output.complain($0) } }
    await composition.moveUsersToSecrets()
    return composition
  }
}
