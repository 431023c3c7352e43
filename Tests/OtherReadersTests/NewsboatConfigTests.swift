import News
import Testing

@testable import OtherReaders

@Suite("Newsboat's settings")
struct NewsboatConfigTests {
  private func read(_ text: String, _ files: [String: String] = [:]) -> ReaderLibrary {
    NewsboatConfig.read(text, file: "config") { files[$0] }
  }

  private func settings(_ text: String) -> [String] {
    read(text).settings.map { "\($0.table) \($0.text)" }
  }

  @Test(
    "Settings have their counterparts",
    arguments: [
      ("auto-reload yes\nreload-time 30", "[refresh] interval_minutes = 30"),
      ("reload-time 30", "[refresh] interval_minutes = 0"),
      ("reload-threads 8", "[network] concurrent_feeds = 8"),
      ("download-timeout 20", "[network] total_timeout = 20"),
      ("text-width 80", "[screen] text_width = 80"), ("scrolloff 3", "[screen] scroll_margin = 3"),
      ("confirm-exit yes", "[screen] confirm_quit = true"),
      ("datetime-format \"%F %R\"", "[screen] date_format = \"%Y-%m-%d %H:%M\""),
      ("max-downloads 2", "[downloads] concurrent = 2"),
      ("download-path \"~/podcasts\"", "[downloads] folder = \"~/podcasts\""),
      ("article-sort-order date-asc", "[screen] order = \"oldest\""),
      ("article-sort-order title", "[screen] order = \"title\""),
      ("keep-articles-days 30", "[retention] days = 30"),
      ("refresh-on-startup yes", "[events] on_start = [\"refresh-all\"]"),
      (
        "use-proxy yes\nproxy localhost:9050\nproxy-type socks5h",
        "[network] proxy = \"socks5h://localhost:9050\""
      ),
    ])
  func counterparts(config: String, setting: String) {
    #expect(settings(config) == [setting])
    #expect(read(config).left == [])
  }

  @Test("What Telex does anyway is neither set nor told")
  func likewise() {
    let library = read(
      """
      article-sort-order date-desc
      feed-sort-order title
      goto-next-feed yes
      refresh-on-startup no
      user-agent "mine/1"
      """)
    #expect(library.settings == [] && library.left == [])
    #expect(library.userAgent == "mine/1")
    let other = read("article-sort-order author\nfeed-sort-order unreadarticlecount")
    #expect(other.left.map(\.place.line) == [1, 2])
    #expect(other.left.allSatisfy { $0.reason.contains("g in") && $0.reason.contains("kept") })
  }

