internal import News
internal import Reader
internal import Text

/// How the user has lists shown, in a file of the store's folder: a line for each, as in `oldest unread feed 12`, and
/// `feeds unread` where the sidebar has feeds with unread articles alone.
struct ListHabitFile: Sendable {
  private let file: SharedLines

  init(folder: String) {
    file = SharedLines(folder + "/list-habits", key: ListHabits.subject(ofLine:))
  }

  /// Those of the program where there is no file. Lines that cannot be read are passed over.
  var habits: ListHabits {
    let habits = ListHabits(lines: file.read())
    file.know(habits.lines)
    return habits
  }

  func write(_ habits: ListHabits) { file.write(habits.lines) }
}

/// Where the user has moved the lines between the panes to, in a file of the store's folder: a line for each, as in
/// `sidebar 180`, in thousandths of the room.
struct DividerFile: Sendable {
  private let file: SharedLines

  init(folder: String) {
    file = SharedLines(folder + "/dividers") { String($0.prefix { $0 != " " }) }
  }

  /// Those of the program where there is no file, or none that can be read.
  var dividers: Dividers {
    var places: [Divider: Int] = [:]
    for line in file.read() {
      let words = line.split(separator: " ")
      guard words.count == 2, let divider = Divider(rawValue: String(words[0])) else { continue }
      places[divider] = Int(words[1])
    }
    let dividers = Dividers(places)
    file.know(Self.lines(dividers))
    return dividers
  }

  func write(_ dividers: Dividers) { file.write(Self.lines(dividers)) }

  private static func lines(_ dividers: Dividers) -> [String] {
    dividers.places.map { "\($0.key.rawValue) \($0.value)" }.sorted()
  }
}

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
