internal import News
internal import Text

/// Line about one of many things. Many equal ones become a single line with a count: five hundred feeds
/// without a network are one problem.
struct AlikeLine {
  /// The subject of the line.
  var name: String
  /// The key by which lines are grouped.
  var key: String
  var text: String
  /// The text of a group, where `text` names the host or address of a single one; nil to use `text`.
  var shared: String?

  /// Equal lines that are printed one by one, at most.
  static let most = 3

  /// The lines to print, in the order of the first of each kind.
  ///
  /// - Parameter thing: what they are about, as in `feed`.
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

/// What has happened to one of many.
struct AlikeError {
  var name: String
  var error: SourceError
  var key: String
  /// What is true of all that are alike.
  var shared: String

  init(_ name: String, _ error: SourceError) {
    self.name = name
    self.error = error
    let general = error.withoutHost
    key = [error.stage.rawValue, error.kind.rawValue, general.message, error.next ?? ""]
      .joined(separator: "\n")
    shared = general.line
  }

  /// - Parameter reason: equal for those that are alike.
  init(_ name: String, _ error: SourceError, because reason: String) {
    self.init(name, error)
    key = reason
    shared = SourceError(error.kind, stage: error.stage, subject: "", message: reason).line
  }

  var line: AlikeLine {
    // The name of the thing stands in front already.
    var told = error
    if error.subject == name { told.subject = "" }
    return AlikeLine(name: name, key: key, text: told.line, shared: shared)
  }
}

extension SourceError {
  /// What happened, without whom it happened to.
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
  /// Prints many errors, by the stages in the order of their first errors, and grouped within each.
  static func complain(alike errors: [AlikeError], of thing: String) {
    let stages = Dictionary(grouping: errors, by: \.error.stage)
    var printed: Set<SourceError.Stage> = []
    for stage in errors.map(\.error.stage) where printed.insert(stage).inserted {
      for line in AlikeLine.told(stages[stage, default: []].map(\.line), of: thing) {
        complain("telex: \(stage.rawValue): \(line)")
      }
    }
  }

  static func complain(alike failures: [(feed: Feed, error: SourceError)]) {
    complain(alike: failures.map { AlikeError($0.feed.displayTitle, $0.error) }, of: "feed")
  }
}
