internal import Foundation
internal import News
internal import Reader
internal import TelexKit
internal import Text

/// The user's editor, with a text in a file that only the user can read.
struct TextEditor {
  let path: String

  /// - Parameter name: what the file is called, in a folder of its own.
  /// - Throws: `SourceError` where the file cannot be written.
  init(_ text: String, name: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "telex-\(UUID().uuidString)").path
    guard mkdir(folder, 0o700) == 0 else { throw Self.unwritten(folder, errno) }
    path = folder + "/" + name
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array(text.utf8)
    let count =
      file < 0 ? -1 : bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    let code = errno
    if file >= 0 { close(file) }
    guard count == bytes.count else {
      discard()
      throw Self.unwritten(path, code)
    }
  }

  /// The editor with its arguments: `$VISUAL`, else `$EDITOR`, else vi.
  ///
  /// - Throws: `SourceError` where the variable is no command.
  static var command: [String] {
    get throws {
      for name in ["VISUAL", "EDITOR"] {
        guard let line = Environment[name], !line.allSatisfy(\.isWhitespace) else { continue }
        do throws(CommandWords.Mistake) {
          return try CommandWords(line, home: Environment["HOME"]).words
        } catch {
          throw SourceError(
            .file, stage: .config, subject: name, message: error.message,
            next: "name an editor with its arguments there, or a script of your own")
        }
      }
      return ["vi"]
    }
  }

  /// Opens the editor, and waits for its end.
  ///
  /// - Throws: `SourceError` where there is no such program, or it has failed; the file stays as it is.
  func run() throws {
    let command: [String]
    do { command = try Self.command } catch {
      discard()
      throw error
    }
    do {
      let end = try Spawn.run(command + [path], detached: false, stop: { raise(SIGSTOP) })
      guard end != .exited(0) else { return }
      throw SourceError(
        .file, stage: .config, subject: command[0], message: "the editor has failed",
        next: "nothing has changed; your text is in \(path)")
    } catch let error as Spawn.Failure {
      discard()
      throw SourceError(
        .file, stage: .config, subject: command[0],
        message: error.isMissing
          ? "there is no editor \(command[0])" : "the editor \(error.message)",
        next: "name one in the variable EDITOR")
    }
  }

  /// What is in the file.
  ///
  /// - Throws: `SourceError` where the editor has removed it.
  func bytes() throws -> [UInt8] { try InputDocument.bytes(of: path) }

  /// Removes the file with its folder.
  func discard() {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  private static func unwritten(_ path: String, _ code: Int32) -> SourceError {
    SourceError(
      .file, stage: .config, subject: path,
      message: "the text cannot be written: \(String(cString: strerror(code)))")
  }
}
