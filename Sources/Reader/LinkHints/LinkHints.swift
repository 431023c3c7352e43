internal import Screen

/// Letters on the links that show: typing those of a link opens it.
struct LinkHints: Hashable, Sendable {
  struct Hint: Hashable, Sendable {
    let label: String
    let place: LinkPlace
  }

  let hints: [Hint]
  let size: Size
  /// Whether the links are those of the open article, else of the screen below.
  let isOfArticle: Bool
  private(set) var typed = ""

  /// The letters, those that are easiest to reach first.
  private static let letters = Array("fjdkslaghrueiwoqptyvncmxzb")

  init(_ places: [LinkPlace], size: Size, isOfArticle: Bool) {
    self.size = size
    self.isOfArticle = isOfArticle
    let length = places.count <= Self.letters.count ? 1 : 2
    hints = places.prefix(Self.letters.count * Self.letters.count).enumerated().map {
      let first = Self.letters[$0 / (length == 1 ? 1 : Self.letters.count) % Self.letters.count]
      let second = length == 1 ? "" : String(Self.letters[$0 % Self.letters.count])
      return Hint(label: String(first) + second, place: $1)
    }
  }
}

extension LinkHints: ReaderScreen {
  static let name = "link-hints"
  static let layer = ScreenLayer.prompt

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    // Another size has other places.
    guard let key = press.key, state.size == size else { return .closed([]) }
    switch key {
    case .control("z"): return .done([.suspend])
    case .backspace where !typed.isEmpty: typed.removeLast()
    case .character(let letter):
      let text = typed + letter.lowercased()
      if let hint = hints.first(where: { $0.label == text }) {
        return .closed(
          isOfArticle
            ? LinkOpening.follow(hint.place.number, in: &state)
            : [.opening(.openLink(hint.place.url))])
      }
      guard hints.contains(where: { $0.label.hasPrefix(text) }) else {
        return .closed(state.notify(CoreStrings.noLink(text)))
      }
      typed = text
    default: return .closed([])
    }
    return .done([])
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    .closed([])
  }

  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    .done([])
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    guard let line = state.layout.status else { return }
    frame.fill(line, state.theme.text)
    let label = state.size.width < 68 ? "Letters: " : CoreStrings.linkPrompt
    LineEditor(typed).draw(&frame, line, after: label, state.theme)
    guard state.size == size else { return }
    for hint in hints where hint.label.hasPrefix(typed) && hint.place.y < line.y {
      frame.label(
        hint.label.uppercased(), x: hint.place.x, y: hint.place.y, style: state.theme.selected,
        width: max(0, size.width - hint.place.x))
    }
  }
}

extension ReaderState {
  mutating func label(_ places: [LinkPlace], isOfArticle: Bool = true) -> [Effect] {
    stack.push(LinkHints(places, size: size, isOfArticle: isOfArticle))
    return []
  }
}
