internal import ArgumentParser
internal import Foundation
internal import TelexKit

/// Completions of words from the store of the command line.
extension CompletionKind {
  static var feeds: CompletionKind { words { $0.addresses } }
  static var folders: CompletionKind { words { $0.folders } }
  static var tags: CompletionKind { words { $0.tags } }
  static var smartFeeds: CompletionKind { words { $0.smartFeeds } }
  static var accounts: CompletionKind { words { $0.accounts + ["local"] } }
  static var servers: CompletionKind { words { $0.accounts } }

  private static func words(
    _ names: @escaping @Sendable (StoreNames) -> [String]
  ) -> CompletionKind {
    .custom { line, _, prefix in
      // Shells compare these words with the typed one; some insert them unchanged.
      let typed = unquoted(prefix)
      return names(StoreNames(folder: storeFolder(in: line))).filter { $0.hasPrefix(typed) }
        .map(escaped)
    }
  }

  /// The typed beginning of a word without the quotes and backslashes of a shell.
  private static func unquoted(_ text: String) -> String {
    var (word, isEscaped) = ("", false)
    for character in text.drop(while: { $0 == "\"" || $0 == "'" }) {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      word.append(character)
      isEscaped = false
    }
    return word
  }

  /// A word for the requesting shell: in zsh a description follows the first unescaped colon.
  private static func escaped(_ word: String) -> String {
    guard CompletionShell.requesting == .zsh else { return word }
    return word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  /// The value of `--store` on a command line.
  private static func storeFolder(in line: [String]) -> String? {
    var named: String?
    for (index, word) in line.enumerated() {
      if word == "--store", index + 1 < line.count { named = line[index + 1] }
      if word.hasPrefix("--store=") { named = String(word.dropFirst("--store=".count)) }
    }
    guard let path = named?.trimmingCharacters(in: CharacterSet(charactersIn: "\"'")),
      !path.isEmpty
    else { return nil }
    return (path as NSString).expandingTildeInPath
  }
}
