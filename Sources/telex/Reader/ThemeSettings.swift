internal import News
internal import Reader
internal import Screen
internal import TelexKit

extension ThemeChoice {
  /// The built-in and user themes with the chosen one. Mistakes are noted.
  init(_ settings: ScreenSettings, _ keys: inout KeyScheme) {
    self.init()
    // A theme may be based on one below it.
    var rest = settings.themes
    var known = Set(pairs.map(\.name))
    var sorted: [ScreenSettings.ThemeTable] = []
    while let next = rest.firstIndex(where: { known.contains($0.base ?? "telex") }) {
      known.insert(rest[next].name)
      sorted.append(rest.remove(at: next))
    }
    for table in sorted + rest {
      let base = pairs.first { $0.name == table.base ?? "telex" }
      if base == nil { keys.note("there is no theme “\(table.base ?? "")”", at: table.place) }
      let changes = table.styles.compactMap { style in
        ThemePair.Change(style, &keys)
      }
      pairs.removeAll { $0.name == table.name }
      pairs.append(ThemePair(table.name, changing: base ?? pairs[0], changes))
    }
    guard let name = settings.theme else { return }
    if !pairs.contains(where: { $0.name == name.text }) {
      let known = pairs.map(\.name).joined(separator: ", ")
      keys.note("there is no theme “\(name.text)”; there are \(known)", at: name.place)
    }
    use(name.text)
  }
}

extension Highlight {
  /// The valid highlights of the settings. Mistakes are noted.
  static func all(of settings: ScreenSettings, _ keys: inout KeyScheme) -> [Highlight] {
    var all: [Highlight] = []
    for table in settings.highlights {
      guard let words = table.style, !table.patterns.isEmpty else {
        keys.note(
          "a highlight has a style, and title, feed or text with a pattern, or a query",
          at: table.place)
        continue
      }
      for (name, pattern) in table.patterns.sorted(by: { $0.key < $1.key }) {
        guard let field = Field(rawValue: name) else {
          keys.note(
            "a highlight has no “\(name)”; there are title, feed, text, query, style",
            at: table.place)
          continue
        }
        do {
          all.append(try Highlight(field, pattern, Style(words: words)))
        } catch let mistake as Style.Mistake {
          keys.note(mistake.message, at: table.place)
        } catch let mistake as QueryError {
          keys.note("query: \(mistake.line(in: pattern))", at: table.place)
        } catch {
          keys.note("“\(pattern)” is not a regular expression", at: table.place)
        }
      }
    }
    return all
  }
}

extension ThemePair.Change {
  fileprivate init?(_ style: ScreenSettings.ThemeStyle, _ keys: inout KeyScheme) {
    guard Theme.partNames.contains(style.part) else {
      let known = Theme.partNames.joined(separator: ", ")
      keys.note(
        "no part of the screen is called \(style.part); there are \(known)", at: style.place)
      return nil
    }
    do {
      self.init(
        style.part, try Style(words: style.words),
        on: style.background.map { $0 == .dark ? .dark : .light })
    } catch {
      keys.note((error as? Style.Mistake)?.message ?? "this is not a style", at: style.place)
      return nil
    }
  }
}
