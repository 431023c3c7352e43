internal import News
internal import Screen

/// The screen of the settings by their tables, with the meaning of the selected one.
struct SettingsState: Hashable {
  var page = DetailedList<String>()
  /// Nil until they have been read.
  var values: [SettingValue]?
  var filter = ""
  var error: SourceError?

  /// The columns from which the meaning stands beside the rows.
  private static let twoColumns = 100

  var rows: [SettingsRow] { SettingsRow.rows(of: values ?? [], matching: filter) }

  func value(named name: String) -> SettingValue? { values?.first { $0.name == name } }

  func layout(_ size: Size) -> PageLayout {
    PageLayout(size: size, rowCount: rows.count, besideFrom: Self.twoColumns)
  }
}

/// A row of the settings: the name of a table, or a setting.
enum SettingsRow: Hashable, SelectableRow {
  case table(String)
  case setting(SettingValue)

  var selectionID: String {
    switch self {
    case .table(let name): name
    case .setting(let value): value.name
    }
  }

  var setting: SettingValue? { if case .setting(let value) = self { value } else { nil } }

  static func rows(of values: [SettingValue], matching filter: String) -> [SettingsRow] {
    let words = filter.lowercased().split(separator: " ")
    var rows: [SettingsRow] = []
    var table: String?
    for value in values {
      let text = "\(value.name) \(value.declaration.help)".lowercased()
      guard words.allSatisfy({ text.contains($0) }) else { continue }
      if table != value.declaration.table { rows.append(.table(value.declaration.table)) }
      table = value.declaration.table
      rows.append(.setting(value))
    }
    return rows
  }
}

extension SettingsState: ReaderScreen {
  static let name = "settings"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [.open, .remove, .find, .detailsDown, .detailsUp, .back, .leave] + .motions
  static let help: [Command: String] = [
    .open: "Change the setting", .remove: "Reset to the default", .find: "Find settings",
  ]
  static let opening: Command? = .settings

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(state.stack[Self.self] ?? SettingsState())
    return [.settings(.read)]
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    let former = page.selection.nearestIndex(in: rows) ?? 0
    if page.perform(command, in: contents(in: state)) {
      passTables(from: former, in: state)
      return .done([])
    }
    switch command {
    case .back where !filter.isEmpty:
      show(matching: "", in: state)
      return .done([])
    case .settings, .back, .leave:
      state.notice = nil
      return .closed([.cancel(.settings)])
    case .find:
      state.ask(.settingFilter, LineEditor(filter))
      return .done([])
    case .open, .remove:
      guard let value = selected else { return .done(state.notify(SettingsStrings.noneSelected)) }
      return .done(command == .open ? change(value, in: &state) : reset(value, in: &state))
    default: return .ignored
    }
  }

  var selected: SettingValue? {
    let rows = rows
    return page.selection.nearestIndex(in: rows).flatMap { rows[$0].setting }
  }

  /// Sets the next of a few values, or asks for another one.
  private func change(_ value: SettingValue, in state: inout ReaderState) -> [Effect] {
    let choices: [String]
    switch value.declaration.kind {
    case .boolean: choices = ["false", "true"]
    case .choice(let known): choices = known
    case _ where value.name == ReaderState.themeSetting: return state.chooseTheme()
    case .number, .text, .other:
      state.ask(.setting(value.declaration), LineEditor(selected: value.value ?? ""))
      return []
    }
    let standard = value.declaration.standard.map(value.declaration.unquoted)
    // Without a default, no value is one of the choices.
    let all = (standard == nil ? [nil] : []) + choices.map(Optional.some)
    let next = all[((all.firstIndex(of: value.value) ?? -1) + 1) % all.count]
    return [.settings(.set(name: value.name, to: next == standard ? nil : next))]
  }

  private func reset(_ value: SettingValue, in state: inout ReaderState) -> [Effect] {
    guard value.source != .standard || value.mistake != nil else {
      return state.notify(SettingsStrings.isStandard(value))
    }
    return [.settings(.set(name: value.name, to: nil))]
  }

  // MARK: Mouse and changes

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let former = page.selection.nearestIndex(in: rows) ?? 0
    let clicked = page.handle(mouse.event, in: contents(in: state))
    passTables(from: former, in: state)
    guard let clicked, mouse.kind == .doubleClick, rows[clicked].setting != nil else {
      return .done([])
    }
    return perform(.open, KeyPress(milliseconds: mouse.milliseconds), in: &state)
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    switch action {
    case .settings(.arrived(let values)), .settings(.changed(_, _, let values)):
      self.values = values
      error = nil
      settle(in: state)
    case .settings(.failed(let error)): self.error = error
    case .settings(.filtered(let text)): show(matching: text, in: state)
    default: return .ignored
    }
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    page.settle(in: contents(in: state))
    passTables(from: 0, in: state)
  }

  private mutating func show(matching text: String, in state: ReaderState) {
    filter = text
    settle(in: state)
  }

  /// Selects the next setting where the name of a table is selected, in the direction of the motion.
  private mutating func passTables(from former: Int, in state: ReaderState) {
    let rows = rows
    guard let index = page.selection.nearestIndex(in: rows), rows[index].setting == nil else {
      return
    }
    // The first row is the name of a table, and each has settings below it.
    let next = index < former && index > 0 ? index - 1 : index + 1
    page.select(next, line: page.selection.line + next - index, in: contents(in: state))
  }

  private func contents(
    in state: ReaderState
  ) -> DetailedList<String>.Contents<SettingsRow> {
    DetailedList.Contents(rows: rows, layout: layout(state.size)) { row, width in
      details(of: row, width: width).count
    }
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    let own = selected == nil ? [] : [KeyHint(.open, "change"), KeyHint(.remove, "reset")]
    return [KeyHint.keys] + own + [KeyHint(.find, "find"), KeyHint.back]
  }
}
