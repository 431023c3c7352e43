internal import Foundation
internal import Reader

/// How the user has lists shown, in a file of the store's folder: a line for each, as in `oldest unread feed 12`, and
/// `feeds unread` where the sidebar has feeds with unread articles alone.
struct ListHabitFile: Sendable {
  let path: String

  init(folder: String) { path = folder + "/list-habits" }

  /// Those of the program where there is no file. Lines that cannot be read are passed over.
  var habits: ListHabits {
    guard let data = FileManager.default.contents(atPath: path) else { return ListHabits() }
    return ListHabits(
      lines: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  func write(_ habits: ListHabits) {
    SmallFile.write(habits.lines.map { $0 + "\n" }.joined(), to: path)
  }
}
