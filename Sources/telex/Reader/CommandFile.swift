internal import Foundation
internal import News
internal import Reader
internal import TelexKit

/// The lines that were typed after `:`, or the words of searches, in a file of the store's folder. Several readers may write it: the latest lines
/// of each are kept.
struct CommandFile: Sendable {
  let path: String

  init(folder: String, name: String = "commands") { path = folder + "/" + name }

  /// The latest last; none where there is no file, or none that can be read.
  func lines() -> [String] { (try? stored()) ?? [] }

  private func stored() throws(SourceError) -> [String] {
    guard let data = try StoredFile.contents(of: path, purpose: "the history") else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return Array(lines.suffix(ReaderState.longestHistory))
  }

  /// Adds a line, unless a password may be in it. What cannot be read or written is not kept: the line has
  /// been run.
  func add(_ line: String) {
    guard !line.contains("\n"), !line.contains(#/:\/\/[^\/\s]*@/#),
      var lines = try? stored().filter({ $0 != line })
    else { return }
    lines.append(line)
    let text = lines.suffix(ReaderState.longestHistory).joined(separator: "\n") + "\n"
    SmallFile.write(text, to: path)
  }
}
