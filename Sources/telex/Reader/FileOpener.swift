internal import Foundation
internal import News

/// The programs that play and open files of articles, started without a shell.
struct FileOpener: Sendable {
  /// For audio and video. `%u` stands for the address or path, which is otherwise appended.
  private let player: [String]
  /// For other downloaded files.
  private let opener: [String]
  private let usesTerminal: Bool

  /// - Parameter command: of the settings; nil for mpv where it is installed, else the opener of
  ///   the system.
  init(command: [String]?, usesTerminal: Bool, environment: [String: String]) {
    #if os(macOS)
      opener = ["open"]
    #else
      opener = ["xdg-open"]
    #endif
    let words = command ?? []
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let hasPlayer = folders.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/mpv")
    }
    // Without a window mpv would need the terminal.
    player = words.isEmpty ? (hasPlayer ? ["mpv", "--force-window"] : opener) : words
    self.usesTerminal = usesTerminal && !words.isEmpty
  }

  /// The command for a file.
  ///
  /// - Parameter path: of the downloaded file; nil without one.
  /// - Returns: nil for a file that the browser opens.
  func command(
    for file: Enclosure, at path: String?
  ) throws -> (arguments: [String], usesTerminal: Bool)? {
    let isPlayed = Self.isPlayed(file)
    guard isPlayed || path != nil else { return nil }
    let target = try checked(path ?? file.url, of: file, at: path)
    let command = isPlayed ? player : opener
    let isNamed = command.contains { $0.contains("%u") }
    let arguments =
      isNamed
      ? command.map { $0.replacingOccurrences(of: "%u", with: target) } : command + [target]
    return (arguments, usesTerminal && isPlayed)
  }

  /// The arguments to play several files in turn.
  ///
  /// - Returns: the command of the player, and the addresses or paths; no targets where the command
  ///   contains the place of a single file.
  func playlist(
    of files: [(file: Enclosure, path: String?)]
  ) throws -> (player: [String], targets: [String], usesTerminal: Bool) {
    let targets = try files.map { file, path in
      try checked(path ?? file.url, of: file, at: path)
    }
    guard let place = player.firstIndex(where: { $0.contains("%u") }) else {
      return (player, targets, usesTerminal)
    }
    if PlayerLink.isMpv(player) {
      return (player.filter { !$0.contains("%u") }, targets, usesTerminal)
    }
    var words = player
    words[place] = words[place].replacingOccurrences(of: "%u", with: targets[0])
    return (words, [], usesTerminal)
  }

  private func checked(_ target: String, of file: Enclosure, at path: String?) throws -> String {
    let scheme = file.url.prefix { $0 != ":" }.lowercased()
    guard path?.hasPrefix("/") ?? ["http", "https"].contains(scheme),
      !target.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else {
      throw SourceError(
        .address, stage: .address, subject: String(file.url.prefix(60)),
        message: "only http and https addresses are opened")
    }
    return target
  }

  /// Starts the program, and waits for its end if it uses the terminal.
  static func run(_ arguments: [String], usesTerminal: Bool, stop: () -> Void = {}) throws {
    do {
      try Spawn.run(arguments, detached: !usesTerminal, stop: stop)
    } catch let error as Spawn.Failure {
      throw SourceError(
        .file, stage: .config, subject: arguments[0],
        message: error.isMissing ? "there is no such program to open the file with" : error.message,
        next: "name one with player.command in the settings")
    }
  }

  private static let endings = [
    "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "mp4", "m4v", "mkv", "webm",
    "mov", "avi", "m3u8",
  ]

  /// Whether it is audio or video, by its type or the extension of its address.
  static func isPlayed(_ file: Enclosure) -> Bool {
    guard file.role == .media else { return false }
    if let type = file.type?.lowercased() {
      if type.hasPrefix("audio/") || type.hasPrefix("video/") { return true }
      // The default of servers.
      guard type.hasPrefix("application/octet-stream") else { return false }
    }
    let path = URL(string: file.url)?.path ?? ""
    return endings.contains { path.lowercased().hasSuffix("." + $0) }
  }
}
