internal import TOMLKit

// What is wrong is noted and does not keep the reader shut.
extension ScreenSettings {
  /// Reads the table of a theme of the user's own.
  mutating func take(
    theme name: String, _ value: any TOMLValueConvertible, _ reader: TableReader
  ) {
    let path = ["themes", name]
    func place(_ path: [String]) -> Place { reader.text(of: reader.place(of: path)) }
    guard let table = value.table else {
      let message = "write it as a table: [\(path.joined(separator: "."))]"
      mistakes.append(Mistake(place: place(path), message: message))
      return
    }
    var theme = ThemeTable(name: name, place: place(path))
    func take(_ key: String, _ value: any TOMLValueConvertible, _ path: [String]) {
      guard let words = value.string else {
        let message = "\(key) must be a string, such as \"yellow on #202020 bold\""
        mistakes.append(Mistake(place: place(path), message: message))
        return
      }
      if key == "base", path.count == 3 { return theme.base = words }
      theme.styles.append(
        ThemeStyle(
          part: key, words: words,
          background: path.count == 4 ? Background(rawValue: path[2]) : nil,
          place: place(path)))
    }
    for (key, value) in table {
      guard Background(rawValue: key) != nil, let inner = value.table else {
        take(key, value, path + [key])
        continue
      }
      for (part, value) in inner { take(part, value, path + [key, part]) }
    }
    // One background's own style goes before that for both.
    theme.styles.sort {
      ($0.background != nil ? 1 : 0, $0.part) < ($1.background != nil ? 1 : 0, $1.part)
    }
    themes.append(theme)
  }

  /// Reads one table of `[[highlights]]`.
  mutating func take(highlight table: TOMLTable, at index: Int, _ reader: TableReader) {
    let place = reader.text(of: reader.place(ofList: "highlights", at: index))
    var highlight = HighlightTable(place: place)
    for (key, value) in table {
      guard let text = value.string else {
        mistakes.append(Mistake(place: place, message: "highlights.\(key) must be a string"))
        continue
      }
      if key == "style" { highlight.style = text } else { highlight.patterns[key] = text }
    }
    highlights.append(highlight)
  }
}
