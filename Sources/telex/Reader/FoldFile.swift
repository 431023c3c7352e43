internal import News
internal import Reader
internal import Text

/// What the user has closed in the sidebar, in a file of the store's folder: a line for each folder, as in
/// `folder 1 News/World` with the number of its account, and `tags`.
struct FoldFile: Sendable {
  private let file: SharedLines

  init(folder: String) { file = SharedLines(folder + "/folds") { $0 } }

  /// Nothing where there is no file, or none that can be read.
  var folds: Folds {
    var folds = Folds()
    for line in file.read() {
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      if line == "tags" { folds.areTagsClosed = true }
      guard words.count == 3, words[0] == "folder", let account = Int64(words[1]) else { continue }
      folds.folders.insert(
        FolderID(PlainText.sanitizedName(String(words[2])), of: AccountID(account)))
    }
    file.know(Self.lines(folds))
    return folds
  }

  func write(_ folds: Folds) { file.write(Self.lines(folds)) }

  private static func lines(_ folds: Folds) -> [String] {
    folds.folders.map { "folder \($0.account.rawValue) \($0.path)" }.sorted()
      + (folds.areTagsClosed ? ["tags"] : [])
  }
}
