import Foundation
import News
import TelexKit
import TestSupport
import Testing

/// Single settings in their file.
@Suite struct SettingsFileTests {
  private func withFile(
    _ text: String?, renamed: [String: String] = [:], _ body: (SettingsFile) throws -> Void
  ) throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/telex/config.toml"
    if let text {
      try FileManager.default.createDirectory(
        atPath: folder + "/telex", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    try body(SettingsFile(path, renamed: renamed))
  }

  private func text(_ file: SettingsFile) throws -> String {
    try String(contentsOfFile: file.path, encoding: .utf8)
  }

  private func value(_ name: String, _ file: SettingsFile) throws -> SettingValue {
    try #require(file.values(of: name).first)
  }

  @Test func `A new file has all settings as comments, and is taken without a mistake`() throws {
    try withFile(nil) { file in
      try file.create()
      let written = try text(file)
      for setting in Settings.namedDeclarations {
        #expect(written.contains("\n# \(setting.key) = "), "\(setting.name)")
      }
      let sources = try file.values().map { $0.source.words() }
      #expect(!sources.contains { $0.contains(".toml") })
      #expect(try Settings.readingAll(of: file.path).fileMistakes.isEmpty)
      // Each line counts once the sign before it is gone.
      let settings = Set(Settings.namedDeclarations.map(\.key))
      let lines = written.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let key = line.dropFirst(2).prefix { $0 != " " }
        return line.hasPrefix("# ") && settings.contains(String(key)) && line.contains(" = ")
          ? line.dropFirst(2) : line
      }
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file.path))
      let all = try Settings.readingAll(of: file.path)
      #expect(all.fileMistakes.isEmpty, "\(all.fileMistakes.map(\.line))")
      let again = #expect(throws: SourceError.self) { try file.create() }
      #expect(again?.subject == file.path)
    }
  }

  @Test func `A setting is set where its comment is, and taken out again`() throws {
    try withFile(nil) { file in
      try file.create()
      let template = try text(file)
      try file.set("screen.text_width", to: "66")
      #expect(try text(file).contains("\n# text_width = 80\ntext_width = 66\n"))
      #expect(try Settings.load(named: file.path).screen.textWidth == 66)
      let shown = try value("screen.text_width", file)
      #expect(shown.shown == "66 columns" && shown.declaration.shownDefault == "80 columns")
      #expect(shown.source.words().hasPrefix("config.toml:"))
      try file.set("screen.text_width", to: nil)
      #expect(try text(file) == template)
      #expect(try value("screen.text_width", file).source == .standard)
    }
  }

  @Test func `A file is made where there is none`() throws {
    try withFile(nil) { file in
      try file.set("screen.theme", to: "grüv \"box\"")
      #expect(try text(file) == "[screen]\ntheme = \"grüv \\\"box\\\"\"\n")
      #expect(try Settings.load(named: file.path).screen.theme?.text == "grüv \"box\"")
    }
  }

  @Test(arguments: [
    ("screen.text_width", "7"), ("screen.text_width", "many"), ("screen.text_width", "080"),
    ("screen.mouse", "maybe"), ("screen.mouse", "true\nx = 1"), ("screen.order", "best"),
    ("screen.columns", "feed"), ("network.proxy", "htp://p"), ("screen.colours", "true"),
    ("nonsense.x", "1"), ("nonsense", "1"), ("", "1"), ("screen.", "1"), ("a b", "1"), ("[x]", "1"),
    ("keys.set", "qwerty"), ("screen", "1"), ("network.proxies", "x"),
  ])
  func `A value that the file must not have changes nothing`(name: String, value: String) throws {
    let former = "[screen] # mine\nmouse = false\n"
    try withFile(former) { file in
      #expect(throws: SourceError.self) { try file.set(name, to: value) }
      let written = try text(file)
      #expect(written == former)
    }
  }

  @Test func `The error of a value names the setting and what it may be`() throws {
    try withFile("") { file in
      let error = try #require(throws: SourceError.self) {
        try file.set("screen.text_width", to: "7")
      }
      #expect(error.subject == "screen.text_width")
      #expect(error.message.contains("a whole number from 20 to 400"))
      let columns = try #require(throws: SourceError.self) {
        try file.set("screen.columns", to: "feed")
      }
      #expect(columns.line.contains("columns of a list") && columns.next != nil)
    }
  }

  @Test func `What a front end refuses is not written`() throws {
    try withFile("[screen]\n") { file in
      #expect(throws: SourceError.self) {
        try file.set("screen.theme", to: "none") { _ in throw SourceError.unknownSetting("none") }
      }
      let written = try text(file)
      #expect(written == "[screen]\n")
    }
  }

  @Test func `Settings with names of the user's own are set too`() throws {
    try withFile("") { file in
      try file.set("network.proxies.\"example.org\"", to: "direct")
      try file.set("keys.open", to: "[\"o\", \"Enter\"]")
      try file.set("keys.quit", to: "Ctrl-q")
      #expect(
        try text(file)
          == """
          [network.proxies]
          "example.org" = "direct"

          [keys]
          open = ["o", "Enter"]
          quit = "Ctrl-q"

          """)
      #expect(try Settings.load(named: file.path).fileMistakes.isEmpty)
      #expect(throws: SourceError.self) { try file.set("network.proxies.\"a\"", to: "htp://x") }
    }
  }

  @Test func `A refused value in the file is told, and the default counts`() throws {
    try withFile("[screen]\ntext_width = 7\n[network]\nproxy = \"http://ada:pa55@p:1\"\n") { file in
      let width = try value("screen.text_width", file)
      #expect(width.value == "80" && width.source == .standard)
      #expect(width.mistake?.contains("from 20 to 400") == true)
      let proxy = try value("network.proxy", file)
      #expect(proxy.source == .file(line: 4))
      #expect(proxy.value?.contains("pa55") == false)
      // A valid value takes its place.
      try file.set("screen.text_width", to: "70")
      #expect(try value("screen.text_width", file).mistake == nil)
    }
  }

  @Test func `A table shows all of its settings, and another name none`() throws {
    try withFile(nil) { file in
      let names = try file.values(of: "retention").map(\.name)
      #expect(
        names == ["days", "articles_per_feed", "megabytes", "unread"].map { "retention.\($0)" })
      #expect(throws: SourceError.self) { try file.values(of: "retention.weeks") }
    }
  }

  @Test func `A renamed setting is told with its new name, and renamed in place`() throws {
    let renamed = ["screen.width": "screen.text_width"]
    try withFile("[screen]\n# mine\nwidth = 66 # columns\nmouse = false\n", renamed: renamed) {
      file in
      let mistakes = try Settings.readingAll(of: file.path, renamed: renamed).fileMistakes
      #expect(mistakes.count == 1)
      #expect(mistakes.first?.message.contains("is now called screen.text_width") == true)
      for attempt in [
        { _ = try file.values(of: "screen.width") }, { try file.set("screen.width", to: "70") },
      ] as [() throws -> Void] {
        let error = #expect(throws: SourceError.self) { try attempt() }
        #expect(error?.message.contains("screen.text_width") == true)
      }
      #expect(try file.fixNames() == ["screen.width"])
      #expect(try text(file) == "[screen]\n# mine\nmouse = false\ntext_width = 66\n")
      #expect(try file.fixNames() == [])
    }
  }

  @Test func `A link to the file stays a link`() throws {
    try withFile("[screen]\n") { file in
      let link = file.path + ".link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
      try SettingsFile(link).set("screen.mouse", to: "false")
      #expect(try text(file) == "[screen]\nmouse = false\n")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
    }
  }
}
