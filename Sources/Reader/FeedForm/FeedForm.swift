internal import News
internal import Screen
internal import Text

struct FeedForm: Hashable {
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

  let ids: [FeedID]
  var selection: ScrollingSelection<Field>
  /// Nil until they have been read.
  private(set) var defaults: FeedDefaults?

  init(ids: [FeedID]) {
    self.ids = ids
    selection = ScrollingSelection(ids.count == 1 ? .title : .folders)
  }

  /// Each feed has a name and an address of its own.
  var fields: [Field] {
    ids.count == 1 ? Field.all : [.folders] + FeedSetting.allCases.map { .setting($0) }
  }

  var selected: Field { fields[selection.nearestIndex(in: fields) ?? 0] }

  /// The feeds that still exist.
  func feeds(in state: ReaderState) -> [Feed] { ids.compactMap(state.feed) }
}

extension [Feed] {
  /// The value that all of them have; nil for none, and where they differ.
  func text(of setting: FeedSetting) -> String? {
    guard let text = first.flatMap({ setting.text(in: $0.settings) }) else { return nil }
    return differ(in: setting) ? nil : text
  }

  func differ(in setting: FeedSetting) -> Bool {
    dropFirst().contains { setting.text(in: $0.settings) != setting.text(in: self[0].settings) }
  }
}

extension FeedSetting {
  /// The values that Enter goes through, from that without a setting on; empty where it takes a text.
  var choices: [String] {
    switch self {
    case .paused, .hidden, .silent, .fullText: ["no", "yes"]
    case .pictures, .stories: ["yes", "no"]
    case .update: FeedSettings.Update.allCases.map(\.rawValue)
    case .metered: [FeedSetting.none] + FeedSettings.Metered.allCases.map(\.rawValue)
    case .interval, .browser, .userAgent, .headers, .keepFor, .keepAtMost: []
    }
  }
}

extension FeedForm: ReaderScreen {
  static let name = "feed"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [.open, .remove, .undo, .redo, .nextFocus, .previousFocus, .back, .leave] + .motions
  static let help: [Command: String] = [
    .open: "Change the value", .remove: "Reset to the default", .nextFocus: "Next line",
    .previousFocus: "Previous line",
  ]

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    let height = rows(state.size).height
    if let motion = command.motion {
      selection.move(by: motion.delta(height: height), in: fields, height: height)
      return .done([])
    }
    let feeds = feeds(in: state)
    guard !feeds.isEmpty else {
      return .closed(state.notify(SubscriptionsStrings.removed(ids.count)))
    }
    switch command {
    case .back, .leave:
      state.notice = nil
      return .closed([])
    case .nextFocus, .previousFocus:
      selection.move(by: command == .nextFocus ? 1 : -1, in: fields, height: height)
      return .done([])
    case .open: return .done(edit(feeds, in: &state))
    case .remove:
      guard case .setting(let setting) = selected,
        feeds.contains(where: { setting.text(in: $0.settings) != nil })
      else { return .done(state.notify(FeedFormStrings.isStandard(selected.label))) }
      return .done(FeedEditing.set(setting, to: FeedSetting.none, for: ids, in: &state))
    case .undo: return .done([state.apply(.undoAsking(agreedTo: nil))])
    case .redo: return .done([state.apply(.redo)])
    default: return .ignored
    }
  }

  private func edit(_ feeds: [Feed], in state: inout ReaderState) -> [Effect] {
    switch selected {
    case .title: FeedEditing.askForTitle(of: feeds[0], in: &state)
    case .folders:
      guard ids.count == 1 else {
        FeedEditing.askForFolders(ofSeveral: ids, in: &state)
        return []
      }
      FeedEditing.askForFolders(of: feeds[0], in: &state)
    case .setting(let setting):
      guard setting.choices.isEmpty else { return toggle(setting, feeds, in: &state) }
      let text = feeds.text(of: setting) ?? ""
      state.ask(.feedSetting(ids, setting), LineEditor(selected: text))
    case .proxy: return state.notify(FeedFormStrings.changeProxy)
    case .address:
      return state.notify(
        FeedFormStrings.changeAddress(health: state.key(.health), change: state.key(.change)))
    }
    return []
  }

  private func toggle(
    _ setting: FeedSetting, _ feeds: [Feed], in state: inout ReaderState
  ) -> [Effect] {
    let index = feeds.text(of: setting).flatMap(setting.choices.firstIndex) ?? 0
    return FeedEditing.set(
      setting, to: setting.choices[(index + 1) % setting.choices.count], for: ids, in: &state)
  }

  // MARK: Mouse and changes

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let clicked = selection.handle(mouse.event, in: fields, area: rows(state.size))
    let feeds = feeds(in: state)
    guard clicked != nil, mouse.kind == .doubleClick, !feeds.isEmpty else { return .done([]) }
    return .done(edit(feeds, in: &state))
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .subscriptions(.defaultsRead(let defaults, ids)) = action else { return .ignored }
    self.defaults = defaults
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    selection.settle(in: fields, height: rows(state.size).height)
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    [KeyHint.keys, KeyHint(.open, "change"), KeyHint(.remove, "reset"), KeyHint.back]
  }
}
