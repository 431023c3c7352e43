internal import Screen

/// The help, made from the key map.
enum HelpPage {
  struct Line: Hashable {
    var keys: String
    var text: String
    var isHeading: Bool
  }

  /// One line for each binding; what does not fit beside its keys goes below them.
  static func lines(_ map: KeyMap, width: Int) -> [Line] {
    var lines: [Line] = []
    let column = keyColumn(width: width)
    for section in map.sections {
      if !lines.isEmpty { lines.append(Line(keys: "", text: "", isHeading: false)) }
      lines.append(Line(keys: section.topic.title, text: "", isHeading: true))
      for binding in section.bindings {
        let keys = binding.keyNames
        let texts = TextWrapping.wrap(binding.help, width: max(8, width - column - 2))
        if TextWidth.columns(of: keys) >= column - 1 {
          lines.append(Line(keys: keys, text: "", isHeading: false))
          lines += texts.map { Line(keys: "", text: String($0), isHeading: false) }
        } else {
          for (index, text) in texts.enumerated() {
            lines.append(
              Line(keys: index == 0 ? keys : "", text: String(text), isHeading: false))
          }
        }
      }
    }
    return lines
  }

  static func keyColumn(width: Int) -> Int { min(24, max(10, width / 3)) }
}
