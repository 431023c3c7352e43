internal import Reader

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
