internal import Text

/// Elements that say hardly more than when the article was written or changed.
struct ArticleDates {
  let page: MeasuredPage

  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard element.text > 0, element.text < 110, element.pictures == 0, context.tables.isEmpty,
      page.isLine(element), !page.isWithinSentence(element.index)
    else { return false }
    return isDate(element, context) || element.text < 80 && isStamp(element, context)
  }

  /// Whether it has a `<time>`, and little else.
  private func isDate(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard page.count(.time, element.index) > 0,
      context.isAtBeginning || context.isInHeader || context.isThread
    else { return false }
    // The time at which something begins, beside what begins then.
    if element.name == "time" { return hasOwnLine(element) || !isInItem(element) }
    var (dates, end) = (0, element.index)
    for inner in page.range(of: element.index)
    where inner >= end && Self.timeNames.contains(page.nodes[inner].name) {
      dates += page.text(inner)
      end = page.nodes[inner].end
    }
    guard element.text > dates else { return true }
    // In a list the day of an event stands beside its name.
    return element.text - dates < 50 && !["li", "ul", "dl"].contains(element.name)
      && !page.text(of: element.index, upTo: 600).isSentence
  }

  private static let timeNames: Set = ["time", "relative-time", "time-ago"]

  /// Whether it is a date or a count in numbers, above the text, or says when the page was changed.
  private func isStamp(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    // In a heading it is the number of a section.
    let isAtStart =
      context.isAtBeginning && element.text < 40
      && !page.nodes[page.block(around: element.index)].isHeading
    if page.count(.time, element.index) > 0, element.name != "li" {
      let start = page.words(of: element.index, upTo: 60)
      if Self.stampWords.contains(where: start.hasPrefix) { return true }
    }
    guard isAtStart || element.name == "div" || element.name == "p" else { return false }
    let text = page.text(of: element.index, upTo: 300)
    if isAtStart, hasOwnLine(element), !isInItem(element), isDateOrCount(text) {
      return page.count(.item, element.index) < 2
    }
    return digits(of: text) >= 4 && isStamp(text.lowercased().collapsed())
  }

  /// Whether nothing else stands in the block or the line that an element is in.
  private func hasOwnLine(_ element: ArticleElement) -> Bool {
    if page.text(page.block(around: element.index)) == element.text { return true }
    guard !page.nodes[element.index].isBlock else { return true }
    func isEnd(_ index: Int) -> Bool {
      let node = page.nodes[index]
      return ["br", "hr"].contains(node.name) || !node.name.isEmpty && node.isBlock
    }
    let siblings = page.children(of: page.nodes[element.index].parent).filter { child in
      child != element.index
        && !(page.nodes[child].name.isEmpty && page.nodes[child].text.allSatisfy(\.isWhitespace))
    }
    let before = siblings.last { $0 < element.index }
    let after = siblings.first { $0 > element.index }
    return (before.map(isEnd) ?? true) && (after.map(isEnd) ?? true) && !siblings.isEmpty
  }

  /// Whether an element stands in an item of a list or a cell: a number there is a part of what is said.
  private func isInItem(_ element: ArticleElement) -> Bool {
    ["li", "dd", "dt", "td", "th"]
      .contains(page.nodes[page.block(around: element.index)].name)
  }

  private func digits(of text: String) -> Int {
    text.unicodeScalars.count { $0.properties.generalCategory == .decimalNumber }
  }

  /// Whether a text is a number, or has more of a date than of words: no price, result or number to call.
  private func isDateOrCount(_ text: String) -> Bool {
    if text.contains(where: { $0.isCurrencySymbol || $0 == "+" || $0 == "=" || $0 == "%" }) {
      return false
    }
    let (digits, letters) = (digits(of: text), text.count(where: \.isLetter))
    return letters == 0 && digits > 0 && !text.contains(":") || digits >= 4 && digits > letters
  }

  /// Whether a line says little more than when something was changed: "Last updated: 3 May 2019", "This page was last
  /// edited on 3 May 2019, at 10:20." In a sentence of the article these words stand among others.
  private func isStamp(_ line: String) -> Bool {
    for stamp in Self.stamps {
      guard let range = line.firstRange(of: stamp) else { continue }
      let start = line[..<range.lowerBound]
      let before = start.split { !$0.isLetter && !$0.isNumber }
      let isOfPage =
        before.isEmpty || Self.pageWords.contains(String(before[0])) && before.count <= 4
        || start.last { $0 != " " }.map { "·|•–—".contains($0) } ?? false
      let after = line[range.upperBound...].split { !$0.isLetter && !$0.isNumber }
      let words = after.filter { $0.first?.isNumber == false && !Self.isOfDate($0) }
      if isOfPage, words.count <= 3 { return true }
    }
    return false
  }

  /// Whether a word is that of a date, in the languages of `stamps`: names of months and days are known by their
  /// beginnings.
  private static func isOfDate(_ word: Substring) -> Bool {
    dateWords.contains(String(word))
      || word.count > 2 && dateBeginnings.contains(String(word.prefix(3)))
  }

  private static let pageWords: Set = [
    "this", "page", "article", "post", "diese", "seite", "cette", "esta", "questa",
  ]

  private static let dateWords: Set = [
    "on", "at", "by", "the", "of", "am", "pm", "a", "p", "m", "utc", "gmt", "est", "edt", "cet",
    "cest", "um", "uhr", "le", "à", "el", "de", "del", "il", "alle", "ago", "days", "hours",
    "minutes", "st", "nd", "rd", "th",
  ]

  private static let dateBeginnings: Set = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon",
    "tue", "wed", "thu", "fri", "sat", "sun", "mär", "mai", "okt", "dez", "fév", "avr", "jui",
    "aoû", "déc", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott",
  ]

  private static let stampWords = [
    "edited ", "updated ", "posted ", "published ", "modified ", "aktualisiert ", "bearbeitet ",
    "mis à jour ", "actualizado ",
  ]

  private static let stamps = [
    "last modified", "last updated", "last edited", "last changed", "zuletzt geändert",
    "dernière mise à jour", "última actualización", "ultima modifica",
  ]
}
