internal import Foundation
internal import News
internal import Reader
internal import Text

/// The order and the filters of lists, in a file beside the store: a line for each, such as `oldest
/// unread feed 12`, and `feeds unread` where the sidebar shows feeds with unread articles only.
struct ListHabitFile: Sendable {
  private let file: SharedLines

  init(folder: String) {
    file = SharedLines(folder + "/list-habits", key: ListHabits.subject(ofLine:))
  }

  /// The defaults without a file. Invalid lines are ignored.
  var habits: ListHabits {
    let habits = ListHabits(lines: file.read())
    file.know(habits.lines)
    return habits
  }

  func write(_ habits: ListHabits) { file.write(habits.lines) }
}

/// The sizes of panes, in a file beside the store: a line for each divider, such as `sidebar 180`,
/// in thousandths of the room.
struct DividerFile: Sendable {
  private let file: SharedLines

  init(folder: String) {
    file = SharedLines(folder + "/dividers") { String($0.prefix { $0 != " " }) }
  }

  /// The defaults without a readable file.
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

/// The collapsed parts of the sidebar, in a file beside the store: `tags`, and a line for each
/// folder with the number of its account, such as `folder 1 News/World`.
struct FoldFile: Sendable {
  private let file: SharedLines

  init(folder: String) { file = SharedLines(folder + "/folds") { $0 } }

  /// Empty without a readable file.
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

/// Where the reader was left, in a file beside the store. The last reader to end writes it.
struct LastPlaceFile: Sendable {
  let path: String

  /// The top of All without a readable file.
  var place: LastPlace {
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    return LastPlace(lines: text?.split(separator: "\n").map(String.init) ?? [])
  }

  func write(_ place: LastPlace) {
    SmallFile.write(place.lines.map { $0 + "\n" }.joined(), to: path)
  }
}
