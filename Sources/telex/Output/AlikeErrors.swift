internal import News
internal import Text

/// A message about one of many things. Equal messages become one line with a count, such as 500
/// feeds without a network.
struct AlikeLine {
  /// The subject of the line.
  let name: String
  let text: String
  /// Equal for messages that are grouped.
  private var key: String
  /// The text of a group, without a host or address; nil to use `text`.
  private var shared: String?
  /// Nil for a warning.
  fileprivate var stage: SourceError.Stage?

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
    key = text
  }

  init(_ name: String, _ error: SourceError) {
    self.name = name
    // The line begins with the subject.
    var shown = error
    if error.subject == name { shown.subject = "" }
    text = shown.line
    let general = error.withoutHost
    key = [error.stage.rawValue, error.kind.rawValue, general.message, error.next ?? ""]
      .joined(separator: "\n")
    shared = general.line
    stage = error.stage
  }

  /// - Parameter reason: equal for errors that are grouped.
  init(_ name: String, _ error: SourceError, because reason: String) {
    self.init(name, error)
    key = reason
    shared = SourceError(error.kind, stage: error.stage, subject: "", message: reason).line
  }

  /// The most equal lines that are printed one by one.
  static let most = 3

  /// The lines to print, in the order of the first message of each group.
  ///
  /// - Parameter thing: the noun for the things, such as `feed`.
  static func told(_ lines: [AlikeLine], of thing: String) -> [String] {
    var told: Set<String> = []
    let kinds = Dictionary(grouping: lines, by: \.key)
    return lines.compactMap { line in
      guard let alike = kinds[line.key], alike.count > most else {
        return "\(line.name): \(line.text)"
      }
      guard told.insert(line.key).inserted else { return nil }
      let isSame = alike.allSatisfy { $0.text == line.text }
      let text = isSame ? line.text : line.shared ?? line.text
      return "\(line.name) and \(alike.count - 1) other \(thing)s: \(text)"
    }
  }
}

extension SourceError {
  /// The error without its subject and host.
  fileprivate var withoutHost: SourceError {
    var error = self
    let host = WebAddress.host(of: subject) ?? subject
    error.subject = ""
    error.message = host.isEmpty ? message : message.replacing(host, with: "the server")
    if error.message.hasPrefix("the server") {
      error.message = "The" + error.message.dropFirst(3)
    }
    return error
  }
}

extension Output {
  /// Prints errors grouped by stage, then by equality, in the order of their first errors.
  static func complain(alike errors: [AlikeLine], of thing: String) {
    let stages = Dictionary(grouping: errors, by: \.stage)
    var printed: Set<SourceError.Stage> = []
    for case let stage? in errors.map(\.stage) where printed.insert(stage).inserted {
      for line in AlikeLine.told(stages[stage, default: []], of: thing) {
        complain("telex: \(stage.rawValue): \(line)")
      }
    }
  }

  static func complain(alike failures: [(feed: Feed, error: SourceError)]) {
    complain(alike: failures.map { AlikeLine($0.feed.displayTitle, $0.error) }, of: "feed")
  }
}
