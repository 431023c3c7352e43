internal import HTTP
internal import News
internal import Repository

/// The settings with fixed names. Tables with names of the user's own are read in `Settings.parse`.
extension SettingTable {
  /// Those that are changed most come first, in the settings page, the file and the manual alike.
  static let all = [
    screen, pictures, refresh, browser, player, downloads, network, retention, stories, journal,
    secrets,
  ]

  /// Those in tables that have names of the user's own too, which read them.
  static let open = [
    SettingTable(
      name: "keys",
      settings: [
        .choice("set", ["vi", "emacs", "newsboat"], standard: "vi", "keys of all commands") {
          _, _ in
        }.atOnce
      ]),
    SettingTable(
      name: "speech",
      settings: [
        .text(
          "command", example: "espeak-ng --stdin",
          "program that reads articles aloud; unset: one that is installed"
        ) { _, _ in }
      ]),
  ]

  private static let screen = SettingTable(
    name: "screen",
    settings: [
      Setting(
        name: "theme",
        value: .text { $0.screen.theme = ScreenSettings.PlacedText(text: $1, place: $2()) },
        example: "\"gruvbox\"", help: "theme of all screens; see Themes in the manual"
      ).atOnce,
      .choice("background", ["dark", "light"], example: "light", "unset: ask the terminal") {
        $0.screen.background = .init(rawValue: $1)
      },
      .text("columns", standard: allColumns, "columns of a list, in this order") { settings, text in
        let words = text.split(separator: " ")
        let columns = words.compactMap { ListColumn(rawValue: String($0)) }
        guard columns.contains(.title), columns.count == words.count,
          Set(columns).count == columns.count
        else {
          throw SettingMistake(
            message: "this must be columns of a list, each once, with title",
            next: "write some of: \(allColumns)")
        }
        settings.screen.preferences.columns = columns
      }.atOnce,
      .boolean(
        "preview", \.screen.preferences.previews, "show the selected article where there is room"
      ).atOnce,
      .integer(
        "mark_read_after", 1...3600, \.screen.preferences.secondsUntilRead, example: 3,
        "seconds until a previewed article is marked as read; unset: when opened"
      ).measured(in: "s").atOnce,
      .choice(
        "order", [ListOrder.newest, .oldest, .feed, .title, .score], \.screen.order,
        "order of lists that you have not sorted yourself"
      ).atOnce,
      .choice(
        "open_at", ["last", "all"], standard: "last",
        "what the reader opens with: where you left it, or All"
      ) {
        $0.screen.opensWhereLeft = $1 == "last"
      },
      .integer(
        "text_width", 20...400, \.screen.preferences.textWidth, "width of an article"
      ).measured(in: "columns").atOnce,
      .text(
        "date_format", example: "%d.%m. %H:%M", "format of dates, with \(conversions)"
      ) { settings, text in
        guard let format = DateFormat(text), (1...40).contains(text.count) else {
          throw SettingMistake(
            message: "this must be a short date format with \(conversions)",
            next: "write, for example, \"%d.%m. %H:%M\"")
        }
        settings.screen.preferences.dateFormat = format
      }.atOnce,
      .integer(
        "scroll_margin", 0...100, \.screen.preferences.scrollMargin,
        "rows to show above and below the selected one"
      ).measured(in: "rows").atOnce,
      .boolean("mouse", \.screen.mouse, "react to clicks and the wheel"),
      .boolean(
        "confirm_quit", \.screen.preferences.asksBeforeQuitting, "ask before a key quits"
      ).atOnce,
      .boolean("title", \.screen.namesWindow, "count unread articles in the window's title"),
      .boolean("colors", \.screen.colors, "use colours; NO_COLOR turns them off too")
        .or(.init(names: ["NO_COLOR"], value: "false", win: true)),
      .choice(
        "signs", ["ascii", "unicode"], example: "ascii", "unset: what the terminal can show"
      ) { $0.screen.usesAsciiSigns = $1 == "ascii" }.atOnce,
      .program(
        "copy_command", \.screen.copyCommand, example: "wl-copy",
        "program that gets what you copy, besides the terminal"),
      .boolean("bidi", \.screen.ordersText, "order right-to-left text; false: the terminal does"),
    ])

  private static let allColumns = ListColumn.allCases.map(\.rawValue).joined(separator: " ")
  /// The conversions of a date, without `%%`.
  private static let conversions = DateFormat.letters.filter { $0 != "%" }.map { "%\($0)" }
    .joined(separator: " ")

  private static let pictures = SettingTable(
    name: "pictures",
    settings: [
      .boolean("show", \.pictures.areShown, "show pictures; false: only their descriptions"),
      .boolean("icons", \.pictures.showsIcons, "show the icons of feeds"),
      .choice(
        "draw", PictureSettings.Drawing.allCases, \.pictures.drawing,
        "how to draw pictures; auto: pixels where the terminal can"),
      .choice(
        "symbols", PictureSettings.Symbols.allCases.map(\.rawValue), example: "half",
        "characters that draw pictures; unset: what suits the terminal"
      ) { $0.pictures.symbols = .init(rawValue: $1) },
      .integer("cache_megabytes", 1...1_000_000, standard: 200, "space for cached pictures") {
        $0.pictures.mostBytes = Int64($1) << 20
      }.measured(in: "MB"),
    ])

