import News
import Testing

@testable import OtherReaders

@Suite("Newsraft's settings")
struct NewsraftConfigTests {
  private func read(_ text: String) -> ReaderLibrary {
    NewsraftConfig(text, file: "config").library
  }

  private func settings(_ text: String) -> [String] {
    read(text).settings.map { "\($0.table) \($0.text)" }
  }

  @Test(
    "Lines are settings and keys with semicolons between them, in quotes or not",
    arguments: [
      ("set scrolloff 5", [.setting("scrolloff", value: "5")]),
      (
        " scrolloff 5 ; list-entry-date-format \"%D; %R\"; # more",
        [.setting("scrolloff", value: "5"), .setting("list-entry-date-format", value: "%D; %R")]
      ),
      (
        "item-rule title NOT LIKE '%a%' ;; proxy ''",
        [.setting("item-rule", value: "title NOT LIKE '%a%'"), .setting("proxy", value: "")]
      ),
      ("# bind a b", []), ("", []),
      ("unbind \"#\"", [.key("#", actions: [])]),
      (
        "bind m mark-read; exec mpv \"%l\" &; jump-to-next",
        [
          .key(
            "m",
            actions: [
              .init(name: "mark-read"), .init(name: "exec", argument: "mpv \"%l\" &"),
              .init(name: "jump-to-next"),
            ])
        ]
      ),
      ("proxy \"a\" b; scrolloff 1", [.mistake("proxy"), .setting("scrolloff", value: "1")]),
      ("set", [.setting("", value: "")]), ("bind", [.key("", actions: [])]),
      ("proxy \"never closed", [.setting("proxy", value: "never closed")]),
    ] as [(String, [NewsraftLine.Item])])
  func lines(line: String, items: [NewsraftLine.Item]) {
    #expect(NewsraftLine(line[...]).items == items)
  }

  @Test(
    "Settings have their counterparts",
    arguments: [
      ("reload-period 30", "[refresh] interval_minutes = 30"),
      ("set scrolloff 5000", "[screen] scroll_margin = 100"),
      ("scrolloff 3\nscrolloff 5", "[screen] scroll_margin = 5"),
      ("pager-width 0", "[screen] text_width = 400"),
      ("pager-width 80", "[screen] text_width = 80"),
      ("list-entry-date-format \"%D\"", "[screen] date_format = \"%m/%d/%y\""),
      ("download-timeout 20", "[network] total_timeout = 20"),
      ("download-timeout 0", "[network] total_timeout = 86400"),
      ("download-max-host-connections 4", "[network] concurrent_per_host = 4"),
      ("update-threads-count 8", "[network] concurrent_feeds = 8"),
      ("item-limit 500", "[retention] articles_per_feed = 500"),
      ("proxy localhost:3128", "[network] proxy = \"http://localhost:3128\""),
      ("set proxy 'socks5h://[::1]:9050'", "[network] proxy = \"socks5h://[::1]:9050\""),
      ("copy-to-clipboard-command xclip -sel c", "[screen] copy_command = \"xclip -sel c\""),
      ("notification-command auto", "[[events.on_new]] notify = \"notify-send\""),
      (
        #"notification-command "printf '\e]9;%q news\a'""#,
        "[[events.on_new]] notify = \"osc9\""
      ),
    ])
  func counterparts(config: String, setting: String) {
    #expect(settings(config) == [setting])
    #expect(read(config).left == [])
  }

  @Test(
    "What Telex does anyway needs no setting and no report",
    arguments: [
      "open-in-browser-command auto", "copy-to-clipboard-command newsraft-osc-52",
      "respect-ttl-element true", "proxy \"\"", "item-limit 0", "user-agent auto", "item-rule \"\"",
    ])
  func same(config: String) {
    #expect(read(config) == ReaderLibrary())
  }

  @Test("What has no counterpart is told by line, and no password with it")
  func left() {
    let library = read(
      """
      proxy-password "hush"
      scrolloff many
      proxy http://ada:hush@localhost
      respect-expires-header false
      open-in-browser-command "echo %l | xclip"
      menu-item-sorting unread-desc
      mystery 1
      user-agent ""
      list-entry-date-format %s
      item-rule publication_date > 5
      """)
    #expect(library.left.map(\.place.line) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(!library.left.map { $0.subject + $0.reason }.joined().contains("hush"))
    #expect(library.settings == [])
  }

