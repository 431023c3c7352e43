internal import News
internal import Screen
internal import Text

extension Command {
  static let feedForm = Command("feed-settings")
  static let editField = Command("edit-field")
  static let toggleField = Command("toggle-field")
  static let resetField = Command("reset-field")
  static let nextField = Command("next-field")
  static let previousField = Command("previous-field")
}

extension KeyTopic {
  static let feedForm = KeyTopic("Settings of a feed")
}

extension KeyBinding {
  static let feedForm = KeyBinding(
    .feedForm, [.character("c")], "change what is set for the feed", .feeds)
}

/// The screen of all that is set for one feed, a line each.
struct FeedForm: Hashable {
  /// A line of the screen.
  enum Field: Hashable, Sendable, SelectableRow {
    case title, folders
    case setting(FeedSetting)
    case proxy, address

    var selectionID: Field { self }

    static let all: [Field] =
      [.title, .folders] + FeedSetting.allCases.map { .setting($0) } + [.proxy, .address]

    var label: String {
      switch self {
      case .title: "title"
      case .folders: "folders"
      case .setting(let setting): setting.rawValue
      case .proxy: "proxy"
      case .address: "address"
      }
    }
  }

  let id: FeedID
  var selection = ScrollingSelection<Field>(.title)

  var selected: Field { Field.all[selection.nearestIndex(in: Field.all) ?? 0] }
}

extension FeedSetting {
  /// The values that Space goes through, from that without a setting on; empty where it takes a text.
  var choices: [String] {
    switch self {
    case .paused, .hidden, .silent, .fullText: ["no", "yes"]
    case .update: FeedSettings.Update.allCases.map(\.rawValue)
    case .interval, .browser, .userAgent, .headers, .keepFor, .keepAtMost: []
    }
  }
}

extension FeedForm: ReaderScreen {
  static let name = "feed"
  static let layer = ScreenLayer.page
  static let bindings: [KeyBinding] =
    // Without pages: their keys include the space bar.
    KeyBinding.motions.filter { $0.command.motion.map { !$0.isOfPages } ?? true } + [
      .back, .leave,
      KeyBinding(.nextField, [.tab], "the next line", .feedForm),
      KeyBinding(.previousField, [.backTab], "the line before", .feedForm),
      KeyBinding(.editField, [.enter], "type another value, or change between two", .feedForm),
      KeyBinding(.toggleField, [.character(" ")], "the next value, as of yes and no", .feedForm),
      KeyBinding(.resetField, [.character("x"), .delete], "take the setting back", .feedForm),
      .undo, .redo,
    ]

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    let height = rows(state.size).height
    if let motion = command.motion {
      selection.move(by: motion.delta(height: height), in: Field.all, height: height)
      return .done([])
    }
    guard let feed = state.feed(id) else { return .closed(state.tell("the feed is gone")) }
    switch command {
    case .back, .leave:
      state.notice = nil
      return .closed([])
    case .nextField, .previousField:
      selection.move(
        by: command == .nextField ? 1 : -1, in: Field.all, height: height)
      return .done([])
    case .editField: return .done(edit(feed, in: &state))
    case .toggleField: return .done(toggle(feed, in: &state))
    case .resetField:
      guard case .setting(let setting) = selected, setting.text(in: feed.settings) != nil else {
        return .done(state.tell("there is nothing to take back here"))
      }
      return .done([.setFeed(id, setting, to: FeedSetting.none)])
    case .undo, .redo: return state.performInPanes(command)
    default: return .ignored
    }
  }

  private func edit(_ feed: Feed, in state: inout ReaderState) -> [Effect] {
    switch selected {
    case .title: state.askForTitle(of: feed)
    case .folders: state.askForFolders(of: feed)
    case .setting(let setting):
      guard setting.choices.isEmpty else { return toggle(feed, in: &state) }
      let text = setting.text(in: feed.settings) ?? ""
      state.ask(.feedSetting(id, setting, LineEditor(selected: text)))
    case .proxy: return state.tell("telex set FEED --proxy changes it")
    case .address: return state.tell("\(state.key(.health)) moves a feed that has another address")
    }
    return []
  }

  private func toggle(_ feed: Feed, in state: inout ReaderState) -> [Effect] {
    guard case .setting(let setting) = selected, !setting.choices.isEmpty else {
      return state.tell("\(state.key(.editField, on: Self.self)) changes it")
    }
    let present = setting.text(in: feed.settings)
    let index = present.flatMap(setting.choices.firstIndex) ?? 0
    return [
      .setFeed(id, setting, to: setting.choices[(index + 1) % setting.choices.count])
    ]
  }

  // MARK: Mouse and changes

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    let rows = rows(state.size)
    switch mouse.kind {
    case .wheelDown: selection.move(by: 3, in: Field.all, height: rows.height)
    case .wheelUp: selection.move(by: -3, in: Field.all, height: rows.height)
    case .click, .doubleClick:
      let index = selection.firstVisible(in: Field.all, height: rows.height) + mouse.y - rows.y
      guard rows.contains(x: mouse.x, y: mouse.y), Field.all.indices.contains(index) else { break }
      selection.selectInPlace(index, in: Field.all)
      if mouse.kind == .doubleClick, let feed = state.feed(id) {
        return .done(edit(feed, in: &state))
      }
    }
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    selection.settle(in: Field.all, height: rows(state.size).height)
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint("?", "keys"), KeyHint("Enter", "change"), KeyHint("Space", "next value"),
      KeyHint("x", "take back"), KeyHint("q", "back"),
    ]
  }
}

extension Motion {
  fileprivate var isOfPages: Bool {
    switch self {
    case .pageDown, .pageUp, .halfDown, .halfUp: true
    case .down, .up, .first, .last: false
    }
  }
}

extension ReaderState {
  /// Takes the value that was typed for a setting. One that is none is told with what it takes, and the line stays
  /// open.
  mutating func finishSetting(
    _ id: FeedID, _ setting: FeedSetting, _ text: String
  ) -> ScreenResponse {
    guard let feed = feed(id) else { return .closed(tell("the feed is gone")) }
    var settings = feed.settings
    do {
      try setting.set(text, in: &settings)
    } catch {
      let error = error as? SourceError
      // A header that must not be given here is named.
      let isOfValue = error.map { $0.subject.hasPrefix(setting.rawValue) } ?? true
      return .done(
        tell(
          isOfValue
            ? "\(setting.rawValue) takes \(setting.values)"
            : "\(error?.subject ?? ""): \(error?.message ?? "")", .error))
    }
    forgetError()
    return .closed(settings == feed.settings ? [] : [.setFeed(id, setting, to: text)])
  }
}
