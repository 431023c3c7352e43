internal import HTTP
internal import News
internal import Repository

/// The settings with fixed names. Tables with names of the user's own are read in `Settings.parse`.
extension SettingTable {
  static let all = [
    refresh, network, retention, journal, stories, downloads, screen, pictures, browser, player,
    secrets,
  ]

  /// Those in tables that have names of the user's own too, which read them.
  static let open = [
    SettingTable(
      name: "keys",
      settings: [
        .choice("set", ["vi", "emacs", "newsboat"], standard: "vi", "the keys of all commands") {
          _, _ in
        }
      ]),
    SettingTable(
      name: "speech",
      settings: [
        .text(
          "command", example: "espeak-ng --stdin",
          "reads articles aloud; else a program that is installed"
        ) { _, _ in }
      ]),
  ]

  private static let refresh = SettingTable(
    name: "refresh",
    settings: [
      .integer(
        "interval_minutes", 0...100_000, \.intervalMinutes, example: 30,
        "how often feeds are fetched, in place of as often as they publish; 0: only when you ask"
      )
      .measured(in: "min"),
      .integer(
        "max_pages", 1...1_000_000, \.refresh.maxOlderPages,
        "pages of one feed that refresh --all-pages reads"),
    ])

  private static let network = SettingTable(
    name: "network",
    settings: [
      .integer(
        "concurrent_feeds", 1...256, \.refresh.concurrent, "feeds that are fetched at once"),
      .integer("concurrent_per_host", 1...64, \.refresh.perHost, "of them from one host"),
      .seconds("connect_timeout", 1...3600, \.limits.connect, "seconds to connect"),
      .seconds("silence_timeout", 1...3600, \.limits.silence, "seconds without a byte"),
      .integer("total_timeout", 1...86_400, standard: 300, "seconds for one request in all") {
        $0.limits.total = .seconds($1)
      }.measured(in: "s"),
      .integer(
        "max_body_bytes", 1_024...1 << 31, \.limits.maxBodyBytes,
        "the longest document that is read"
      ).measured(in: "bytes"),
      .integer("max_redirects", 0...50, \.limits.maxRedirects, "for one request"),
      .integer(
        "requests_per_minute", 0...100_000, standard: 120,
        "to one host, your own machine excepted; 0: no bound"
      ) { settings, requests in
        settings.gate.rate =
          requests == 0 ? nil : RateWindow.Settings(requests: requests, per: .seconds(60))
      },
      .choice(
        "live", ["events", "websocket", "off"], standard: "events", "how servers push news"
      ) { $0.live = $1 == "off" ? nil : $1 == "websocket" ? .webSocket : .eventStream },
      .boolean("offline", \.refresh.isOffline, "true: send no request; changes wait to be sent"),
      .boolean("low_data", \.refresh.isLowData, "true: fetch nothing that you have not asked for"),
      .choice(
        "metered", FeedSettings.Metered.allCases, \.refresh.metered,
        "what is fetched unasked on a metered connection"),
      .text("ca_file", \.caFile, example: "/etc/ssl/my-ca.pem", "certificates to trust instead"),
      .choice("min_tls", [TLSVersion.v12, .v13], \.minTLS, "the lowest version of TLS"),
      .text("proxy", example: "http://localhost:3128", "for all requests") { settings, proxy in
        if !proxy.isEmpty { try Settings.requireProxy(proxy) }
        settings.proxy = proxy
      }.or(.init(names: ProxySettings.variables.filter { $0.lowercased() != "no_proxy" })),
      .text(
        "log", \.logFile, example: "/home/ada/telex.log",
        "a line for each request, without queries and secrets"),
    ])

  private static let retention = SettingTable(
    name: "retention",
    settings: [
      .bound(
        "days", 0...36_500, \.retention.age, unit: 86_400, "older articles are deleted; 0: none"
      ).measured(in: "days"),
      .bound(
        "articles_per_feed", 0...10_000_000, \.retention.articlesPerFeed, "that are kept; 0: all"),
      .bound(
        "megabytes", 0...10_000_000, \.retention.bytes, unit: 1 << 20,
        "that articles may take; 0: no bound"
      ).measured(in: "MB"),
      .boolean("unread", \.retention.includesUnread, "true: unread articles are deleted too"),
    ])

  private static let journal = SettingTable(
    name: "journal",
    settings: [
      .integer(
        "keep", 0...1_000_000, \.journalLimit,
        "actions; 0: what undo needs, and nothing of what was read")
    ])

  private static let stories = SettingTable(
    name: "stories",
    settings: [
      .boolean("join", \.joinsStories, "false: each article is a row of its own")
    ])

  private static let downloads = SettingTable(
    name: "downloads",
    settings: [
      .text("folder", example: "~/Podcasts", "else Telex in your folder of downloads") {
        $0.downloads.folder = try DownloadSettings.checked($1)
      },
      .text("name", example: "{feed}/{date} {title}", "of the files") {
        $0.downloads.name = try FileNamePattern($1)
      },
      .integer("concurrent", 1...16, \.downloads.concurrent, "downloads at once"),
      .bound(
        "kib_per_second", 0...10_000_000, \.downloads.bytesPerSecond, unit: 1 << 10,
        "for all of them; 0: no bound"
      ).measured(in: "KiB/s"),
    ])

