internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit

struct ConfigVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show, change and check the settings.",
    subcommands: [Show.self, Set.self, Init.self, Check.self, List.self, Default.self])

  struct Show: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the settings: value, default, source and meaning.")

    @OptionGroup var shared: SharedOptions
    @Argument(help: "A setting, such as screen.theme, or a table, such as screen.")
    var name: String?

    func perform() async throws {
      // A named file must be there.
      _ = try Settings.readingAll(of: common.config)
      let file = SettingsFile(common.config)
      let values = try file.values(of: name)
      if values.count == 1, values[0].name == name {
        show(values[0], file)
      } else {
        var table = Table([
          Table.Column("setting"), Table.Column("value", .limited),
          Table.Column("default", .limited), Table.Column("source"),
          Table.Column("meaning", .rest),
        ])
        for value in values {
          form.print(
            value.json, in: &table,
            [
              value.name, value.shown, value.declaration.shownDefault,
              value.source.words(file: file.name), value.declaration.help,
            ])
        }
        table.finish()
      }
      form.warn(values.compactMap { value in value.mistake.map { "\(value.name): \($0)" } })
    }

    private func show(_ value: SettingValue, _ file: SettingsFile) {
      if form.json { return Output.line(value.json) }
      var table = Table([Table.Column("setting"), Table.Column(value.name, .rest)])
      table.add(["meaning", value.declaration.help])
      table.add(["values", value.declaration.values])
      table.add(["value", value.shown])
      table.add(["default", value.declaration.shownDefault])
      table.add(["source", value.source.words(file: file.name)])
      table.finish()
    }
  }

  struct Set: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change one setting, and leave the rest of the file as it is.")

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The setting, such as screen.text_width.")
    var name: String
    @Argument(help: "The value, without quotes; “default” removes the setting from the file.")
    var value: String

    func perform() async throws {
      let file = SettingsFile(common.config)
      try file.change(name, to: value == "default" ? nil : value)
      guard let shown = try? file.values(of: name).first else {
        return form.print(
          ["name": .string(name), "value": .string(value)], text: "\(name) = \(value)")
      }
      form.print(
        shown.json, text: "\(name) = \(shown.shown) (\(shown.source.words(file: file.name)))")
    }
  }

  struct Init: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "init", abstract: "Write a file with all settings as comments.")

    @OptionGroup var shared: SharedOptions

    func perform() async throws {
      let file = SettingsFile(common.config)
      try file.create()
      form.print(["file": .string(file.path)], text: "all settings are in \(file.path)")
    }
  }

  struct Check: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check the settings; the exit status is 1 if they have mistakes.")

    @OptionGroup var shared: SharedOptions
    @Flag(help: "First rename settings that have a new name.")
    var fix = false

    func perform() async throws {
      if fix {
        for name in try SettingsFile(common.config).fixNames() where !form.json {
          Output.line("\(name) has its new name")
        }
      }
      let settings = try Settings.readingAll(of: common.config)
      let lines =
        settings.allMistakes.map { ($0.place, $0.message, $0.line) }
        + settings.mistakes.map { ("environment", $0, $0) }
      for (place, message, text) in lines {
        form.print(["place": .string(place), "message": .string(message)], text: text)
      }
      guard lines.isEmpty else { throw ExitCode(1) }
      if !form.json { Output.line("the settings have no mistakes") }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settings",
      abstract: "List all settings: possible values, default and meaning.",
      discussion:
        "NAME is a name that you choose; telex-config(5) and the manual explain these.")

    @OptionGroup var form: OutputOptions

    func run() {
      for setting in Settings.declarations {
        form.print(
          [
            "name": .string(setting.name), "kind": .string(setting.values),
            "default": .string(setting.standard), "help": .string(setting.help),
          ],
          text: [setting.name, setting.values, setting.standard ?? "", setting.help]
            .joined(separator: "\t"))
      }
    }
  }

  struct Default: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "default",
      abstract: "Print the default keys as settings, with examples of your own commands.",
      discussion: "All lines are commented out; uncomment those that you change.")

    /// Examples of user commands.
    private static let examples = """

      [commands.pager]
      run = ["less"]
      output = "terminal"
      keys = "F4"
      help = "read it in a pager"

      [commands.editor]
      run = ["vi", "%p"]
      output = "terminal"
      keys = "F6"
      help = "open it in an editor"

      [commands.translate]
      run = ["trans", "-brief"]
      output = "article"
      keys = "F7"
      help = "translate it"

      [commands.bookmark]
      run = ["sh", "-c", 'echo "$TELEX_URL $TELEX_TITLE" >> ~/bookmarks.txt']
      input = "none"
      output = "none"
      keys = "F8"
      help = "keep its address"

      [commands.share]
      run = ["xdg-email", "--subject", "%t", "--body", "%u"]
      input = "none"
      output = "none"
      keys = "F10"
      help = "send it by mail"

      [macros.read-on]
      run = ["toggle-read", "next-article"]
      keys = "F12"
      help = "read or unread, and on"

      [events]
      on_start = ["refresh-all"]

      [[events.on_new]]
      query = "swift"
      notify = "osc9"

      [themes.mine]
      base = "gruvbox"
      heading = "bright-cyan bold"

      [themes.mine.light]
      heading = "#005f87 bold"

      [[highlights]]
      title = "swift|ncurses"
      style = "bright-yellow bold"
      """

    @Option(help: "The set of keys: vi, emacs or newsboat.")
    var set = "vi"

    func validate() throws {
      try refuse(
        !KeyScheme.sets.contains(set),
        "--set takes one of: \(KeyScheme.sets.joined(separator: ", ")).")
    }

    func run() async throws {
      Output.line("[keys]\n\(set == "vi" ? "# " : "")set = \"\(set)\"")
      for command in KeyScheme.commands(ofSet: set) {
        Output.line("# \(ImportedKeys.line(command.name, command.keys))  # \(command.help)")
      }
      for line in Self.examples.split(separator: "\n", omittingEmptySubsequences: false) {
        Output.line(line.isEmpty ? "" : "# \(line)")
      }
    }
  }
}

extension SettingValue {
  fileprivate var json: JSONOutput {
    let (source, line, variable): (String, Int?, String?) =
      switch source {
      case .standard: ("default", nil, nil)
      case .file(let line): ("file", line, nil)
      case .environment(let variable): ("environment", nil, variable)
      }
    return [
      "name": .string(name), "value": .string(value),
      "default": .string(declaration.standard.map(declaration.unquoted)),
      "source": .string(source), "line": .number(line), "variable": .string(variable),
      "kind": .string(declaration.values), "help": .string(declaration.help),
      "mistake": .string(mistake),
    ]
  }
}
