internal import Text

/// Parser of non-standard dates, used if `StandardDateScanner` fails. The tokens around a number
/// decide its meaning, and unknown words are skipped.
struct DialectDate {
  private let tokens: [DateToken]
  private let isAttached: [Bool]
  private var index = 0

  private var monthNames: [(name: String, number: Int, isBeforeNumbers: Bool)] = []
  /// Numbers that belong to no group: a day, a year.
  private var loose: [(value: Int, digits: Int)] = []
  /// Three numbers with the same separator, as in `01.05.2024`.
  private var group: (parts: [(value: Int, digits: Int)], separator: UInt8)?
  /// Numbers with a word that states their meaning, as in `2024年`.
  private var named: (year: Int?, month: Int?, day: Int?) = (nil, nil, nil)
  private var clock = DateFields()
  private var hasTime = false
  private var isAfternoon: Bool?
  /// Whether the half of the day is the English AM or PM.
  private var isEnglishHalf = false
  /// From 1 for Monday to 7 for Sunday; nil unless the text has its English name.
  private var weekday: Int?
  /// Year before the first year of the era, as in `令和6年`.
  private var era: Int?
  /// Standard offset in minutes of a North American zone without a mark of DST.
  private var americanZone: Int?
  private var isAmericanZone = false
  private var hasZone = false
  private var hasNumericZone = false
  /// Whether a plus sign means west of Greenwich, as in `Etc/GMT+5`.
  private var isZoneInverted = false
  private var isHopeless = false
  /// Time zone with the name of a place, as in `Europe/Berlin`.
  private let placeZone: PlaceZone?

  init(_ bytes: ByteBuffer) {
    let place = PlaceZone.place(in: bytes)
    placeZone = place.flatMap { PlaceZone(bytes.string($0)) }
    var text = Array(bytes)
    // Parts of the name have other meanings as words.
    if let place { text.replaceSubrange(place, with: [0x20]) }
    let read = text.withUnsafeBufferPointer(DateTokens.init)
    tokens = read.tokens
    isAttached = read.isAttached
    while index < tokens.count, !isHopeless {
      let start = index
      switch tokens[index] {
      case .number(let value, let digits): readNumber(value, digits)
      case .word(let word, let isUppercase): readWord(word, isUppercase)
      case .mark(let mark): readMark(mark)
      }
      if index == start { index += 1 }
    }
  }