  private static let screen = SettingTable(
    name: "screen",
    settings: [
      .choice("background", ["dark", "light"], example: "light", "else the terminal is asked") {
        $0.screen.background = .init(rawValue: $1)
      },
      .boolean("colors", \.screen.colors, "NO_COLOR turns them off too")
        .or(.init(names: ["NO_COLOR"], value: "false", win: true)),
      Setting(
        name: "theme",
        value: .text { $0.screen.theme = ScreenSettings.PlacedText(text: $1, place: $2()) },
        example: "\"gruvbox\"", help: "see Themes"
      ).atOnce,
      .boolean("mouse", \.screen.mouse, "clicks and the wheel are read"),
      .choice(
        "order", [ListOrder.newest, .oldest, .feed, .title, .score], \.screen.order,
        "of lists; , sorts one of them differently"
      ).atOnce,
      .integer(
        "text_width", 20...400, \.screen.preferences.textWidth, "columns of an article's lines"
      ).measured(in: "columns").atOnce,
      .boolean("bidi", \.screen.ordersText, "false: the terminal orders right-to-left text"),
      .program(
        "copy_command", \.screen.copyCommand, example: "wl-copy",
        "reads what is copied, besides the terminal"),
      .boolean("title", \.screen.namesWindow, "the window's title counts unread articles"),
      .boolean(
        "confirm_quit", \.screen.preferences.asksBeforeQuitting, "true: ask before a key quits"
      ).atOnce,
      .boolean(
        "preview", \.screen.preferences.previews, "show the selected article where there is room"
      ).atOnce,
      .integer(
        "mark_read_after", 1...3600, \.screen.preferences.secondsUntilRead, example: 3,
        "seconds an article shows before it is read; else it has to be opened"
      ).measured(in: "s").atOnce,
      .text("columns", standard: allColumns, "of a list, in this order") { settings, text in
        let words = text.split(separator: " ")
        let columns = words.compactMap { ListColumn(rawValue: String($0)) }
        guard columns.contains(.title), columns.count == words.count,
          Set(columns).count == columns.count
        else {
          throw SettingMistake(
            message: "these are the columns of a list, title among them, once each",
            next: "write some of: \(allColumns)")
        }
        settings.screen.preferences.columns = columns
      }.atOnce,
      .text(
        "date_format", example: "%d.%m. %H:%M", "with \(conversions)"
      ) { settings, text in
        guard let format = DateFormat(text), (1...40).contains(text.count) else {
          throw SettingMistake(
            message: "this must be a short text with \(conversions) in it",
            next: "write, for example, \"%d.%m. %H:%M\"")
        }
        settings.screen.preferences.dateFormat = format
      }.atOnce,
      .integer(
        "scroll_margin", 0...100, \.screen.preferences.scrollMargin,
        "rows above and below the selected one"
      ).measured(in: "rows").atOnce,
      .choice(
        "signs", ["ascii", "unicode"], example: "ascii", "else what the terminal can show"
      ) { $0.screen.usesAsciiSigns = $1 == "ascii" }.atOnce,
    ])

  private static let allColumns = ListColumn.allCases.map(\.rawValue).joined(separator: " ")
  /// The conversions of a date, without `%%`.
  private static let conversions = DateFormat.letters.filter { $0 != "%" }.map { "%\($0)" }
    .joined(separator: " ")

  private static let pictures = SettingTable(
    name: "pictures",
    settings: [
      .boolean("show", \.pictures.areShown, "false: descriptions alone; V shows pictures"),
      .boolean("icons", \.pictures.showsIcons, "of feeds"),
      .choice(
        "draw", PictureSettings.Drawing.allCases, \.pictures.drawing,
        "auto: pixels where the terminal shows them"),
      .choice(
        "symbols", PictureSettings.Symbols.allCases.map(\.rawValue), example: "half",
        "what cells are made of; else what suits the terminal"
      ) { $0.pictures.symbols = .init(rawValue: $1) },
      .integer("cache_megabytes", 1...1_000_000, standard: 200, "that pictures may take") {
        $0.pictures.mostBytes = Int64($1) << 20
      }.measured(in: "MB"),
    ])

  private static let browser = SettingTable(
    name: "browser",
    settings: [
      .text(
        "command", example: "firefox %u", "else $BROWSER, else xdg-open (macOS: open)"
      ) { settings, command in
        _ = try Settings.words(command)
        settings.screen.browser = command
      }.or(.init(names: ["BROWSER"])),
      .boolean(
        "uses_terminal", \.screen.browserUsesTerminal, example: true,
        "it draws on the terminal; w3m and lynx are known"),
      .program(
        "background", \.screen.backgroundBrowser, example: "firefox --new-tab %u",
        "for what opens beside the reader"),
      .program(
        "mail", \.screen.mailProgram, example: "thunderbird -compose %u",
        "opens mailto: links; without it they are not opened"),
    ])

  private static let player = SettingTable(
    name: "player",
    settings: [
      .program(
        "command", \.screen.player, example: "mpv --no-video %u", "else the system's program"),
      .boolean(
        "uses_terminal", \.screen.playerUsesTerminal, "true: it draws on the terminal"),
    ])

  private static let secrets = SettingTable(
    name: "secrets",
    settings: [
      .boolean("keyring", \.usesKeyring, "false: leave the system's keyring alone")
    ])
}