  private static let refresh = SettingTable(
    name: "refresh",
    settings: [
      .integer(
        "interval_minutes", 0...100_000, \.intervalMinutes, example: 30,
        "how often to fetch feeds; unset: as often as they publish; 0: only when you ask"
      )
      .measured(in: "min"),
      .integer(
        "max_pages", 1...1_000_000, \.refresh.maxOlderPages,
        "pages of one feed to read with refresh --all-pages"),
    ])

  private static let browser = SettingTable(
    name: "browser",
    settings: [
      .text(
        "command", example: "firefox %u", "unset: $BROWSER, or xdg-open (macOS: open)"
      ) { settings, command in
        _ = try Settings.words(command)
        settings.screen.browser = command
      }.or(.init(names: ["BROWSER"])),
      .boolean(
        "uses_terminal", \.screen.browserUsesTerminal, example: true,
        "the browser draws on the terminal; unset: known for w3m and lynx"),
      .program(
        "background", \.screen.backgroundBrowser, example: "firefox --new-tab %u",
        "program that opens pages in the background"),
      .program(
        "mail", \.screen.mailProgram, example: "thunderbird -compose %u",
        "program that opens mailto: links; unset: none"),
    ])

  private static let player = SettingTable(
    name: "player",
    settings: [
      .program(
        "command", \.screen.player, example: "mpv --no-video %u", "player; unset: the system's"),
      .boolean(
        "uses_terminal", \.screen.playerUsesTerminal, "the player draws on the terminal"),
    ])

  private static let downloads = SettingTable(
    name: "downloads",
    settings: [
      .text("folder", example: "~/Podcasts", "folder for files; unset: Downloads/Telex") {
        $0.downloads.folder = try DownloadSettings.checked($1)
      },
      .text("name", example: "{feed}/{date} {title}", "name of each file") {
        $0.downloads.name = try FileNamePattern($1)
      },
      .integer("concurrent", 1...16, \.downloads.concurrent, "files to download at once"),
      .bound(
        "kib_per_second", 0...10_000_000, \.downloads.bytesPerSecond, unit: 1 << 10,
        "speed of all downloads together; 0: no limit"
      ).measured(in: "KiB/s"),
    ])

  private static let network = SettingTable(
    name: "network",
    settings: [
      .boolean("offline", \.refresh.isOffline, "send no requests; changes wait in the outbox"),
      .boolean("low_data", \.refresh.isLowData, "fetch only what you ask for"),
      .choice(
        "metered", FeedSettings.Metered.allCases, \.refresh.metered,
        "what to fetch automatically on a metered connection"),
      .choice(
        "live", ["events", "websocket", "off"], standard: "events", "how servers push new articles"
      ) { $0.live = $1 == "off" ? nil : $1 == "websocket" ? .webSocket : .eventStream },
      .text("proxy", example: "http://localhost:3128", "proxy for all requests") {
        settings, proxy in
        if !proxy.isEmpty { try Settings.requireProxy(proxy) }
        settings.proxy = proxy
      }.or(.init(names: ProxySettings.variables.filter { $0.lowercased() != "no_proxy" })),
      .integer("concurrent_feeds", 1...256, \.refresh.concurrent, "feeds to fetch at once"),
      .integer("concurrent_per_host", 1...64, \.refresh.perHost, "feeds at once from one host"),
      .integer(
        "requests_per_minute", 0...100_000, standard: 120,
        "requests to one host other than this device; 0: no limit"
      ) { settings, requests in
        settings.gate.rate =
          requests == 0 ? nil : RateWindow.Settings(requests: requests, per: .seconds(60))
      },
      .seconds("connect_timeout", 1...3600, \.limits.connect, "seconds to wait for a connection"),
      .seconds("silence_timeout", 1...3600, \.limits.silence, "seconds to wait for the next byte"),
      .integer("total_timeout", 1...86_400, standard: 300, "seconds for a whole request") {
        $0.limits.total = .seconds($1)
      }.measured(in: "s"),
      .integer(
        "max_body_bytes", 1_024...1 << 31, \.limits.maxBodyBytes,
        "size of the largest document to read"
      ).measured(in: "bytes"),
      .integer("max_redirects", 0...50, \.limits.maxRedirects, "redirects of one request"),
      .text("ca_file", \.caFile, example: "/etc/ssl/my-ca.pem", "the only certificates to trust"),
      .choice("min_tls", [TLSVersion.v12, .v13], \.minTLS, "lowest version of TLS"),
      .text(
        "log", \.logFile, example: "/home/ada/telex.log",
        "file for a line about each request, without queries and secrets"),
    ])

  private static let retention = SettingTable(
    name: "retention",
    settings: [
      .bound(
        "days", 0...36_500, \.retention.age, unit: 86_400, "days to keep articles; 0: for ever"
      ).measured(in: "days"),
      .bound(
        "articles_per_feed", 0...10_000_000, \.retention.articlesPerFeed,
        "articles to keep of each feed; 0: all"),
      .bound(
        "megabytes", 0...10_000_000, \.retention.bytes, unit: 1 << 20,
        "space for articles; 0: no limit"
      ).measured(in: "MB"),
      .boolean("unread", \.retention.includesUnread, "delete unread articles too"),
    ])

  private static let stories = SettingTable(
    name: "stories",
    settings: [
      .boolean("join", \.joinsStories, "group articles on one story in one row")
    ])

  private static let journal = SettingTable(
    name: "journal",
    settings: [
      .integer(
        "keep", 0...1_000_000, \.journalLimit,
        "actions to keep; 0: what undo needs, but not what you read")
    ])

  private static let secrets = SettingTable(
    name: "secrets",
    settings: [
      .boolean("keyring", \.usesKeyring, "use the system's keyring")
    ])
}
