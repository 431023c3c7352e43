internal import Foundation
internal import Text

struct DownloadSettings: Sendable {
  /// The folder of the files; nil for `Telex` in the user's folder of downloads.
  var folder: String?
  var name = FileNamePattern()
  var concurrent = 2
  /// The bound on all of them together; nil for none.
  var bytesPerSecond: Int?
  /// The addresses of feeds whose new files are downloaded without being asked for.
  var automaticFeeds: Set<String> = []

  var path: String {
    guard let folder else { return Folders.downloads + "/Telex" }
    return folder == "~" || folder.hasPrefix("~/") ? Folders.home + folder.dropFirst() : folder
  }

  /// - Throws: `SettingMistake` where that is no folder to write to from anywhere.
  static func checked(_ folder: String) throws -> String {
    guard folder.hasPrefix("/") || folder == "~" || folder.hasPrefix("~/") else {
      throw SettingMistake(
        message: "this must be the path of a folder that begins with / or ~/",
        next: "write it as \"~/Podcasts\"")
    }
    return folder
  }
}

/// Pattern for the names of downloaded files, as in `{feed}/{date} {title}`.
///
/// It is split at slashes, which make folders, before values are filled in, so that none leaves its
/// folder. A pattern that does not end with `{name}` gets the ending of the file.
struct FileNamePattern: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case field(Field)
  }

  enum Field: String, Hashable, Sendable, CaseIterable {
    case name
    /// The title of the article, and that of its feed.
    case title, feed
    /// The day on which the article was published, as in 2026-03-01; empty where it has no date.
    case date
    case id
  }

  struct Values {
    var name: String
    var title: String
    var feed: String
    var date: String
    var id: String
  }

  /// The folders, and the name in the last of them.
  private let components: [[Part]]

  init() { components = [[.field(.name)]] }

  init(_ text: String) throws {
    let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    func mistake(_ message: String) -> SettingMistake {
      SettingMistake(message: message, next: "use \(fields), and text; / makes folders")
    }
    var components: [[Part]] = []
    for component in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard !component.isEmpty, component != ".", component != ".." else {
        throw mistake("this must be a name, or folders and a name, with / between them")
      }
      var parts: [Part] = []
      var rest = component[...]
      while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
        if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
        guard rest[open] == "{", let end = rest[open...].firstIndex(of: "}") else {
          throw mistake("a brace is missing its other one")
        }
        let name = rest[rest.index(after: open)..<end]
        guard let field = Field(rawValue: String(name)) else {
          throw mistake("there is no field of the name \(PlainText.sanitized(String(name)))")
        }
        parts.append(.field(field))
        rest = rest[rest.index(after: end)...]
      }
      if !rest.isEmpty { parts.append(.text(String(rest))) }
      components.append(parts)
    }
    guard components.last?.contains(where: { if case .field = $0 { true } else { false } }) == true
    else { throw mistake("all files would have the same name") }
    self.components = components
  }

  /// The path below the folder of downloads; each of its names is safe.
  func path(_ values: Values) -> String {
    components.enumerated().map { index, parts in
      let text = parts.map { part in
        switch part {
        case .text(let text): text
        case .field(.name): values.name
        case .field(.title): values.title
        case .field(.feed): values.feed
        case .field(.date): values.date
        case .field(.id): values.id
        }
      }.joined()
      let isLast = index == components.count - 1
      let ending =
        isLast && parts.last != .field(.name) ? FileName.split(values.name).ending : ""
      return FileName.component(text.trimmingCharacters(in: .whitespaces) + ending)
    }.joined(separator: "/")
  }
}
