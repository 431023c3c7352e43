internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit

struct ConfigVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the settings, or print those that there are.",
    subcommands: [Check.self, List.self, Default.self])

  struct Check: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Say what is wrong with the settings; exits with 1 where something is.")

    @OptionGroup var shared: SharedOptions

    func perform() async throws {
      let settings = try Settings.readingAll(of: common.config)
      var scheme = KeyScheme(settings.screen)
      let events = settings.screen.events
      _ = scheme.checked(ReaderEvents(events), place: events.place)
      _ = ThemeChoice(settings.screen, &scheme)
      _ = Highlight.all(of: settings.screen, &scheme)
      let mistakes =
        settings.fileMistakes.map {
          KeyScheme.Mistake(
            place: $0.error.subject, message: $0.message + ($0.error.next.map { "; \($0)" } ?? ""))
        } + scheme.mistakes
      let lines =
        mistakes.map { ($0.place, $0.message, $0.line) }
        + settings.mistakes.map { ("environment", $0, $0) }
      for (place, message, text) in lines {
        form.print(["place": .string(place), "message": .string(message)], text: text)
      }
      guard lines.isEmpty else { throw ExitCode(1) }
      if !form.json { Output.line("nothing is wrong with the settings") }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settings",
      abstract: "List all settings: what each may be, its default, and what it does.",
      discussion:
        "NAME stands for a name of your own; telex-config(5) and the manual tell of these.")

    @OptionGroup var form: OutputOptions

    func run() {
      for setting in Settings.declarations {
        form.print(
          [
            "name": .string(setting.name), "kind": .string(setting.kind),
            "default": .string(setting.standard), "help": .string(setting.help),
          ],
          text: [setting.name, setting.kind, setting.standard ?? "", setting.help]
            .joined(separator: "\t"))
      }
    }
  }

  struct Default: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "default",
      abstract: "Print the keys of all commands as settings, and examples of commands of your own.",
      discussion: "All lines are commented out: what is uncommented and changed counts.")

    /// Examples of user commands.
    private static let examples = """

      [commands.pager]
      run = ["less"]
      output = "terminal"
      keys = "x p"
      help = "read it in a pager"

      [commands.editor]
      run = ["vi", "%p"]
      output = "terminal"
      keys = "x e"
      help = "open it in an editor"

      [commands.translate]
      run = ["trans", "-brief"]
      output = "article"
      keys = "x t"
      help = "translate it"

      [commands.bookmark]
      run = ["sh", "-c", 'echo "$TELEX_URL $TELEX_TITLE" >> ~/bookmarks.txt']
      input = "none"
      output = "none"
      keys = "x b"
      help = "keep its address"

      [commands.share]
      run = ["xdg-email", "--subject", "%t", "--body", "%u"]
      input = "none"
      output = "none"
      keys = "x m"
      help = "send it by mail"

      [macros.read-on]
      run = ["toggle-read", "next-article"]
      keys = "x n"
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

    @Option(help: "Of this set: vi, emacs or newsboat.")
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
