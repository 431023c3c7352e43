internal import ArgumentParser
internal import Foundation
internal import TelexKit

/// What shells complete from the store that a command line is about.
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
      let all = names(StoreNames(folder: storeFolder(in: line)))
      // Shells compare what they get with what is typed; some take it as it is.
      let typed = prefix.drop { $0 == "\"" || $0 == "'" }
      return all.filter { $0.hasPrefix(typed) }
    }
  }

  /// The folder that `--store` names in the words of a command line.
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
