internal import News

/// A line about one of many things. Where many say the same, they are told in one line with a count:
/// five hundred feeds without a network are one problem.
struct AlikeLine {
  /// What it is about.
  var name: String
  /// Equal for those that are alike.
  var key: String
  var text: String

  /// Up to so many that are alike have a line each.
  static let most = 3

  /// The lines to print, in the order of the first of each kind.
  ///
  /// - Parameter thing: what they are about, as in `feed`.
  static func told(_ lines: [AlikeLine], of thing: String) -> [String] {
    let counts = lines.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
    var told: Set<String> = []
    return lines.compactMap { line in
      guard let count = counts[line.key], count > most else { return "\(line.name): \(line.text)" }
      guard told.insert(line.key).inserted else { return nil }
      return "\(line.name) and \(count - 1) other \(thing)s: \(line.text)"
    }
  }
}

/// What has happened to one of many.
struct AlikeError {
  var name: String
  var error: SourceError
  var key: String

  /// - Parameter key: equal for those that are alike; nil where that is to be told from the error.
  init(_ name: String, _ error: SourceError, key: String? = nil) {
    self.name = name
    self.error = error
    self.key = key ?? Self.key(of: error)
  }

  /// What happened, without whom it happened to.
  private static func key(of error: SourceError) -> String {
    let host = WebAddress.host(of: error.subject) ?? error.subject
    let message = host.isEmpty ? error.message : error.message.replacing(host, with: "\u{FFFC}")
    return [error.stage.rawValue, error.kind.rawValue, message, error.next ?? ""]
      .joined(separator: "\n")
  }
}

extension Output {
  /// Tells of many errors in as few lines as say the same.
  static func complain(alike errors: [AlikeError], of thing: String) {
    let lines = errors.map { error in
      // The name of the thing stands in front already.
      let isNamed = error.error.subject == error.name
      var told = error.error
      if isNamed { told.subject = "" }
      return AlikeLine(name: error.name, key: error.key, text: told.line)
    }
    for (stage, lines) in stages(errors, lines) {
      for line in AlikeLine.told(lines, of: thing) { complain("telex: \(stage): \(line)") }
    }
  }

  /// The lines of each stage, in the order of the first of each.
  private static func stages(
    _ errors: [AlikeError], _ lines: [AlikeLine]
  ) -> [(stage: String, lines: [AlikeLine])] {
    var result: [(stage: String, lines: [AlikeLine])] = []
    for (error, line) in zip(errors, lines) {
      let stage = error.error.stage.rawValue
      if let index = result.firstIndex(where: { $0.stage == stage }) {
        result[index].lines.append(line)
      } else {
        result.append((stage, [line]))
      }
    }
    return result
  }
}