  @Test("A browser is an array of arguments with the address in it")
  func browser() {
    #expect(
      settings("open-in-browser-command firefox --new-tab \"%l\" > /dev/null 2>&1 &") == [
        "[browser] command = \"firefox --new-tab %u\"", "[browser] uses_terminal = false",
      ])
    #expect(settings("set open-in-browser-command w3m %l").last == "[browser] uses_terminal = true")
  }

  @Test("Keys of actions that there are, by their names in old and new versions")
  func keys() {
    let library = read(
      """
      bind ^P mark-unread-all
      bind space next-unread
      bind KEY_DC mark-important
      bind ^J enter
      bind KEY_F(5) reload-all
      unbind G
      bind x sort-by-time
      bind nothing quit
      bind y quit
      bind y quit-hard
      """)
    #expect(
      library.keys == [
        LibraryKey("next-unread", key: "Space"), LibraryKey("toggle-star", key: "Del"),
        LibraryKey("open", key: "Enter"), LibraryKey("refresh-all", key: "F5"),
        LibraryKey(nil, key: "G"), LibraryKey("quit", key: "y"),
      ])
    #expect(library.left.map(\.place.line) == [1, 7, 8])
  }

  @Test("Programs are commands, several actions are macros")
  func programs() {
    let library = read(
      """
      bind m exec mpv "%l"
      bind M exec mpv --no-terminal "%l" &
      bind b exec-quiet book.sh "%t" %l
      bind d mark-read; jump-to-next
      bind w exec echo "%l" >> ~/q; mark-read; exec date
      """)
    let tables = library.settings.map(\.table)
    #expect(
      tables == [
        "[commands.newsraft-m]", "[commands.newsraft-upper-m]", "[commands.newsraft-b]",
        "[macros.newsraft-d]", "[commands.newsraft-w]", "[commands.newsraft-w-2]",
        "[macros.newsraft-w-all]",
      ])
    let texts = library.settings.map(\.text)
    #expect(
      texts[0]
        == "run = [\"mpv\", \"%u\"]\ninput = \"none\"\noutput = \"terminal\"\nkeys = \"m\"")
    #expect(texts[1].contains("output = \"none\"") && texts[1].contains("keys = \"M\""))
    #expect(texts[2].contains(#"run = ["book.sh", "%t", "%u"]"#))
    #expect(texts[2].contains("output = \"none\""))
    #expect(texts[3] == "run = [\"toggle-read\", \"next-article\"]\nkeys = \"d\"")
    #expect(texts[4].contains(#"["sh", "-c", "echo \"$TELEX_URL\" >> ~/q"]"#))
    #expect(texts[5].contains("run = [\"date\"]") && !texts[5].contains("keys"))
    #expect(texts[6].contains(#"["newsraft-w", "toggle-read", "newsraft-w-2"]"#))
    #expect(library.left == [] && library.keys == [])
  }

  @Test(
    "An address is no part of another shell's script, and no other sign is told to a program",
    arguments: [
      "sh -c \"mpv '%l'\"", "tmux new-window 'w3m %l'", "x %T", "x %-28O", "date +%s", "x %", "",
    ])
  func refused(program: String) {
    let library = read("bind p exec \(program)")
    #expect(library.settings == [] && library.left.count == 1)
  }

  @Test("Colours become a theme")
  func colors() {
    let library = read(
      """
      color-list-item-unread bold color214 default
      set color-list-item-important magenta default underlined
      color-list-item-selected black yellow
      color-status-fail red
      color-list-section green default
      color-list-item-fg bold red
      color-list-item nonsense
      """)
    #expect(
      library.settings == [
        LibrarySetting("[screen]", "theme = \"newsraft\""),
        LibrarySetting(
          "[themes.newsraft]",
          "unread = \"214 bold\"\nstar = \"magenta underline\"\nselected = \"black on yellow\"\n"
            + "status-error = \"red\""),
      ])
    #expect(library.left.map(\.place.line) == [5, 6, 7])
  }

  @Test(
    "Conditions of SQL become queries",
    arguments: [
      ("title NOT LIKE '%Rust%'", "-title:/Rust/"),
      ("persons LIKE '%A%' OR persons LIKE 'B_%'", "(author:/A/ OR author:/^B./)"),
      ("attachments LIKE '%audio/%'", "has:audio"),
      (
        #"NOT (title REGEXP '.+:.+\".+by' OR title LIKE '%(slow)%')"#,
        #"-(title:/.+:.+\".+by/ OR title:/\(slow\)/)"#
      ),
      ("link = 'https://a/b' and content like '%it''s%'", #"(url:/^https:\/\/a\/b$/ text:/it's/)"#),
      (
        "title <> 'x' OR title = 'y' AND title LIKE 'a%b%'",
        "(-title:/^x$/ OR (title:/^y$/ title:/^a.*b/))"
      ),
      ("CAST(strftime('%Y', publication_date) AS INTEGER) >= 2024", nil),
      ("attachments LIKE '%audio/mp3%'", nil), ("title LIKE '%'", nil), ("title LIKE 'a", nil),
      ("guid = 'x'", nil), ("title LIKE 'a' ESCAPE 'x'", nil), ("(title = 'x'", nil), ("", nil),
      ("title = 'x' OR", nil), (String(repeating: "(", count: 100_000), nil),
    ] as [(String, String?)])
  func itemRules(rule: String, query: String?) throws {
    #expect((try? NewsraftItemRule.query(of: rule)) == query)
    if let query { _ = try ArticleQuery(query) }
  }

  @Test("A rule for all feeds hides what newsraft does not show")
  func rules() {
    let library = read("item-rule title NOT LIKE '%horoscope%' AND title NOT LIKE '%ad%'")
    #expect(
      library.rules.map(\.query.text) == ["-(-title:/horoscope/ -title:/ad/)"])
    #expect(library.rules.map(\.action) == [.hide])
    #expect(read("item-rule title NOT LIKE '%x%'").rules.map(\.query.text) == ["title:/x/"])
  }
}
