internal import News
internal import Text

/// Values of other readers' settings as those of Telex have them.
enum SettingValue {
  /// - Throws: `QueryError` for what is no number in the range, which is that of Telex.
  static func number(_ text: String, _ range: ClosedRange<Int>) throws(QueryError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw QueryError(
        "\(text) is no number from \(range.lowerBound) to \(range.upperBound), which Telex takes",
        at: 0..<0)
    }
    return number
  }

  /// A format of strftime(3) as `screen.date_format` takes it.
  static func dateFormat(_ format: String) throws(QueryError) -> String {
    let whole = ["%D": "%m/%d/%y", "%F": "%Y-%m-%d", "%R": "%H:%M", "%T": "%H:%M", "%B": "%b"]
    var text = format
    for (short, long) in whole { text = text.replacing(short, with: long) }
    guard text.wholeMatch(of: #/(?:[^%]|%[abdeHImMpyY%])+/#) != nil, text.count <= 40 else {
      throw QueryError("a date has %a %b %d %e %H %I %m %M %p %y %Y in it only", at: 0..<0)
    }
    return text
  }

  /// The name of a command of the user's own that a key of another reader has: `newsboat-p`, `newsboat-upper-p`,
  /// `newsboat-u2e` for a sign.
  static func commandName(ofKey key: String, reader: String) -> String {
    let isPlain = key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let sign =
      isPlain
      ? (key.lowercased() == key ? key : "upper-" + key.lowercased())
      : key.unicodeScalars.map { "u" + String($0.value, radix: 16) }.joined()
    return "\(reader)-\(sign)"
  }

  /// A regular expression that the address of a feed matches as it is kept here, without a password, and no other.
  static func expression(ofAddress url: String) throws(QueryError) -> String {
    do throws(SourceError) {
      let address = WebAddress.withoutUser(try WebAddress.entered(url))
      return "^\(PosixExpression.escaped(address))$"
    } catch { throw QueryError("the address of its feed cannot be read", at: 0..<0) }
  }
}

extension ReaderLibrary {
  /// Adds a setting. Of what is set twice, the last counts; TOML allows it once.
  ///
  /// - Parameters:
  ///   - table: without brackets.
  ///   - value: as TOML has it.
  mutating func set(_ table: String, _ name: String, _ value: String) {
    settings.removeAll { $0.table == "[\(table)]" && $0.text.hasPrefix("\(name) = ") }
    settings.append(LibrarySetting("[\(table)]", "\(name) = \(value)"))
  }
}
