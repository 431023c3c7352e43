internal import Foundation
internal import News

/// A connection to mpv by JSON IPC, which reports the position in a file and its end.
///
/// mpv listens at a socket in a private folder and reports changes; a thread reads them until mpv
/// ends.
final class PlayerLink: Sendable {
  private let folder: String
  private var path: String { folder + "/mpv" }

  /// In seconds: the position that a crash can lose.
  private static let interval = 5.0
  /// The time for mpv to open its socket.
  private static let patience = Duration.seconds(10)
  /// The most bytes of a line.
  private static let longestLine = 1 << 16

  /// - Returns: nil for another program, and without a place for a socket.
  init?(to arguments: [String]) {
    guard Self.isMpv(arguments) else { return nil }
    // The path of a socket has about a hundred bytes at most; a store’s may be longer.
    var template = Array("/tmp/telex-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    folder = String(cString: made)
  }

  static func isMpv(_ arguments: [String]) -> Bool {
    arguments.first?.split(separator: "/").last == "mpv"
  }

  /// The arguments for several files, each resumed at its position.
  func arguments(
    _ player: [String], playing files: [(target: String, playback: Playback?)]
  ) -> [String] {
    player.prefix(1) + ["--input-ipc-server=\(path)"] + player.dropFirst()
      + files.flatMap { target, playback -> [String] in
        playback?.resuming.map { ["--{", $0, target, "--}"] } ?? [target]
      }
  }

  /// The arguments for a file, resumed at its position.
  func arguments(_ arguments: [String], from playback: Playback?) -> [String] {
    let own = ["--input-ipc-server=\(path)", playback?.resuming].compactMap(\.self)
    return arguments.prefix(1) + own + arguments.dropFirst()
  }

  /// Reads reports until mpv ends.
  ///
  /// - Parameter report: called on a thread with the index of the file and the position, every few
  ///   seconds and at the end of the file.
  func follow(_ report: @escaping @Sendable (Int, Playback) -> Void) {
    Thread.detachNewThread { [self] in
      defer {
        unlink(path)
        rmdir(folder)
      }
      guard let socket = connect() else { return }
      defer { close(socket) }
      for (id, name) in ["time-pos", "duration", "playlist-pos"].enumerated() {
        let line = #"{"command":["observe_property",\#(id + 1),"\#(name)"]}"# + "\n"
        guard Array(line.utf8).withUnsafeBytes({ write(socket, $0.baseAddress, $0.count) }) > 0
        else { return }
      }
      read(from: socket, report)
    }
  }

  private func connect() -> Int32? {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      #if os(Linux)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      let socket = Foundation.socket(AF_UNIX, kind, 0)
      guard socket >= 0 else { return nil }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(socket, $0, size)
        }
      }
      if result == 0 { return socket }
      close(socket)
      usleep(50_000)
    }
    return nil
  }

  private func read(from socket: Int32, _ report: (Int, Playback) -> Void) {
    var file = 0
    var playback = Playback()
    var reported = playback
    func tell() {
      report(file, playback)
      reported = playback
    }
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(socket, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(rest[..<end])
        rest.removeFirst(end + 1)
        if let next = Self.place(inPlaylist: line) {
          guard next != file else { continue }
          if playback != reported { tell() }
          (file, playback, reported) = (next, Playback(), Playback())
          continue
        }
        playback.take(line: line)
        // Before the next file begins.
        if playback.isHeard, !reported.isHeard { tell() }
      }
      if rest.count > Self.longestLine { break }
      guard
        playback.isHeard != reported.isHeard
          || abs(Double(playback.seconds - reported.seconds)) >= Self.interval
      else { continue }
      tell()
    }
    if playback != reported { tell() }
  }

  /// The index of the playing file; nil for other lines.
  private static func place(inPlaylist line: Data) -> Int? {
    guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
      object["event"] as? String == "property-change", object["name"] as? String == "playlist-pos",
      let place = (object["data"] as? NSNumber)?.intValue, place >= 0
    else { return nil }
    return place
  }
}

extension Playback {
  /// The option of mpv to resume here; nil at the beginning.
  fileprivate var resuming: String? { isHeard || seconds <= 0 ? nil : "--start=\(seconds)" }

  /// Applies a line of mpv; unknown lines change nothing.
  mutating func take(line: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any] else {
      return
    }
    let number = (object["data"] as? NSNumber)?.doubleValue
    switch (object["event"] as? String, object["name"] as? String) {
    case ("property-change", "time-pos"):
      guard let number, number.isFinite, (0..<1e9).contains(number) else { return }
      seconds = Int(number)
      // Resumed or repeated after its end.
      if seconds > 0 { isHeard = false }
    case ("property-change", "duration"):
      if let number, number.isFinite, (1..<1e9).contains(number) { duration = Int(number) }
    case ("end-file", _):
      guard object["reason"] as? String == "eof" else { return }
      isHeard = true
      seconds = 0
    default: return
    }
  }
}