  @Test(
    "A macro with arguments does what they say, or is told whole",
    arguments: [
      ("toggle-article-read \"read\" ; next", #"run = ["mark-read", "next-article"]"#),
      ("toggle-article-read \"unread\"", #"run = ["mark-unread"]"#),
      ("pipe-to \"wc -w\"", #"run = ["wc", "-w"]"# + "\ninput = \"text\"\noutput = \"page\""),
      ("pipe-to \"cat > ~/a.txt\"", #"run = ["sh", "-c", "cat > ~/a.txt"]"#),
      ("mark-all-feeds-read", #"run = ["mark-all-feeds-read"]"#),
      ("save \"~/a.txt\"", nil), ("set-filter \"unread = \\\"yes\\\"\"", nil), ("goto-url 2", nil),
      ("one ; open", nil), ("open ; one", nil), ("nine", nil),
    ] as [(String, String?)])
  func macroArguments(steps: String, text: String?) {
    let library = read("scrolloff 3\nmacro m \(steps)")
    let made = library.settings.filter { $0.table.hasSuffix("newsboat-m]") }
    if let text {
      #expect(made.first?.text.contains(text) == true, "\(library)")
      #expect(library.left == [])
    } else {
      #expect(made == [] && library.left.map(\.place.text) == ["config:2"], "\(library)")
    }
  }

  @Test("The program of a macro runs for the article that it was begun on")
  func order() {
    let library = read("macro m set browser \"mpv %u\" ; open-in-browser-and-mark-read ; next")
    let macro = library.settings.first { $0.table == "[macros.newsboat-m-all]" }
    #expect(
      macro?.text.contains(#"run = ["newsboat-m", "mark-read", "next-article"]"#) == true,
      "\(library)")
  }

  @Test("A key that opens a link by its number is that digit")
  func digits() {
    let library = read("bind-key 1 one\nbind-key x one\nbind-key y sort feedlist\nbind-key z sort")
    #expect(
      library.keys == [
        LibraryKey("change-feed-order", key: "y", table: "[keys.sidebar]"),
        LibraryKey("change-order", key: "z"),
      ])
    #expect(library.left.map(\.place.line) == [2])
  }

  @Test("Of what is set twice the last counts")
  func twice() {
    #expect(settings("scrolloff 3\nscrolloff 5") == ["[screen] scroll_margin = 5"])
    let macros = read("macro a set browser \"x %u\"; open-in-browser\nmacro a reload-all")
    #expect(macros.settings.map(\.table) == ["[macros.newsboat-a]"])
  }

  @Test("A browser is an array of arguments; one that needs a shell is told")
  func browser() {
    #expect(
      settings("browser \"firefox --new-tab %u\"") == [
        "[browser] command = \"firefox --new-tab %u\"", "[browser] uses_terminal = false",
      ])
    #expect(settings("browser w3m").last == "[browser] uses_terminal = true")
    #expect(
      settings("browser \"firefox '%u' > /dev/null 2>&1 &\"").first
        == "[browser] command = \"firefox %u\"")
    let shell = read("browser \"echo %u | xclip\"")
    #expect(shell.settings == [] && shell.left.map(\.place.text) == ["config:1"])
  }

  @Test("A player has the terminal as in podboat; mpv alone is what Telex starts anyway")
  func players() {
    #expect(settings("player \"mpv\"") == [])
    #expect(
      settings("player \"mplayer -quiet\"")
        == ["[player] command = \"mplayer -quiet\"", "[player] uses_terminal = true"])
    let shell = read("player \"sh -c 'mpv %u | cat'\"")
    #expect(shell.settings == [])
    #expect(shell.left.first?.reason.contains("shell") == true)
  }

  @Test("The folder of downloads is what stands before the signs of newsboat in it")
  func downloadFolders() {
    let named = read("download-path \"~/podcasts/%n\"")
    #expect(
      named.settings.map(\.text) == ["folder = \"~/podcasts\"", "name = \"{feed}/{name}\""])
    #expect(named.left == [])
    let hosts = read("download-path \"~/podcasts/%h/%n\"")
    #expect(hosts.settings.map(\.text) == ["folder = \"~/podcasts\""])
    #expect(hosts.left.first?.reason.contains("~/podcasts;") == true)
  }

