internal import Reader

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
