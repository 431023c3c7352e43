package import News
internal import Text

/// Newsraft's settings (`config`), as far as Telex has a counterpart.
package struct NewsraftConfig {
  package private(set) var library = ReaderLibrary()
  /// The section that has all feeds, which is no folder.
  package private(set) var globalSection = "Global"
  /// What feeds get for which nothing else is set.
  private(set) var feeds = NewsraftFeedSettings()
  private var colors = NewsraftColors()

  /// - Parameter file: the file's name, for messages.
  package init(_ text: String, file: String) {
    // Of what is set twice, the last counts.
    var values: [Setting?] = []
    var keys: [Key?] = []
    var places: [NewsraftLine.Item: Int] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let place = LibraryPlace(file, line: index + 1)
      for item in NewsraftLine(line).items {
        switch item {
        case .setting(let name, let value):
          let former = places.updateValue(values.count, forKey: .setting(name, value: ""))
          if let former { values[former] = nil }
          values.append(Setting(name: name, value: value, place: place))
        case .key(let key, let actions):
          let former = places.updateValue(keys.count, forKey: .key(key, actions: []))
          if let former { keys[former] = nil }
          keys.append(Key(key: key, actions: actions, place: place))
        case .mistake(let subject): leave(subject, place, "something stands behind its quotes")
        }
      }
    }
    for case let setting? in values {
      do throws(QueryError) { try take(setting) } catch {
        leave(setting.name, setting.place, error.message)
      }
    }
    for case let key? in keys {
      do throws(QueryError) { try take(key) } catch {
        leave("bind \(key.key)", key.place, error.message)
      }
    }
    library.settings += colors.settings
  }

  private struct Setting {
    var name: String
    var value: String
    var place: LibraryPlace
  }

  private struct Key {
    var key: String
    var actions: [NewsraftLine.Action]
    var place: LibraryPlace
  }

  private mutating func leave(_ subject: String, _ place: LibraryPlace, _ reason: String) {
    library.left.append(LeftOut(PlainText.sanitizedName(subject), at: place, because: reason))
  }

  // MARK: Settings

  private mutating func take(_ setting: Setting) throws(QueryError) {
    let value = setting.value
    func number(_ range: ClosedRange<Int>) throws(QueryError) -> Int {
      try SettingValue.number(value, range)
    }
    switch setting.name {
    case "reload-period":
      library.set("refresh", "interval_minutes", String(try number(0...100_000)))
    case "item-limit":
      let limit = try number(0...10_000_000)
      if limit > 0 { library.set("retention", "articles_per_feed", String(limit)) }
    case "suppress-errors", "user-agent":
      try feeds.take(setting.name, value)
    case "item-rule" where !value.isEmpty: try takeRule(value, setting.place)
    // A margin that is larger than the list keeps the selected row in its middle.
    case "scrolloff":
      library.set("screen", "scroll_margin", String(min(try number(0...Int.max), 100)))
    case "pager-width":
      let width = try number(0...400)
      library.set("screen", "text_width", String(width == 0 ? 400 : max(width, 20)))
    case "list-entry-date-format":
      library.set("screen", "date_format", TOMLText.quoted(try SettingValue.dateFormat(value)))
    case "download-timeout":
      let seconds = try number(0...86_400)
      library.set("network", "total_timeout", String(seconds == 0 ? 86_400 : seconds))
    case "download-max-host-connections":
      let count = try number(0...64)
      if count > 0 { library.set("network", "concurrent_per_host", String(count)) }
    case "download-max-connections", "update-threads-count":
      let count = try number(0...256)
      if count > 0 { library.set("network", "concurrent_feeds", String(count)) }
    case "open-in-browser-command": try takeBrowser(value)
    case "copy-to-clipboard-command": try takeClipboard(value)
    case "notification-command": try takeNotification(value)
    case "proxy" where !value.isEmpty:
      library.set("network", "proxy", TOMLText.quoted(try NewsraftValue.proxy(value)))
    case "global-section-name":
      globalSection = PlainText.sanitizedName(value)
    case let name where name.hasPrefix("color-"): try colors.take(name, value)
    default: try leaveKnown(setting.name, value)
    }
  }

  /// What has no setting. A value that is that of Telex anyway is not reported.
  private func leaveKnown(_ name: String, _ value: String) throws(QueryError) {
    let same = [
      "respect-ttl-element": "true", "respect-expires-header": "true",
      "send-if-none-match-header": "true", "send-if-modified-since-header": "true",
      "send-user-agent-header": "true", "download-speed-limit": "0", "item-limit-unread": "false",
      "item-limit-important": "false", "mark-item-read-on-hover": "false",
      "menu-item-sorting": "time-desc", "item-rule": "", "proxy": "", "proxy-user": "",
      "proxy-password": "", "read-on-arrival": "false", "menu-responsiveness": "true",
      "mark-item-unread-on-change": "false",
    ]
    guard same[name] != value else { return }
    throw QueryError(NewsraftValue.reason(without: name), at: 0..<0)
  }

  /// What newsraft does not show, a rule hides.
  private mutating func takeRule(_ text: String, _ place: LibraryPlace) throws(QueryError) {
    let query = try NewsraftItemRule.query(of: text)
    let hidden = query.hasPrefix("-") ? String(query.dropFirst()) : "-\(query)"
    do { library.rules.append(LibraryRule(try ArticleQuery(hidden), .hide, at: place)) } catch {
      throw QueryError("no rule can ask for it: \(text)", at: 0..<0)
    }
  }

  private mutating func takeBrowser(_ command: String) throws(QueryError) {
    guard let program = try NewsraftValue.browser(command) else { return }
    library.set("browser", "command", TOMLText.quoted(try program.browser()))
    library.set("browser", "uses_terminal", String(program.usesTerminal))
  }

  private mutating func takeClipboard(_ command: String) throws(QueryError) {
    // The terminal is told where there is no setting.
    guard !["auto", "newsraft-osc-52", ""].contains(command) else { return }
    guard let words = ForeignProgram(command).words, !words.isEmpty, !command.contains("%") else {
      throw QueryError(
        "it needs a shell; put it into a file of its own and name that as screen.copy_command",
        at: 0..<0)
    }
    library.set("screen", "copy_command", TOMLText.quoted(words.joined(separator: " ")))
  }

  private mutating func takeNotification(_ command: String) throws(QueryError) {
    guard !["", "true", "false", ":"].contains(command) else { return }
    let isOfDesktop = command == "auto" || command.hasPrefix("notify-send")
    guard isOfDesktop || command.contains("\\e]9;") || command.contains("\\033]9;") else {
      throw QueryError(NewsraftValue.reason(without: "notification-command"), at: 0..<0)
    }
    library.settings.append(
      LibrarySetting("[[events.on_new]]", "notify = \"\(isOfDesktop ? "notify-send" : "osc9")\""))
  }

  // MARK: Keys

  /// One action of newsraft is a key of a command; a program is a command; several of them are a macro.
  private mutating func take(_ bound: Key) throws(QueryError) {
    guard let key = NewsraftKeys.name(of: bound.key) else {
      throw QueryError("\(bound.key) is no key", at: 0..<0)
    }
    guard let first = bound.actions.first else {
      library.keys.append(LibraryKey(nil, key: key))
      return
    }
    let name = SettingValue.commandName(ofKey: key, reader: "newsraft")
    let keys = "keys = \(TOMLText.quoted(key))"
    if bound.actions.count == 1 {
      if let command = try command(of: first) {
        library.keys.append(LibraryKey(command, key: key))
      } else {
        library.settings.append(try program(of: first, named: name, keys))
        library.commandKeys.insert(key)
      }
      return
    }
    var commands: [String] = []
    var programs: [LibrarySetting] = []
    for action in bound.actions {
      if let command = try command(of: action) {
        commands.append(command)
      } else {
        let own = programs.isEmpty ? name : "\(name)-\(programs.count + 1)"
        let help = "help = \(TOMLText.quoted(PlainText.sanitizedName(action.argument ?? "")))"
        programs.append(try program(of: action, named: own, help))
        commands.append(own)
      }
    }
    let macro = programs.isEmpty ? name : name + "-all"
    library.settings += programs
    library.commandKeys.insert(key)
    library.settings.append(
      LibrarySetting("[macros.\(macro)]", "run = \(TOMLText.list(commands))\n\(keys)"))
  }

  /// Nil for a program.
  private func command(of action: NewsraftLine.Action) throws(QueryError) -> String? {
    if action.name.hasPrefix("exec") { return nil }
    guard let command = NewsraftKeys.command(of: action.name) else {
      throw QueryError(NewsraftKeys.reason(withoutCommandOf: action.name), at: 0..<0)
    }
    return command
  }

  private func program(
    of action: NewsraftLine.Action, named name: String, _ rest: String
  ) throws(QueryError) -> LibrarySetting {
    let program = try NewsraftValue.program(action.argument ?? "")
    let isQuiet = action.name == "exec-quiet" || program.isInBackground
    let words: [String]
    do { words = try program.arguments(addsAddress: false) } catch {
      let message = error.message.replacing("%u", with: "%l").replacing("%T", with: "%t")
      throw QueryError(message, at: 0..<0)
    }
    guard !words.isEmpty else { throw QueryError("it runs no program", at: 0..<0) }
    return LibrarySetting(
      "[commands.\(name)]",
      "run = \(TOMLText.list(words))\ninput = \"none\"\n"
        + "output = \"\(isQuiet ? "none" : "terminal")\"\n\(rest)")
  }
}