  @Test("Macros become commands and macros, and never let an address be a command of the shell")
  func macros() {
    let play = read(
      "macro p set browser \"mpv %u\" ; open-in-browser ; set browser w3m -- \"play\"")
    #expect(play.left == [])
    #expect(play.settings.first?.table == "[commands.newsboat-p]")
    #expect(play.settings.first?.text.contains(#"run = ["mpv", "%u"]"#) == true)
    #expect(play.settings.first?.text.contains(#"keys = ", p""#) == true)
    #expect(play.settings.first?.text.contains(#"help = "play""#) == true)
    let shell = read("macro q set browser \"echo %u | xclip\"; open-in-browser")
    #expect(
      shell.settings.first?.text.contains(#"["sh", "-c", "echo \"$TELEX_URL\" | xclip"]"#) == true)
    let operations = read("macro r toggle-article-read ; next-unread")
    #expect(
      operations.settings.first?.text.contains(#"run = ["toggle-read", "next-unread"]"#) == true)
    #expect(read("macro z set text-width 40").left.count == 1)
  }

  @Test(
    "An address is no part of another shell's script",
    arguments: [
      (#"echo %u >> ~/q"#, #"echo "$TELEX_URL" >> ~/q"#),
      (#"echo '%u' | xclip"#, #"echo "$TELEX_URL" | xclip"#),
      (#"echo \"%u\" %T | x"#, #"echo "$TELEX_URL" "$TELEX_TITLE" | x"#),
      (#"sh -c \"mpv '%u'\""#, nil), (#"tmux new-window 'w3m %u'"#, nil),
      (#"eval x %u | y"#, nil), (#"bash -lc 'x' %u"#, nil), (#"x %t %u"#, nil), (#"x %F"#, nil),
    ] as [(String, String?)])
  func scripts(program: String, script: String?) {
    let library = read("macro p set browser \"\(program)\" ; open-in-browser")
    if let script {
      let text = library.settings.first?.text ?? ""
      #expect(text.contains("[\"sh\", \"-c\", \(TOMLText.quoted(script))]"), "\(text)")
    } else {
      #expect(library.settings == [] && library.left.count == 1)
    }
  }

  @Test("Macros on signs have names of their own")
  func signs() {
    let library = read(
      "macro . reload-all\nmacro : reload-all\nmacro ö reload-all\nmacro A reload-all")
    #expect(
      library.settings.map(\.table) == [
        "[macros.newsboat-u2e]", "[macros.newsboat-u3a]", "[macros.newsboat-uf6]",
        "[macros.newsboat-upper-a]",
      ])
  }

  @Test("Keys of operations that there are")
  func keys() {
    let library = read(
      """
      bind-key j next articlelist,article
      bind-key ^D pagedown
      bind-key SPACE open all
      unbind-key G
      bind-key x purge-deleted
      bind-key y next podboat
      unbind-key -a
      """)
    #expect(
      library.keys == [
        LibraryKey("next-article", key: "j", table: "[keys.list]"),
        LibraryKey("next-article", key: "j", table: "[keys.article]"),
        LibraryKey("page-down", key: "Ctrl-d"), LibraryKey("open", key: "Space"),
        LibraryKey(nil, key: "G"),
      ])
    #expect(library.left.map(\.place.line) == [5, 6, 7])
  }

  @Test("What has a counterpart elsewhere is told with it")
  func elsewhere() {
    let library = read(
      """
      bind-key ; macro-prefix
      bind-key , macro-prefix
      articlelist-format "%4i %f %D %?T?|%-17T|  ?%t"
      feedlist-format "%4i %n %11u %t"
      """)
    #expect(library.keys == [])
    #expect(library.left.map(\.place.line) == [1, 3, 4])
    #expect(library.left[0].reason.contains("[macros]"))
    #expect(library.left[1].reason.contains("columns below [screen]"))
  }

  @Test("Colours become a theme, highlights their rules")
  func colors() {
    let library = read(
      """
      color listfocus black color214 bold
      color background white default
      color info red blue standout
      color hint red blue
      highlight article "(a|b)" red default
      highlight-article "unread = \\"yes\\"" yellow default bold
      highlight everywhere x red
      """)
    let texts = library.settings.map { "\($0.table)\n\($0.text)" }
    #expect(texts.contains("[screen]\ntheme = \"newsboat\""))
    #expect(
      texts.contains {
        $0.contains("selected = \"black on 214 bold\"") && $0.contains("text = \"white\"")
      })
    #expect(texts.contains("[[highlights]]\ntext = \"(a|b)\"\nstyle = \"red\""))
    #expect(texts.contains("[[highlights]]\nquery = \"unread\"\nstyle = \"yellow bold\""))
    #expect(library.left.map(\.place.line) == [4, 7])
  }

  @Test("Included files are read, in a circle not for ever, and a missing one is told")
  func includes() {
    let library = read(
      "include more\ninclude none",
      ["more": "scrolloff 3\ninclude more\nnonsense 1"])
    #expect(library.settings.contains { $0.text == "scroll_margin = 3" })
    #expect(library.left.contains { $0.place.text == "more:3" })
    #expect(library.left.contains { $0.place.text == "config:2" })
  }

  @Test("What newsboat ignores is hidden by rules")
  func rules() {
    let library = read(
      """
      ignore-article "*" "title =~ \\"ad\\""
      ignore-article "https://u:hush@a.example/feed" "author = \\"Jo\\" or unread = \\"no\\""
      """)
    #expect(
      library.rules.map(\.query.text) == [
        "title:/ad/", #"feed:/^https:\/\/a\.example\/feed$/ (author:/^Jo$/ OR is:read)"#,
      ])
    let regular = read("ignore-article \"regex:a.*b\" \"author = \\\"Jo\\\"\"")
    #expect(regular.rules.map(\.query.text) == ["feed:/a.*b/ (author:/^Jo$/)"])
    #expect(library.rules.allSatisfy { $0.action == .hide } && library.left == [])
    // What is only not shown there is not lost here, wherever the line stands.
    for text in ["ignore-mode display\n%", "%\nignore-mode \"display\""] {
      let rule = "ignore-article \"*\" \"title =~ \\\"ad\\\"\""
      let library = read(text.replacing("%", with: rule))
      #expect(library.rules.map(\.action) == [.read] && library.left == [])
    }
    #expect(read("ignore-mode download").left == [])
  }

  @Test("What is left is told by line, and no password with it")
  func left() {
    let library = read(
      """
      show-read-feeds no
      miniflux-password "hush"
      browser `cat secret`
      urls-source "miniflux"
      ignore-article "*" "articleindex = 3"
      reload-threads many
      cache-file ~/nb.db
      """)
    #expect(Set(library.left.compactMap(\.place.line)) == [1, 2, 3, 4, 5, 6])
    #expect(!library.left.map { $0.subject + $0.reason }.joined().contains("hush"))
    #expect(library.cachePath == "~/nb.db")
  }
}
