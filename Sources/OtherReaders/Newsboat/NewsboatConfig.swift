package import News
internal import Text

/// Newsboat's settings (`config`), as far as Telex has a counterpart.
package struct NewsboatConfig {
  private var library = ReaderLibrary()
  private let star: Character?
  private let include: (String) -> String?
  /// Values that make one setting together, by their commands.
  private var values: [String: (value: String, place: LibraryPlace)] = [:]
  private var colors = NewsboatColors()

  /// - Parameters:
  ///   - file: the file's name, for messages.
  ///   - star: the flag that becomes a star.
  ///   - include: reads a file that the settings include; nil where that cannot be read.
  package static func read(
    _ text: String, file: String, star: Character? = nil,
    include: @escaping (String) -> String? = { _ in nil }
  ) -> ReaderLibrary {
    var config = NewsboatConfig(star: star, include: include)
    config.take(text, file: file, depth: 0)
    config.finish()
    return config.library
  }

  private init(star: Character?, include: @escaping (String) -> String?) {
    self.star = star
    self.include = include
  }

  private mutating func take(_ text: String, file: String, depth: Int) {
    for line in NewsboatLine.all(of: text) {
      let place = LibraryPlace(file, line: line.number)
      let (command, arguments) = (line.tokens[0], Array(line.tokens.dropFirst()))
      if line.hasProgram {
        leave(command, place, "it is the output of a program: write the value itself")
        continue
      }
      if command == "include" {
        if let path = arguments.first, depth < 10, let text = include(path) {
          take(text, file: path, depth: depth + 1)
        } else {
          leave("include \(arguments.first ?? "")", place, "the file cannot be read")
        }
        continue
      }
      do throws(QueryError) { try take(command, arguments, place) } catch {
        leave(command, place, error.message)
      }
    }
  }

  private mutating func leave(_ subject: String, _ place: LibraryPlace, _ reason: String) {
    library.left.append(LeftOut(PlainText.sanitizedName(subject), at: place, because: reason))
  }

  private mutating func set(_ table: String, _ name: String, _ value: String) {
    library.set(table, name, value)
  }

  // MARK: Commands

  private mutating func take(
    _ command: String, _ arguments: [String], _ place: LibraryPlace
  ) throws(QueryError) {
    let value = arguments.first ?? ""
    switch command {
    case "browser": try browser(value)
    case "player": try player(value)
    case "auto-reload", "reload-time", "use-proxy", "proxy", "proxy-type", "cache-file",
      "urls-source", "ignore-mode":
      values[command] = (value, place)
    case "reload-threads":
      set("network", "concurrent_feeds", String(try number(value, 1...256)))
    case "download-timeout":
      set("network", "total_timeout", String(try number(value, 1...86_400)))
    case "text-width" where value != "0":
      set("screen", "text_width", String(try number(value, 20...400)))
    case "scrolloff": set("screen", "scroll_margin", String(try number(value, 0...100)))
    case "confirm-exit": set("screen", "confirm_quit", String(try flag(value)))
    case "datetime-format": try dateFormat(value)
    case "download-path": try downloadFolder(value)
    case "max-downloads": set("downloads", "concurrent", String(try number(value, 1...16)))
    case "max-download-speed":
      // Of either program: 0 is no bound.
      set("downloads", "kib_per_second", String(try number(value, 0...10_000_000)))
    case "bind-key": try bind(arguments)
    case "unbind-key": try unbind(arguments)
    case "macro": try macro(arguments)
    case "color": try colors.take(arguments)
    case "highlight": try highlight(arguments)
    case "highlight-article": try highlightArticles(arguments)
    case "define-filter":
      guard arguments.count == 2 else { throw refused("it needs a name and a filter") }
      library.take(
        filter: arguments[1], named: PlainText.sanitizedName(value), at: place, star: star)
    case "ignore-article": try ignore(arguments, place)
    case "keep-articles-days": set("retention", "days", String(try number(value, 0...36_500)))
    case "refresh-on-startup":
      if try flag(value) { set("events", "on_start", TOMLText.list(["refresh-all"])) }
    case "user-agent": library.userAgent = try userAgent(value)
    // As Telex has it anyway.
    case "article-sort-order" where ["date", "date-desc"].contains(value): break
    case "article-sort-order" where value == "date-asc":
      set("screen", "order", TOMLText.quoted("oldest"))
    case "article-sort-order" where ["title", "title-asc"].contains(value):
      set("screen", "order", TOMLText.quoted("title"))
    case "feed-sort-order" where ["title", "title-asc"].contains(value): break
    case "goto-next-feed" where value == "yes" || value == "true": break
    default: try leaveKnown(command)
    }
  }

  private func refused(_ message: String) -> QueryError { QueryError(message, at: 0..<0) }

  /// What has no setting at all, with what there is instead.
  private func leaveKnown(_ command: String) throws(QueryError) {
    let reason =
      switch command {
      case "text-width": "text is as wide as its pane already"
      case "show-read-feeds", "show-read-articles": "l hides what is read in a list, and is kept"
      case "mark-as-read-on-hover": "see preview and mark_read_after below [screen]"
      case "goto-next-feed":
        "next-unread goes on in other feeds once its list has nothing unread; next-article stays in it"
      case "goto-first-unread": "a list is entered at its top; next-unread goes to what is unread"
      case "notify-program", "notify-format", "notify-screen", "notify-xterm", "notify-beep",
        "notify-always":
        "see [[events.on_new]] in the manual"
      case "article-sort-order":
        "g in a list changes its order, which is kept for it (in the set vi: ,)"
      case "feed-sort-order":
        "g in the sidebar sorts the feeds, and that is kept (in the set vi: #)"
      case "articlelist-format":
        "a list has columns instead of a format: see columns below [screen]"
      case "feedlist-format", "itemview-title-format", "articlelist-title-format",
        "feedlist-title-format":
        "what stands in the lines of feeds and in headings is not set"
      case "reset-unread-on-update": "telex set FEED --update unread does it for a feed"
      case "run-on-startup": "see on_start below [events]"
      case "download-filename-format": "see name below [downloads]"
      case "podcast-auto-enqueue":
        "see download below [feeds.\"ADDRESS\"]: new files are fetched, not only queued"
      case "max-items": "see articles_per_feed below [retention], which deletes articles"
      case "delete-read-articles-on-quit": "see [retention], which deletes articles by age"
      case "ssl-verifypeer", "ssl-verifyhost": "certificates are always checked; see ca_file"
      case "external-url-viewer", "html-renderer", "pager", "bookmark-cmd":
        "see [commands] in the manual: a program for the article"
      case _ where command.contains("password") || command.hasSuffix("-login"):
        "sign in by telex login: passwords lie in the keyring"
      default: "it has no counterpart"
      }
    throw refused(reason)
  }

  private func number(_ text: String, _ range: ClosedRange<Int>) throws(QueryError) -> Int {
    try SettingValue.number(text, range)
  }

  private func flag(_ text: String) throws(QueryError) -> Bool {
    switch text {
    case "yes", "true": return true
    case "no", "false": return false
    default: throw refused("\(text) is neither yes nor no")
    }
  }

  private func userAgent(_ text: String) throws(QueryError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw refused("a header is plain ASCII")
    }
    return text
  }

  private mutating func dateFormat(_ format: String) throws(QueryError) {
    set("screen", "date_format", TOMLText.quoted(try SettingValue.dateFormat(format)))
  }

  // MARK: Programs

  private mutating func browser(_ command: String) throws(QueryError) {
    let program = ForeignProgram(command)
    set("browser", "command", TOMLText.quoted(try program.browser()))
    set("browser", "uses_terminal", String(program.usesTerminal))
  }

  /// As podboat does it, the player has the terminal. mpv alone is what Telex starts anyway, with a window, in which
  /// keys can end it.
  private mutating func player(_ command: String) throws(QueryError) {
    let program = ForeignProgram(command)
    guard program.words != ["mpv"] else { return }
    set("player", "command", TOMLText.quoted(try program.settingText(of: "player.command")))
    set("player", "uses_terminal", String(!program.isInBackground))
  }

  /// newsboat fills in the name of the feed for `%n` and its host for `%h`; here the folder is one for all, and the
  /// pattern of names makes others in it.
  private mutating func downloadFolder(_ path: String) throws(QueryError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.prefix { !$0.contains("%") }
    set("downloads", "folder", TOMLText.quoted(folder.joined(separator: "/")))
    let rest = parts.dropFirst(folder.count).filter { !$0.isEmpty }
    guard !rest.isEmpty else { return }
    guard rest == ["%n"] else {
      throw refused(
        "files go into \(folder.joined(separator: "/")); of folders in it, see name below [downloads]"
      )
    }
    set("downloads", "name", TOMLText.quoted("{feed}/{name}"))
  }

  /// A program that a macro runs.
  private struct MacroProgram {
    let arguments: [String]
    /// Names as the tables of commands have them.
    let input, output: String
    let help: String
  }

  /// A macro that sets another browser and opens the address with it, or pipes the article into a program, is a
  /// command; one of operations alone a macro.
  private mutating func macro(_ arguments: [String]) throws(QueryError) {
    guard let first = arguments.first, let key = NewsboatKeys.name(of: first) else {
      throw refused("it has no key")
    }
    let name = SettingValue.commandName(ofKey: key, reader: "newsboat")
    let (steps, help) = NewsboatMacro.steps(of: Array(arguments.dropFirst()))
    var commands: [String] = []
    var browser: String?
    var program: MacroProgram?
    func take(_ made: MacroProgram) throws(QueryError) {
      guard program == nil else { throw refused("a macro runs one program only") }
      program = made
      commands.append(name)
    }
    for step in steps {
      switch step[0] {
      case "set" where step.count == 3 && step[1] == "browser":
        browser = step[2]
      case "set":
        throw refused("no setting changes while Telex runs: \(step.joined(separator: " "))")
      case let open where open.hasPrefix("open-in-browser") && browser != nil:
        let foreign = ForeignProgram(browser ?? "")
        try take(
          MacroProgram(
            arguments: try foreign.arguments(), input: "none",
            output: foreign.usesTerminal ? "terminal" : "none", help: foreign.text))
        if open.hasSuffix("mark-read") { commands.append("mark-read") }
      case "pipe-to" where step.count == 2:
        let foreign = ForeignProgram(step[1])
        try take(
          MacroProgram(
            arguments: try foreign.arguments(addsAddress: false), input: "text",
            output: foreign.usesTerminal ? "terminal" : "page", help: foreign.text))
      default: commands.append(try Self.command(ofStep: step))
      }
    }
    let title = help.map { "\nhelp = \(TOMLText.quoted($0))" } ?? ""
    let keys = "keys = \(TOMLText.quoted(", \(key)"))"
    library.settings.removeAll {
      ["[commands.\(name)]", "[macros.\(name)]", "[macros.\(name)-all]"].contains($0.table)
    }
    guard !commands.isEmpty else { throw refused("it does nothing that Telex could do") }
    if let program {
      library.settings.append(
        LibrarySetting(
          "[commands.\(name)]",
          "run = \(TOMLText.list(program.arguments))\ninput = \"\(program.input)\"\n"
            + "output = \"\(program.output)\"\n"
            + (commands == [name] ? keys + title : "help = \(TOMLText.quoted(program.help))")))
      guard commands != [name] else { return }
    }
    let macro = program == nil ? name : name + "-all"
    library.settings.append(
      LibrarySetting(
        "[macros.\(macro)]", "run = \(TOMLText.list(commands))\n\(keys)\(title)"))
  }

  /// The command that does a step of a macro as it does it without being asked anything.
  private static func command(ofStep step: [String]) throws(QueryError) -> String {
    let text = step.joined(separator: " ")
    switch (step[0], step.dropFirst().first) {
    case ("toggle-article-read", "read"?): return "mark-read"
    case ("toggle-article-read", "unread"?): return "mark-unread"
    case (let operation, _) where NewsboatKeys.digit(of: operation) != nil:
      throw QueryError("\(operation): a link is opened by its digit and Enter alone", at: 0..<0)
    case (let operation, let argument):
      guard let command = NewsboatKeys.command(of: operation) else {
        throw QueryError("there is no command that does \(operation)", at: 0..<0)
      }
      guard argument == nil else {
        throw QueryError("\(text): \(command) takes nothing in a macro, and would ask", at: 0..<0)
      }
      return command
    }
  }

  // MARK: Keys

  private mutating func bind(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 2, let key = NewsboatKeys.name(of: arguments[0]) else {
      throw refused("\(arguments.first ?? "nothing") is no key")
    }
    if let digit = NewsboatKeys.digit(of: arguments[1]) {
      guard key != digit else { return }
      throw refused("a link is opened by its digit and Enter alone")
    }
    guard arguments[1] != "macro-prefix" else {
      guard key != "," else { return }
      throw refused("the keys of macros begin with a comma here; see [macros]")
    }
    let dialogs = arguments.count > 2 ? arguments[2].split(separator: ",").map(String.init) : [""]
    for dialog in dialogs {
      guard let command = NewsboatKeys.command(of: arguments[1], in: dialog) else {
        throw refused("there is no command that does \(arguments[1])")
      }
      guard let table = NewsboatKeys.table(of: dialog) else {
        throw refused("there is no screen like \(dialog)")
      }
      library.keys.append(LibraryKey(command, key: key, table: table))
    }
  }

  private mutating func unbind(_ arguments: [String]) throws(QueryError) {
    guard let first = arguments.first, let key = NewsboatKeys.name(of: first), first != "-a" else {
      throw refused("give the commands of [keys] an empty list for that")
    }
    let dialog = arguments.count > 1 ? arguments[1] : ""
    guard let table = NewsboatKeys.table(of: dialog) else {
      throw refused("there is no screen like \(dialog)")
    }
    library.keys.append(LibraryKey(nil, key: key, table: table))
  }

  // MARK: Colours

  private mutating func highlight(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 3 else {
      throw refused("it needs a place, an expression and a colour")
    }
    guard let expression = PosixExpression.translated(arguments[1]), !expression.isEmpty else {
      throw refused("the regular expression \(arguments[1]) has no counterpart")
    }
    let style = try ForeignStyle.text(Array(arguments.dropFirst(2)))
    let fields: [String] =
      switch arguments[0] {
      case "articlelist": ["title"]
      case "article": ["text"]
      case "feedlist": ["feed"]
      case "all": ["title", "text", "feed"]
      default: throw refused("there is no place \(arguments[0])")
      }
    for field in fields {
      library.settings.append(
        LibrarySetting(
          "[[highlights]]",
          "\(field) = \(TOMLText.quoted(expression))\nstyle = \(TOMLText.quoted(style))"))
    }
  }

  private mutating func highlightArticles(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 3 else { throw refused("it needs a filter and two colours") }
    let query = try NewsboatFilter(arguments[0]).query(star: star)
    let style = try ForeignStyle.text(Array(arguments.dropFirst()))
    library.settings.append(
      LibrarySetting(
        "[[highlights]]",
        "query = \(TOMLText.quoted(query.text))\nstyle = \(TOMLText.quoted(style))"))
  }

  /// An expression for the address of a feed as it is kept here, which holds no password.
  private func expression(ofFeed feed: String) throws(QueryError) -> String {
    if feed.hasPrefix("regex:") {
      guard let expression = PosixExpression.translated(String(feed.dropFirst(6))),
        !expression.isEmpty
      else { throw refused("the regular expression of the feed has no counterpart") }
      return expression
    }
    return try SettingValue.expression(ofAddress: feed)
  }

  /// What newsboat ignores, a rule hides.
  private mutating func ignore(_ arguments: [String], _ place: LibraryPlace) throws(QueryError) {
    guard arguments.count == 2 else { throw refused("it needs a feed and a filter") }
    var query = try NewsboatFilter(arguments[1]).query(star: star)
    if arguments[0] != "*" {
      let feed = "feed:/\(try expression(ofFeed: arguments[0]))/"
      do { query = try ArticleQuery("\(feed) (\(query.text))") } catch {
        throw refused("\(arguments[0]) cannot be asked for")
      }
    }
    library.rules.append(LibraryRule(query, .hide, at: place))
  }

  // MARK: The end

  private mutating func finish() {
    if values["auto-reload"] != nil || values["reload-time"] != nil {
      let isOn = ["yes", "true"].contains(values["auto-reload"]?.value ?? "no")
      let minutes = values["reload-time"].map { Int($0.value) ?? 60 } ?? 60
      set("refresh", "interval_minutes", String(isOn ? min(max(minutes, 1), 100_000) : 0))
    }
    proxy()
    if let source = values["urls-source"], source.value != "local" {
      leave(
        "urls-source \(source.value)", source.place,
        "its feeds come from a server: telex login with the server's address brings them")
    }
    if values["ignore-mode"]?.value == "display" {
      // What is only not shown there is kept: an article that is hidden here does not come again.
      library.rules = library.rules.map {
        $0.action == .hide ? LibraryRule($0.query, .read, at: $0.place) : $0
      }
    }
    library.cachePath = values["cache-file"]?.value
    library.settings += colors.settings
  }

  private mutating func proxy() {
    guard let proxy = values["proxy"] else { return }
    guard ["yes", "true"].contains(values["use-proxy"]?.value ?? "no") else { return }
    let kind = values["proxy-type"]?.value ?? "http"
    guard ["http", "socks4", "socks4a", "socks5", "socks5h"].contains(kind),
      !proxy.value.contains("@")
    else {
      leave("proxy", proxy.place, "set network.proxy, without a password")
      return
    }
    let address = proxy.value.contains("://") ? proxy.value : "\(kind)://\(proxy.value)"
    set("network", "proxy", TOMLText.quoted(address))
  }
}
