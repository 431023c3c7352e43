internal import Foundation
internal import News
internal import Reader
internal import TelexKit
internal import Text

/// A text in a file that only the user can read, in the user’s editor.
struct TextEditor {
  let path: String

  /// - Parameter name: of the file, which is in a folder of its own.
  /// - Throws: `SourceError` where the file cannot be written.
  init(_ text: String, name: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "telex-\(UUID().uuidString)").path
    guard mkdir(folder, 0o700) == 0 else { throw SmallFile.unwritten(folder, errno) }
    path = folder + "/" + name
    do { try SmallFile.create(text, at: path) } catch {
      discard()
      throw error
    }
  }

  /// The editor with its arguments: `$VISUAL`, else `$EDITOR`, else vi.
  ///
  /// - Throws: `SourceError` where the variable is not a command.
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

  /// Opens the editor and waits for its end.
  ///
  /// - Throws: `SourceError` where the editor is missing, which discards the file, or has failed.
  func run() throws {
    let isDone: Bool
    do { isDone = try Self.edit(path, stop: { raise(SIGSTOP) }) } catch {
      discard()
      throw error
    }
    guard isDone else {
      throw try Self.failure(next: "nothing has changed; your text is in \(path)")
    }
  }

  /// Opens the editor with a file and waits for its end.
  ///
  /// - Parameter stop: stops this program together with the editor.
  /// - Returns: false where the editor has failed.
  /// - Throws: `SourceError` where it cannot be started.
  static func edit(_ path: String, stop: () -> Void) throws -> Bool {
    let command = try command
    do {
      return try Spawn.run(command + [path], detached: false, stop: stop) == .exited(0)
    } catch let error as Spawn.Failure {
      throw SourceError(
        .file, stage: .config, subject: command[0],
        message: error.isMissing
          ? "there is no editor \(command[0])" : "the editor \(error.message)",
        next: "name one in the variable EDITOR")
    }
  }

  static func failure(next: String) throws -> SourceError {
    SourceError(
      .file, stage: .config, subject: try command[0], message: "the editor has failed", next: next)
  }

  func bytes() throws -> [UInt8] { try InputDocument.bytes(of: path) }

  /// Removes the file with its folder.
  func discard() {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }
}
