internal import News
internal import Reader
internal import TelexKit

/// The history of `:` or of searches, in a file beside the store that several readers may write.
/// The latest lines are kept.
struct CommandFile: Sendable {
  let path: String

  init(folder: String, name: String = "commands") { path = folder + "/" + name }

  /// The latest line is the last. Empty without a readable file.
  func lines() -> [String] { (try? stored()) ?? [] }

  private func stored() throws(SourceError) -> [String] {
    guard let data = try StoredFile.contents(of: path, purpose: "the history") else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return Array(lines.suffix(ReaderState.longestHistory))
  }

  /// Adds a line, unless it may contain a password. Errors are ignored, since the line was run.
  func add(_ line: String) {
    guard !line.contains("\n"), !line.contains(#/:\/\/[^\/\s]*@/#),
      var lines = try? stored().filter({ $0 != line })
    else { return }
    lines.append(line)
    let text = lines.suffix(ReaderState.longestHistory).joined(separator: "\n") + "\n"
    SmallFile.write(text, to: path)
  }
}