  /// Nil if the text is no date or the date does not exist.
  var fields: DateFields? {
    guard !isHopeless, let date = day else { return nil }
    var fields = clock
    (fields.year, fields.month, fields.day) = (date.year, date.month, date.day)
    if let americanZone {
      fields.offset = americanZone + (SummerTime.isInNorthAmerica(date) ? 60 : 0)
    }
    if let isAfternoon, fields.hour <= 12 {
      fields.hour = fields.hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard fields.isValid else { return nil }
    if let placeZone, hasTime, !hasZone { fields.offset = placeZone.offset(at: fields) }
    return fields.isValid ? fields : nil
  }

  // MARK: Day

  private var day: CalendarDay? {
    if let group { return day(of: group.parts, group.separator) }
    let month = named.month ?? monthName
    let fourDigits = loose.first { $0.digits == 4 }?.value
    var short = loose.filter { $0.digits < 4 }
    guard let month else { return dayOfNumbers }
    var day = named.day
    if day == nil, let first = short.first, first.digits < 3 {
      day = first.value
      short.removeFirst()
    }
    let shortYear = short.first { $0.digits > 1 }
    guard
      let year = named.year ?? fourDigits
        ?? shortYear.map({ DateFields.fullYear($0.value, digits: $0.digits) })
    else { return nil }
    // A month and a year without a day are accepted only without a time.
    guard let day = day ?? (hasTime ? nil : 1) else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  /// Date of three numbers separated by spaces, as in `30 12 2024`, with a year of four digits.
  private var dayOfNumbers: CalendarDay? {
    guard loose.count == 3, named == (nil, nil, nil),
      loose[0].digits == 4 || loose[2].digits == 4
    else { return nil }
    return day(of: loose, 0x20)
  }

  private func day(
    of parts: [(value: Int, digits: Int)], _ separator: UInt8
  ) -> CalendarDay? {
    let (first, second, third) = (parts[0], parts[1], parts[2])
    if first.digits == 4 {
      guard second.digits <= 2, third.digits <= 2 else { return nil }
      return CalendarDay(year: first.value, month: second.value, day: third.value)
    }
    guard first.digits <= 2, second.digits <= 2, third.digits == 2 || third.digits == 4 else {
      return nil
    }
    if first.value > 31, third.digits == 2 {
      let year = DateFields.fullYear(first.value, digits: 2)
      return CalendarDay(year: year, month: second.value, day: third.value)
    }
    let year = DateFields.fullYear(third.value, digits: third.digits)
    let dayFirst = CalendarDay(year: year, month: second.value, day: first.value)
    let monthFirst = CalendarDay(year: year, month: first.value, day: second.value)
    if second.value > 12 { return monthFirst }
    guard separator == 0x2F || separator == 0x20, first.value <= 12 else { return dayFirst }
    // The weekday decides if it fits only one of the two orders.
    if let weekday, (dayFirst.weekday == weekday) != (monthFirst.weekday == weekday) {
      return monthFirst.weekday == weekday ? monthFirst : dayFirst
    }
    return isEnglishHalf || isAmericanZone ? monthFirst : dayFirst
  }

  private var monthName: Int? {
    if monthNames.count > 1, let first = monthNames.first, first.isBeforeNumbers,
      DateWords.ambiguousMonths.contains(first.name)
    {
      return monthNames[1].number
    }
    return monthNames.first?.number
  }

  private var hasDate: Bool {
    group != nil || (named.day != nil && named.month != nil)
      || (!monthNames.isEmpty && loose.count >= 2)
  }

  // MARK: Numbers

  private mutating func readNumber(_ value: Int, _ digits: Int) {
    if isMark(0x3A, at: index + 1), number(at: index + 2) != nil {
      readClock(value)
      return
    }
    if let word = word(at: index + 1), readNamed(value, digits, word) { return }
    if digits >= 8 {
      // More than 15 digits occur in no date.
      isHopeless = digits > 15
      readJoined(value, digits)
      index += 1
      return
    }
    if readDottedTime(value, digits) { return }
    readGroup()
  }

  /// Reads `12:00`, `12:00:00`, `12:00:00.5` or `12:00:00:500`. A second time, as in a range, is skipped.
  private mutating func readClock(_ hour: Int) {
    var fields = DateFields()
    fields.hour = hour
    fields.minute = number(at: index + 2)?.value ?? 0
    index += 3
    if isMark(0x3A, at: index), let second = number(at: index + 1) {
      fields.second = second.value
      index += 2
      let isFraction =
        isMark(0x2E, at: index) || isMark(0x2C, at: index) || isMark(0x3A, at: index)
      if isFraction, let fraction = number(at: index + 1), isAttached[index + 1],
        fraction.digits <= 15
      {
        var scale = 1.0
        for _ in 0..<fraction.digits { scale *= 10 }
        fields.fraction = Double(fraction.value) / scale
        index += 2
      }
    }
    if hasTime { return }
    clock = fields
    hasTime = true
  }

  /// Reads a number whose meaning the following word states: `2024年`, `3 PM`, `15h30`.
  private mutating func readNamed(_ value: Int, _ digits: Int, _ word: String) -> Bool {
    if let part = DateWords.part(word) {
      index += 2
      switch part {
      case .year:
        if let era {
          named.year = value + era
        } else if digits < 4, self.word(at: index - 3) != nil, isAttached[index - 2] {
          // A short year after a word belongs to an unknown era.
          isHopeless = true
        } else {
          named.year = DateFields.fullYear(value, digits: digits)
        }
      case .month: named.month = value
      case .day: named.day = value
      case .hour:
        clock.hour = value
        hasTime = true
      case .minute: clock.minute = value
      case .second: clock.second = value
      }
      return true
    }
    guard !hasTime, digits <= 2 else { return false }
    if word == "h" {
      clock.hour = value
      index += 2
      if let minute = number(at: index), minute.digits == 2 {
        clock.minute = minute.value
        index += 1
      }
      hasTime = true
      return true
    }
    guard word == "am" || word == "pm" || isSpelledMeridiem(at: index + 1) else { return false }
    clock.hour = value
    hasTime = true
    index += 1
    return true
  }

  /// Reads a date without separators, as `20240501`, with or without a time.
  private mutating func readJoined(_ value: Int, _ digits: Int) {
    guard group == nil, [8, 12, 14].contains(digits) else { return }
    var rest = value
    if digits > 8 {
      hasTime = true
      if digits == 14 {
        clock.second = rest % 100
        rest /= 100
      }
      clock.minute = rest % 100
      clock.hour = rest / 100 % 100
      rest /= 10_000
    }
    group = ([(rest / 10_000, 4), (rest / 100 % 100, 2), (rest % 100, 2)], 0)
  }

  /// Reads `15.30` and `15.30.00` as a time if the date has been read already.
  private mutating func readDottedTime(_ value: Int, _ digits: Int) -> Bool {
    guard hasDate, !hasTime, digits <= 2, isMark(0x2E, at: index + 1),
      let minute = number(at: index + 2), minute.digits == 2, isAttached[index + 2]
    else { return false }
    clock.hour = value
    clock.minute = minute.value
    hasTime = true
    index += 3
    if isMark(0x2E, at: index), let second = number(at: index + 1), second.digits == 2 {
      clock.second = second.value
      index += 2
    }
    return true
  }

  private mutating func readGroup() {
    var parts: [(value: Int, digits: Int)] = []
    var separator: UInt8?
    while parts.count < 3, let number = number(at: index) {
      // A number before a colon is the hour of a time, and does not belong to the date.
      if !parts.isEmpty, isMark(0x3A, at: index + 1) { break }
      parts.append(number)
      index += 1
      guard parts.count < 3, case .mark(let mark)? = token(at: index),
        mark == separator || (separator == nil && [0x2D, 0x2E, 0x2F].contains(mark)),
        self.number(at: index + 1) != nil, !isMark(0x3A, at: index + 2)
      else { break }
      // Dots may have spaces, as in `1. 5. 2024`. Dashes and slashes with spaces separate other things.
      guard mark == 0x2E || (isAttached[index] && isAttached[index + 1]) else { break }
      separator = mark
      index += 1
    }
    if parts.count == 3, let separator, group == nil {
      group = (parts, separator)
    } else {
      loose += parts
    }
  }

  // MARK: Words

  private mutating func readWord(_ word: String, _ isUppercase: Bool) {
    if isSpelledMeridiem(at: index) {
      isAfternoon = word == "p" || word == "μ"
      isEnglishHalf = (word == "a" || word == "p") && isAttached[index + 2]
      index += 3
      return
    }
    if let next = self.word(at: index + 1) {
      if let month = DateWords.month(word, next) {
        addMonth(word, month)
        index += 2
        return
      }
      // Halves of the day in Chinese and Japanese, two ideographs each.
      switch word + next {
      case "上午", "午前": isAfternoon = false
      case "下午", "午後", "午后", "晚上": isAfternoon = true
      case "元年": named.year = era.map { $0 + 1 }
      default:
        if let start = DateWords.era(word + next) {
          era = start
          index += 2
          return
        }
      }
    }
    // Vietnamese months have numbers: `tháng 5`.
    if word == "thang", let number = number(at: index + 1) {
      named.month = number.value
      index += 2
    } else if let month = DateWords.month(word) {
      addMonth(word, month)
    } else if let half = DateWords.isAfternoon(word, isUppercase: isUppercase) {
      // The German "am" in "am 1. Mai" and "SA" for Saturday precede other numbers than a time.
      let followsNumber = hasTime && number(at: index - 1) != nil
      let precedesNumber = number(at: index + 1) != nil && !["am", "pm", "sa", "ch"].contains(word)
      if followsNumber || precedesNumber {
        isAfternoon = half
        isEnglishHalf = word == "am" || word == "pm"
      }
    } else if word == "etc" {
      isZoneInverted = true
    } else if word == "t", index > 0, isAttached[index], number(at: index - 1) != nil {
      // A T after the date without a time is a mistake.
      if number(at: index + 1) == nil { isHopeless = true }
    } else if let number = DateWords.weekday(word) {
      weekday = number
    } else if hasTime, !hasZone {
      readZone(word, isUppercase)
    }
  }

  private mutating func readZone(_ word: String, _ isUppercase: Bool) {
    if let offset = DateWords.zone(word, isUppercase: isUppercase) {
      clock.offset = offset
      hasZone = true
      isAmericanZone = DateWords.isAmerican(zone: word)
      // The names of POSIX contain both abbreviations, as in `EST5EDT`.
      if isAmericanZone, number(at: index + 1) != nil, self.word(at: index + 2) != nil,
        index + 2 < isAttached.count, isAttached[index + 1], isAttached[index + 2]
      {
        americanZone = offset
        index += 3
      }
    } else if self.word(at: index - 1)?.hasPrefix("aus") != true,
      let offset = DateWords.americanZone(
        word, next: self.word(at: index + 1), isUppercase: isUppercase)
    {
      hasZone = true
      isAmericanZone = true
      switch self.word(at: index + 1) {
      case "daylight": clock.offset = offset + 60
      case "standard": clock.offset = offset
      default: americanZone = offset
      }
    }
  }

  private mutating func addMonth(_ name: String, _ number: Int) {
    monthNames.append((name, number, loose.isEmpty && group == nil))
  }

  /// Whether a half of the day with dots begins here: `a.m.`, `p. m.`, `μ.μ.`
  private func isSpelledMeridiem(at place: Int) -> Bool {
    guard let first = word(at: place), isMark(0x2E, at: place + 1),
      let second = word(at: place + 2)
    else { return false }
    return ["am", "pm", "πμ", "μμ"].contains(first + second)
  }

  // MARK: Zones

  /// Reads an offset from UTC: a sign after the time without following white space.
  private mutating func readMark(_ mark: UInt8) {
    guard mark == 0x2B || mark == 0x2D, hasTime, !hasNumericZone,
      let number = number(at: index + 1), isAttached[index + 1]
    else { return }
    index += 2
    var hours = number.value
    var minutes = 0
    switch number.digits {
    case 1, 2:
      if isMark(0x3A, at: index), let more = self.number(at: index + 1) {
        minutes = more.value
        index += 2
      }
    case 3, 4: (hours, minutes) = (number.value / 100, number.value % 100)
    default: isHopeless = true
    }
    guard hours < 100, minutes < 60 else {
      isHopeless = true
      return
    }
    let sign = (mark == 0x2D) == isZoneInverted ? 1 : -1
    clock.offset = sign * (hours * 60 + minutes)
    hasZone = true
    hasNumericZone = true
  }

  // MARK: Tokens

  private func token(at index: Int) -> DateToken? {
    index >= 0 && index < tokens.count ? tokens[index] : nil
  }

  private func number(at index: Int) -> (value: Int, digits: Int)? {
    guard case .number(let value, let digits)? = token(at: index) else { return nil }
    return (value, digits)
  }

  private func word(at index: Int) -> String? {
    guard case .word(let word, _)? = token(at: index) else { return nil }
    return word
  }

  private func isMark(_ mark: UInt8, at index: Int) -> Bool { token(at: index) == .mark(mark) }
}
