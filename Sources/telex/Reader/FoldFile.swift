internal import Foundation
internal import News
internal import Reader
internal import Text

/// What the user has closed in the sidebar, in a file of the store's folder: a line for each folder, as in
/// `folder 1 News/World` with the number of its account, and `tags`.
struct FoldFile: Sendable {
  let path: String

  init(folder: String) { path = folder + "/folds" }

  /// Nothing where there is no file, or none that can be read.
  var folds: Folds {
    var folds = Folds()
    guard let data = FileManager.default.contents(atPath: path) else { return folds }
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      if line == "tags" { folds.areTagsClosed = true }
      guard words.count == 3, words[0] == "folder", let account = Int64(words[1]) else { continue }
      folds.folders.insert(
        FolderID(PlainText.sanitizedName(String(words[2])), of: AccountID(account)))
    }
    return folds
  }

  func write(_ folds: Folds) {
    let lines =
      folds.folders.map { "folder \($0.account.rawValue) \($0.path)\n" }.sorted()
      + (folds.areTagsClosed ? ["tags\n"] : [])
    SmallFile.write(lines.joined(), to: path)
  }
}
