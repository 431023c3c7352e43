package import News
internal import Text

extension WallClock {
  /// A time by a format, in the local time zone.
  ///
  /// - Parameter time: seconds since 1970.
  package func text(_ time: Int64, _ format: DateFormat) -> String {
    let then = local(time)
    let day = then.day
    func two(_ number: Int, _ fill: String = "0") -> String {
      number < 10 ? "\(fill)\(number)" : "\(number)"
    }
    var text = ""
    var rest = format.pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch letter {
      case "a": text += day.weekdayName
      case "b": text += day.monthName
      case "d": text += two(day.day)
      case "e": text += two(day.day, " ")
      case "H": text += two(then.hour)
      case "I": text += two((then.hour + 11) % 12 + 1)
      case "m": text += two(day.month)
      case "M": text += two(then.minute)
      case "p": text += then.hour < 12 ? "am" : "pm"
      case "y": text += two(day.year % 100)
      case "Y": text += String(day.year)
      default: text.append(letter)
      }
    }
    return text
  }
}
