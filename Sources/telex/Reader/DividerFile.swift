internal import Foundation
internal import Reader

/// Where the user has moved the lines between the panes to, in a file of the store's folder: a line for each, as in
/// `sidebar 180`, in thousandths of the room.
struct DividerFile: Sendable {
  let path: String

  init(folder: String) { path = folder + "/dividers" }

  /// Those of the program where there is no file, or none that can be read.
  var dividers: Dividers {
    guard let data = FileManager.default.contents(atPath: path) else { return Dividers() }
    var places: [Divider: Int] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let divider = Divider(rawValue: String(words[0])) else { continue }
      places[divider] = Int(words[1])
    }
    return Dividers(places)
  }

  func write(_ dividers: Dividers) {
    let lines = dividers.places.map { "\($0.key.rawValue) \($0.value)\n" }.sorted()
    SmallFile.write(lines.joined(), to: path)
  }
}
