internal import Foundation
internal import News
internal import Reader
internal import Synchronization

/// The program that reads articles aloud from its standard input: that of the settings, else an
/// installed one.
struct SpeechProgram: Sendable {
  /// The name of the program comes first.
  struct Voice: Sendable {
    var arguments: [String]
    /// Stops a speech server, which continues after the end of its client.
    var silencing: [String]?
    /// Speaks silently and ends soon if it can speak: without a sound device a speech server blocks
    /// its clients.
    var trial: [String]?
  }

  /// The first word after a boot takes some seconds.
  private static let longestTrial = Duration.seconds(10)

  private let own: [String]?
  private let folders: [String]

  /// - Parameter own: of the settings; nil for an installed one.
  init(own: [String]?, environment: [String: String]) {
    self.own = own
    folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  /// Candidates in order: a program may lack the language, or its server.
  func voices(language: String?) -> [Voice] {
    if let own { return [Voice(arguments: own)] }
    let server = Voice(
      arguments: ["spd-say", "--pipe-mode", "--wait"], silencing: ["spd-say", "--cancel"],
      trial: ["spd-say", "--wait", "--volume", "-100", "a"])
    let known: [(voice: Voice, language: String)] = [
      (server, "--language"), (Voice(arguments: ["espeak-ng", "--stdin"]), "-v"),
      (Voice(arguments: ["espeak", "--stdin"]), "-v"),
    ]
    var voices: [Voice] = []
    for (voice, option) in known where isInstalled(voice.arguments[0]) {
      if let language {
        var own = voice
        own.arguments += [option, language]
        voices.append(own)
      }
      voices.append(voice)
    }
    #if os(macOS)
      voices.append(Voice(arguments: ["say", "-f", "-"]))
    #endif
    return voices
  }

  private func isInstalled(_ name: String) -> Bool {
    folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  /// Reads an article aloud until its end or cancellation.
  ///
  /// - Parameter language: of the feed; nil if unknown.
  /// - Throws: `SourceError` where no program can speak.
  func read(_ article: Article, language: String?, variables: [String: String]) async throws {
    let spoken = SpokenArticle(article, language: language)
    var variables = variables
    variables["TELEX_LANGUAGE"] = spoken.language ?? ""
    variables["TELEX_TITLE"] = article.entry.title ?? ""
    var failure: SourceError?
    // Whether the tried programs can speak.
    var trials: [String: Bool] = [:]
    for voice in voices(language: spoken.language) {
      let name = voice.arguments[0]
      if let trial = voice.trial, trials[name] == nil {
        trials[name] = await ends(trial, variables)
      }
      if Task.isCancelled { return }
      if trials[name] == false {
        guard failure == nil else { continue }
        // The server may not answer this either.
        if let words = voice.silencing { _ = await ends(words, variables, within: .seconds(2)) }
        failure = Self.failure(
          of: name, "it does not begin to speak: is there a device for sounds?")
        continue
      }
      let printed = Mutex("")
      let child = ChildProgram(name, voice.arguments, variables: variables)
      let end = await child.run(input: Array(Self.harmless(spoken.text).utf8)) { text in
        printed.withLock { $0 = String(($0 + text).suffix(500)) }
      }
      if Task.isCancelled {
        if let words = voice.silencing { _ = try? Spawn.run(words, detached: true) }
        return
      }
      guard end != .exited(0) else { return }
      // The first program is the preferred one.
      failure = failure ?? Self.failure(of: name, end, printed.withLock { $0 })
    }
    throw failure
      ?? SourceError(
        .program, stage: .config, subject: "",
        message: "there is no program to read aloud with",
        next: "install speech-dispatcher or espeak-ng, or name one with speech.command")
  }

  /// Removes commands of speech programs: `!-!` at the start of a line for spd-say, `[[` for say
  /// and espeak.
  static func harmless(_ text: String) -> String {
    // By scalars: a letter with a combining accent is another character with the same first bytes.
    var harmless = String.UnicodeScalarView()
    var before: Unicode.Scalar = "\n"
    for scalar in text.unicodeScalars {
      if before == "\n" && scalar == "!" || before == "[" && scalar == "[" { harmless.append(" ") }
      harmless.append(scalar)
      before = scalar
    }
    return String(harmless) + "\n"
  }

  /// Whether a program ends within a limit, successfully or not. Otherwise it is killed.
  private func ends(
    _ words: [String], _ variables: [String: String], within limit: Duration = longestTrial
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        let child = ChildProgram(words[0], words, variables: variables)
        _ = await child.run(input: []) { _ in }
        return !Task.isCancelled
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      let isEnded = await group.next() ?? false
      group.cancelAll()
      return isEnded
    }
  }

  private static func failure(
    of name: String, _ end: ProgramEnd, _ printed: String
  ) -> SourceError {
    let words = printed.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) }
    return switch end {
    case .exited(let status):
      failure(of: name, words.map(String.init) ?? "it has ended with status \(status)")
    case .killed(let signal): failure(of: name, "it was ended by signal \(signal)")
    case .failed(let message): failure(of: name, message)
    }
  }

  private static func failure(of name: String, _ message: String) -> SourceError {
    SourceError(
      .program, stage: .config, subject: name, message: message,
      next: "name another one with speech.command in the settings")
  }
}
