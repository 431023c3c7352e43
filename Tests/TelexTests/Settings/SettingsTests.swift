import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// `config.toml`, through a verb that reads it.
@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
  @Test(arguments: [
    "", "# nothing\n", "[network]\n", "[network]\nconcurrent_feeds = 1\n",
    "[network]\nconcurrent_feeds = 256\nconcurrent_per_host = 64\nconnect_timeout = 3600\n",
    "network.total_timeout = 86400\n", "network = { silence_timeout = 1 }\n",
    "[network]\nmax_body_bytes = 1024\nmax_redirects = 0\nca_file = \"/ca.pem\"\nproxy = \"\"\n",
    "[refresh]\ninterval_minutes = 0\nmax_pages = 5\n",
    "[journal]\nkeep = 0\n", "journal.keep = 1000000\n",
    "[network.client_certificates.\"example.org\"]\ncertificate = \"/a.pem\"\nkey = \"/a.key\"\n",
    "[screen]\nbackground = 'light'\n",
    "[screen]\nbackground = \"dark\"\ncolors = false\nmouse = true\ntext_width = 400\n",
    "[browser]\ncommand = \"firefox --new-tab %u\"\nuses_terminal = false\n",
    "[network]\nmin_tls = \"1.3\"\n[network.pins]\n", "[network.pins]\n\(pins("example.org"))\n",
    "[network]\npins = { \(pins("a.example")), \(pins("b.example")) }\n",
    "[network.pins]\nlocalhost = ['\(pin("a"))', '\(pin("b"))', '\(pin("c"))']\n",
    "\u{FEFF}[screen]\nmouse = false\n", "[screen]\r\nmouse = false\r\n",
  ])
  func `A good configuration is taken`(text: String) async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("telex.toml", text)
    let outcome = try await sandbox.telex("list", "--config", config)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.testDescription)")
  }

  @Test(
    arguments: [
      // Not TOML.
      ("[network\n", 1, nil, nil), ("x\n", 1, nil, nil), ("[screen]\nmouse = yes\n", 2, nil, nil),
      ("[screen]\nmouse = true\nmouse = false\n", 3, nil, nil),
      ("[browser]\ncommand = \"a\n", 2, nil, nil), ("\n\n = 1\n", 3, nil, nil),
      ("[screen]\n[\n", 2, nil, nil), ("[.]\n", 1, nil, nil), ("[[[x]]\n", 1, nil, nil),
      ("\n[é]\n", 2, nil, nil),
      // Unknown names.
      ("[nettwork]\n", 1, 1, "there is no setting with this name"),
      (
        "colors = true\n", 1, 1,
        "the settings here are accounts, browser, commands, downloads, events, feeds, highlights, journal, keys, "
      ),
      (
        "[screen]\n# so\n  colours = true\n", 3, 3,
        "background, bidi, colors, columns, confirm_quit, copy_command, date_format, mark_read_after, "
          + "mouse, open_at, order, preview, scroll_margin, signs, text_width, theme, title"
      ),
      ("screen.colours = true\n", 1, 1, "screen.colours"),
      ("[screen]\nmouse = true\n\n[browser]\nmouse = true\n", 5, 1, "browser.mouse"),
      ("[screen.more]\n", 1, 1, "screen.more"),
      // Wrong kinds.
      ("network = 5\n", 1, 1, "this must be a table"),
      ("[network]\nconcurrent_feeds = \"4\"\n", 2, 1, "a whole number from 1 to 256"),
      ("[network]\nconcurrent_feeds = 4.5\n", 2, 1, "a whole number from 1 to 256"),
      ("[network]\nconcurrent_feeds = true\n", 2, 1, "a whole number from 1 to 256"),
      ("[network]\n\tca_file = 5\n", 2, 2, "a string in quotes"),
      ("[network]\nca_file = [\"a\"]\n", 2, 1, "a string in quotes"),
      ("[screen]\nmouse = 1\n", 2, 1, "true or false"),
      ("[screen]\nmouse = \"true\"\n", 2, 1, "true or false"),
      // Out of range.
      ("[network]\nconcurrent_feeds = 0\n", 2, 1, "a whole number from 1 to 256"),
      ("[network]\nconcurrent_feeds = 257\n", 2, 1, "a whole number from 1 to 256"),
      ("[network]\nmax_redirects = -1\n", 2, 1, "a whole number from 0 to 50"),
      ("[refresh]\ninterval_minutes = 9223372036854775807\n", 2, 1, "from 0 to 100000"),
      (
        "[[events.on_new]]\nquery = \"is:unread\"\n\n[[events.on_new]]\nrun = []\n  query = \"titel:a\"\n",
        6, 3, "on_new.query: there is no field “titel”"
      ),
      (
        "[screen]\nmouse = true\n[[events.on_new]]\nnotify = \"smoke\"\n", 4, 1,
        "on_new.notify must be one of"
      ),
      ("[[events.on_new]]\nrun = []\nfoo = 1\n", 3, 1, "has a foo that is not one of"),
      ("[events]\non_new = [{query = \"titel:a\"}]\n", 2, 1, "there is no field “titel”"),
      ("\n[journal]\n  keep = 1000001\n", 3, 3, "a whole number from 0 to 1000000"),
      ("journal.keep = -1\n", 1, 1, "a whole number from 0 to 1000000"),
      ("[screen]\ntext_width = 19\n", 2, 1, "a whole number from 20 to 400"),
      ("[screen]\nbackground = \"blue\"\n", 2, 1, "one of: dark, light"),
      ("[screen]\nbackground = 1\n", 2, 1, "one of: dark, light"),
      ("[network]\nmin_tls = \"1.1\"\n", 2, 1, "one of: 1.2, 1.3"),
      ("[network]\nmin_tls = 1.3\n", 2, 1, "one of: 1.2, 1.3"),
      // Proxies.
      ("[network]\nproxy = 3128\n", 2, 1, "a string in quotes"),
      (
        "[network]\n\n  proxy = \"htp://ada:pa55word@127.0.0.1:1\"\n", 3, 3,
        "network.proxy: the address of the proxy begins with none of http, https, socks5h"
      ),
      ("[network]\nproxy = \"http://\"\n", 2, 1, "names no host; write it like socks5h://"),
      ("network.proxy = \"p:99999\"\n", 1, 1, "a port that is not a number up to 65535"),
      (
        "[network.proxies]\n\"a.example\" = \"direct\"\n\"b.example\" = \"htp://ada:pa55word@p:1\"\n",
        3, 1,
        "begins with none of http, https, socks5h, socks5, socks4a and socks4; write it like "
          + "socks5h://localhost:9050, or direct"
      ),
      ("[network]\nproxies = { \"b.example\" = \"p:0\" }\n", 2, 1, "network.proxies.b.example"),
      // Pins.
      ("[network]\npins = []\n", 2, 1, "this must be a table"),
      ("[network.pins]\n\n  \"a.example\" = \"\(pin("a"))\"\n", 3, 3, "a list of strings"),
      ("[network.pins]\n\"a.example\" = [1, 2]\n", 2, 1, "a list of strings"),
      ("[network.pins]\n\"a.example\" = []\n", 2, 1, "two different pins"),
      ("[network.pins]\n\"a.example\" = ['\(pin("a"))']\n", 2, 1, "two different pins"),
      ("[network.pins]\n'a.example' = ['\(pin("a"))', 'b']\n", 2, 1, "SHA-256 in base64"),
      ("[network.pins]\n\(pins("https://a.example"))\n", 2, 1, "leave out the scheme"),
      ("[network.pins]\n\(pins("a.example:443"))\n", 2, 1, "name of a host"),
      (
        "[network.pins]\n\(pins("a.example"))\n\(pins("A.example"))\n", 2, nil,
        "the host is there twice"
      ),
      ("[network]\npins = { \"a.example\" = [\"a\"] }\n", 2, 1, "SHA-256 in base64"),
    ] as [(String, Int, Int?, String?)])
  func `A mistake is named with its line and column`(
    text: String, line: Int, column: Int?, message: String?
  ) async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("telex.toml", text)
    let outcome = try await sandbox.telex("config", "check", "--config", config, "--json")
    #expect(outcome.status == 1)
    let told: String
    let place: String
    if message == nil, column == nil {
      let error = try expectError(outcome, stage: "config")
      place = try #require(error["subject"] as? String)
      told = ""
    } else {
      let first = try #require(try outcome.jsonLines().first)
      place = try #require(first["place"] as? String)
      told = (first["message"] as? String ?? "").replacing(".; ", with: "; ")
    }
    let numbers = place.dropFirst(config.count + 1).split(separator: ":").map { Int($0) }
    #expect(place.hasPrefix(config + ":") && numbers.count == 2)
    #expect(numbers.first == line, "\(place): \(told)")
    if let column { #expect(numbers.last == column, "\(place)") }
    if let message { #expect(told.contains(message), "\(told)") }
    #expect(!outcome.output.contains("pa55word"))
  }

  @Test func `Mistakes in what looks or feels are told, and the rest counts`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file(
      "telex.toml",
      """
      [keys]
      set = "vim"
      [screen]
      text_widht = 80
      date_format = "%Y"
      mouse = 3
      """)
    let listed = try await sandbox.telex("list", "--config", config)
    #expect(listed.status == 0)
    let lines = listed.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("telex.toml:2:1: "), "\(listed.errors)")
    #expect(lines.first?.contains("(and 2 more: telex config check)") == true)
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 1)
    let places = check.output.split(separator: "\n").compactMap {
      $0.split(separator: ":").dropFirst().first
    }
    #expect(places == ["2", "4", "6"], "\(check.output)")
    let reader = try sandbox.reader("--config", config, size: (width: 160, height: 24))
    try await reader.wait(for: "telex.toml:2:1:")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test(arguments: [
    "[network]\nlow_dat = true\n", "[retention]\ndays = \"9\"\n", "[pictures]\nshow = 0\n",
    "[nettwork]\n", "[accounts.\"https://a.example\"]\nscheme = \"none\"\n",
    "[network.pins]\n'a.example' = ['b']\n", "[refresh]\ninterval = 0\n",
    // Meant for the network, below the heading of another table.
    "proxy = \"socks5h://localhost:9050\"\n", "min_tls = \"1.3\"\n",
    "[player]\ncommand = 3\n",
    "[browser]\ncomand = \"x\"\n", "[journal]\nkeep = -1\n", "[pictures]\nshwo = false\n",
  ])
  func `Nothing is done where a mistake is about what is fetched, kept or shown to whom`(
    _ text: String
  ) async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("telex.toml", "[screen]\nmouse = 3\n" + text)
    let outcome = try await sandbox.telex("list", "--config", config)
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(outcome.errors.contains("and 1 more: telex config check"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("telex.toml:2:"))
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 1 && check.output.split(separator: "\n").count == 2, "\(check.output)")
  }

  @Test func `The doctor names the setting of a proxy that is none`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file(
      "telex.toml", "[network]\nproxy = \"htp://ada:pa55word@127.0.0.1:1\"\n")
    let outcome = try await sandbox.telex("doctor", "--config", config)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("✗ Settings"), "\(outcome.output)")
    #expect(outcome.output.contains("network.proxy: the address of the proxy begins with none"))
    #expect(!(outcome.output + outcome.errors).contains("pa55word"))
  }

  @Test(arguments: [
    ("http_proxy", "https_proxy"), ("https_proxy", "http_proxy"), ("ALL_PROXY", ""),
  ])
  func `A proxy of the environment that is none is a warning with its name`(
    _ name: String, _ other: String
  ) async throws {
    let sandbox = try Sandbox()
    let proxy = "htp://ada:pa55word@127.0.0.1:1"
    let environment = [name: proxy].merging(other.isEmpty ? [:] : [other: "http://p:1"]) { $1 }
    let listed = try await sandbox.telex(["list"], environment: environment)
    #expect(listed.status == 0)
    let warning =
      "warning: \(name): The address of the proxy begins with none of http, https, socks5h"
    #expect(listed.errors.hasPrefix(warning), "\(listed.errors)")
    #expect(listed.errors.split(separator: "\n").count == 1)
    let looked = try await sandbox.telex(["doctor"], environment: environment)
    #expect(looked.status == 1)
    #expect(looked.output.contains("✗ Proxy"), "\(looked.output)")
    #expect(looked.output.contains("mend or unset \(name)"))
    // Nothing goes another way than was wanted.
    let address = (name == "https_proxy" ? "https" : "http") + "://feeds.invalid/rss.xml"
    let added = try await sandbox.telex(["add", address, "--json"], environment: environment)
    #expect(added.status == 1)
    let error = try #require(try added.json()["error"] as? [String: Any])
    #expect((error["message"] as? String)?.hasPrefix("The address of the proxy begins") == true)
    // Another that is set goes before.
    let config = try sandbox.file("telex.toml", "[network]\nproxy = \"http://127.0.0.1:1\"\n")
    let set = try await sandbox.telex(["list", "--config", config], environment: environment)
    #expect(set.errors == "")
    for outcome in [listed, looked, added] {
      #expect(!(outcome.output + outcome.errors).contains("pa55word"))
    }
  }

  @Test func `The file in the configuration folder is found, and its absence is fine`() async throws
  {
    let sandbox = try Sandbox()
    #expect(try await sandbox.telex("list").status == 0)
    for (folder, environment) in [
      (".config", [:]), ("xdg", ["XDG_CONFIG_HOME": sandbox.folder + "/xdg"]),
    ] as [(String, [String: String?])] {
      try FileManager.default.createDirectory(
        atPath: "\(sandbox.folder)/\(folder)/telex", withIntermediateDirectories: true)
      try sandbox.file("\(folder)/telex/config.toml", "bad\n")
      let outcome = try await sandbox.telex("list", environment: environment)
      #expect(outcome.status == 1 && outcome.errors.contains("\(folder)/telex/config.toml:1:"))
      try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(folder)")
    }
  }

  @Test func `A file that is named must be there, and be one`() async throws {
    let sandbox = try Sandbox()
    let missing = try await sandbox.telex("list", "--config", sandbox.folder + "/none")
    #expect(missing.status == 1 && missing.errors.contains("There is no such file"))
    let folder = try await sandbox.telex("list", "--config", sandbox.folder)
    #expect(folder.status == 1 && folder.errors.contains("telex: config:"))
  }

  @Test func `Settings reach the part they are for`() async throws {
    try await withNewspaper(newspaper(40)) { server, sandbox in
      let config = try sandbox.file("telex.toml", "[network]\nmax_body_bytes = 1024\n")
      let outcome = try await sandbox.telex(
        "add", server.baseURL + "/rss.xml", "--config", config)
      #expect(outcome.status == 1 && outcome.errors.contains("max_body_bytes"))
    }
  }

  @Test func `The store lies where XDG or --store says`() async throws {
    let sandbox = try Sandbox()
    let base = sandbox.folder
    #expect(try await sandbox.telex("list").status == 0)
    #expect(
      try await sandbox.telex("list", environment: ["XDG_DATA_HOME": base + "/data"]).status == 0)
    #expect(try await sandbox.telex("list", "--store", base + "/own").status == 0)
    for path in [".local/share/telex", "data/telex", "own"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(base)/\(path)")
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      let file = try FileManager.default.attributesOfItem(atPath: "\(base)/\(path)/telex.sqlite")
      #expect(file[.posixPermissions] as? Int == 0o600)
    }
  }
}

/// A line that pins two keys.
private func pins(_ host: String) -> String {
  "\"\(host)\" = [\"\(pin("current"))\", \"\(pin("reserve"))\"]"
}

/// A pin of no key that there is.
private func pin(_ name: String) -> String {
  Data((name + String(repeating: ".", count: 32)).utf8.prefix(32)).base64EncodedString()
}
