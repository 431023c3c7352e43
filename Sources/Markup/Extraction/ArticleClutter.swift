internal import Text

// Clutter between the paragraphs of an article.

extension ArticleCleaning {
  /// Properties of an element.
  struct Look {
    let index: Int
    let name: String
    let words: PageHints.Words
    let text: Int
    let pictures: Int
  }

  func look(at index: Int) -> Look {
    Look(
      index: index, name: nodes[index].name, words: weights.words[index],
      text: weights.text(index, nodes), pictures: weights.pictures(index, nodes))
  }

  /// Whether an element of the article is left out, with all that is in it.
  mutating func isClutter(_ index: Int) -> Bool {
    let name = nodes[index].name
    guard !name.isEmpty else { return false }
    if writer.isPreformatted { return weights.words[index].contains(.gutter) }
    let look = look(at: index)
    if isByline(look) {
      // Of a thread each post has its own.
      if look.text > 1, byline == nil, !isThread {
        byline = PlainText.sanitized(text(of: index, upTo: 2 * Self.longestByline))
      }
      return true
    }
    if name == "article", isRemark(index) { return true }
    if isGutter(look) || isDate(look) || isCredit(look) || isLabel(look) || isKicker(look)
      || isStamp(look) || isPostLine(look) || isImprint(look)
      || isCodeBar(look) || name == "p" && isContents(look)
    {
      return true
    }
    if name == "a" {
      // Signs beside headings that lead to these, and buttons.
      return look.text <= 1 && look.pictures == 0 && isPlaceMark(index) || isTopLink(look)
        || isSourceLink(look)
        || look.text < 40 && look.words.contains(.negative)
          && look.words.isDisjoint(with: [.positive, .notes]) && !isWithinSentence(look)
    }
    if name == "td", tables.last?.isLayout == true {
      return weights.mass(index, nodes) == 0 && weights.linkShare(index, nodes) > 0.7
    }
    guard Self.boxes.contains(name) || name.contains("-") && name != PageNormalizer.noscriptCopy
    else {
      return Self.isHeading(name) && look.words.contains(.negative)
        && (look.words.contains(.strong)
          || Self.appendices.contains(Self.headingKey(text(of: index, upTo: 80))))
    }
    return isClutteredBox(look)
  }

  /// Whether an article stands in another one (HTML §4.3.2: a comment on that, as a rule) behind its text.
  private func isRemark(_ index: Int) -> Bool {
    guard !isThread, !isLenient, writer.letters > 400 else { return false }
    var holder = nodes[index].parent
    while holder > 0, nodes[holder].name != "article" { holder = nodes[holder].parent }
    guard holder > 0 else { return false }
    var inner: Float = 0
    var next = holder + 1
    while next < nodes[holder].end {
      if nodes[next].name == "article" {
        inner += weights.mass(next, nodes)
        next = nodes[next].end
      } else {
        next += 1
      }
    }
    return inner * 2 < weights.mass(holder, nodes)
  }

  private static let boxes: Set = [
    "div", "section", "ul", "ol", "dl", "table", "aside", "form", "header", "footer", "fieldset",
    "figure", "details", "center",
  ]

  private func isClutteredBox(_ look: Look) -> Bool {
    let (index, text, words) = (look.index, look.text, look.words)
    let codes = count(.code, index)
    if text == 0 { return look.pictures == 0 && codes == 0 }
    if words.contains(.notes) { return false }
    if !isLenient, isAppendix(look) { return true }
    if codes > 0 { return false }
    let share = weights.linkShare(index, nodes)
    let mass = weights.mass(index, nodes)
    if isLenient { return share > 0.8 && mass == 0 && text > 40 }
    if isBarrier(look) || isContents(look) || isServices(look) || isOffer(look) { return true }
    let items = count(.item, index)
    let asks = count(.input, index) > 0
    // Remarks of a page before the text.
    if look.name == "details", isInHeader, writer.letters < Self.beginning { return true }
    if words.isDisjoint(with: [.negative, .comment]),
      firstHeading(of: index).map(isNamedHeading) ?? isUnderNamedHeading(index),
      mass > 0 || share > 0
    {
      return false
    }
    if isCards(look) { return true }
    switch look.name {
    case "ul", "ol":
      if items > 2, share > 0.6, text / max(1, items) < 60 { return true }
      return words.contains(.negative) && share > 0.3
    case "aside":
      // A quotation in a conversation.
      if share == 0,
        nodes[index + 1..<nodes[index].end].prefix(Self.mostOfLine)
          .contains(where: { $0.name == "blockquote" })
      {
        return false
      }
      if linkedPlaces.contains(where: { place in
        nodes[index].attributes.contains { $0.name == "id" && $0.value == place }
      }) {
        return false
      }
      // Facts or ingredients: other articles would be links.
      if weights.hasFacts(index, nodes), !asks, count(.button, index) == 0 { return false }
      return mass < 3 || share > 0.3 || mass < 10 && (asks || startsList(index))
    case "header":
      return mass == 0 && look.pictures == 0 && count(.subheading, index) == 0
    case "footer": return mass == 0 && look.pictures == 0
    case "figure": return false
    case "form", "fieldset": return mass < 3
    case "table":
      return share > 0.7 && items == 0 && text / max(1, look.pictures + 1) < 400
    default: break
    }
    if words.contains(.negative), !words.contains(.body), mass < 3 || share > 0.3 { return true }
    if text < 200, mass < 2, count(.button, index) > 0, writer.letters < Self.beginning,
      count(.subheading, index) == 0, look.pictures == 0 || codes == 0
    {
      return true
    }
    if asks, text < 200, mass < 2 || count(.mail, index) > 0 { return true }
    if mass < 10, count(.mail, index) > 0 { return true }
    if share > 0.5, text >= 25 || look.pictures == 0 { return mass < 3 || share > 0.7 }
    if share > 0.25 || asks, mass < 4, startsList(index) { return true }
    return look.pictures > 1 && text < 25 * look.pictures && share > 0.5
  }

  /// Whether an element above the text is a link to the section of the paper that the article is in.
  private func isKicker(_ look: Look) -> Bool {
    guard writer.letters == 0, look.text > 0, look.text < 60, look.pictures == 0, !isLenient,
      ["a", "p", "div", "span", "ul", "ol"].contains(look.name), !isWithinSentence(look)
    else { return false }
    if look.name == "a" {
      let parent = nodes[look.index].parent
      return parent >= 0 && count(.block, parent) > 1
        && ["div", "header", "section", "article", "main"].contains(nodes[parent].name)
    }
    return weights.linkShare(look.index, nodes) > 0.9
  }

  static func isHeading(_ name: String) -> Bool {
    name.utf8.count == 2 && name.hasPrefix("h") && name != "hr"
  }

  // MARK: Who, when and by whom

  private static let inlineNames: Set = [
    "span", "a", "small", "em", "i", "b", "strong", "cite", "time", "address", "p", "div", "ul",
    "li", "header", "footer", "section", "dl",
  ]

  /// Whether an element says who has written the article.
  private func isByline(_ look: Look) -> Bool {
    if look.words.contains(.byline), !look.words.contains(.body), look.text < Self.longestByline,
      !["article", "section", "td", "blockquote", "cite"].contains(look.name),
      writer.letters < 400 || look.name != "a",
      nodes[max(0, nodes[look.index].parent)].name != "blockquote", !isWithinSentence(look)
    {
      return true
    }
    // Above the text of an article a short line with the name of its author, whatever it is called.
    guard let author, look.text > 2, look.text < 160, writer.letters < Self.beginning,
      look.text < author.unicodeScalars.count + 110, Self.inlineNames.contains(look.name),
      count(.subheading, look.index) == 0, isSmall(look.index, Self.mostOfLine)
    else { return false }
    let text = text(of: look.index, upTo: 400).lowercased().collapsed()
    return text.contains(author) && !Self.endsSentence(text) && !text.hasSuffix(":")
      && !isWithinSentence(look)
  }

  /// Letters above which the beginning of an article is over.
  static let beginning = 200

  /// Whether an element says hardly more than when the article was written.
  private func isDate(_ look: Look) -> Bool {
    guard look.text > 0, look.text < 110, count(.time, look.index) > 0, tables.isEmpty,
      look.name == "time" || Self.inlineNames.contains(look.name), look.pictures == 0,
      count(.subheading, look.index) == 0, isSmall(look.index, Self.mostOfLine),
      writer.letters < Self.beginning || isInHeader || isThread
    else { return false }
    // The time at which something begins, beside what begins then.
    if look.name == "time" {
      return !isWithinSentence(look) && (hasOwnLine(look) || !isInItem(look))
    }
    var (dates, end) = (0, look.index)
    for inner in look.index..<nodes[look.index].end
    where inner >= end && Self.timeNames.contains(nodes[inner].name) {
      dates += weights.text(inner, nodes)
      end = nodes[inner].end
    }
    // In a list the day of an event stands beside its name.
    if ["li", "ul", "dl"].contains(look.name), look.text > dates { return false }
    return look.text - dates < 50 && !isWithinSentence(look)
      && (look.text == dates || !isSentence(text(of: look.index, upTo: 600)))
  }

  private static let timeNames: Set = ["time", "relative-time", "time-ago"]

  /// Whether an element is a date or a count in numbers, above the text, or says when the page was changed.
  private func isStamp(_ look: Look) -> Bool {
    guard look.text > 0, look.text < 80, Self.inlineNames.contains(look.name), tables.isEmpty,
      look.pictures == 0, count(.subheading, look.index) == 0,
      isSmall(look.index, Self.mostOfLine), !isWithinSentence(look)
    else { return false }
    // In a heading it is the number of a section.
    let isAtStart =
      writer.letters < Self.beginning && look.text < 40
      && !Self.isHeading(nodes[block(around: look.index)].name)
    if count(.time, look.index) > 0, look.name != "li" {
      let start = text(of: look.index, upTo: 60).lowercased().collapsed()
      if Self.stampWords.contains(where: { start.hasPrefix($0) }) { return true }
    }
    guard isAtStart || look.name == "div" || look.name == "p" else { return false }
    let text = text(of: look.index, upTo: 300)
    let digits = text.unicodeScalars.count { $0.properties.generalCategory == .decimalNumber }
    if isAtStart, hasOwnLine(look), !isInItem(look), isDateOrCount(text) {
      return count(.item, look.index) < 2
    }
    guard digits >= 4 else { return false }
    return isStamp(text.lowercased().collapsed())
  }

  /// Whether nothing else stands in the block or the line that an element is in.
  private func hasOwnLine(_ look: Look) -> Bool {
    if weights.text(block(around: look.index), nodes) == look.text { return true }
    guard !nodes[look.index].isBlock else { return true }
    let parent = nodes[look.index].parent
    func isEnd(_ index: Int) -> Bool {
      let node = nodes[index]
      return ["br", "hr"].contains(node.name) || !node.name.isEmpty && node.isBlock
    }
    func isBlank(_ index: Int) -> Bool {
      nodes[index].name.isEmpty && nodes[index].text.allSatisfy(\.isWhitespace)
    }
    var (before, after): (Int?, Int?)
    var child = parent + 1
    while child < nodes[parent].end {
      if child != look.index, !isBlank(child) {
        if child < look.index { before = child } else if after == nil { after = child }
      }
      child = nodes[child].end
    }
    return (before.map(isEnd) ?? true) && (after.map(isEnd) ?? true) && (before ?? after) != nil
  }

  /// Whether an element stands in an item of a list or a cell: a number there is a part of what is said.
  private func isInItem(_ look: Look) -> Bool {
    ["li", "dd", "dt", "td", "th"].contains(nodes[block(around: look.index)].name)
  }

  /// Whether a text is a number, or has more of a date than of words: no price, result or number to call.
  private func isDateOrCount(_ text: String) -> Bool {
    if text.contains(where: { $0.isCurrencySymbol || $0 == "+" || $0 == "=" || $0 == "%" }) {
      return false
    }
    let digits = text.unicodeScalars.count { $0.properties.generalCategory == .decimalNumber }
    let letters = text.count(where: \.isLetter)
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
    "this", "page", "article", "post", "diese", "seite", "cette", "page", "esta", "questa",
  ]

  private static let dateWords: Set = [
    "on", "at", "by", "the", "of", "am", "pm", "a", "p", "m", "utc", "gmt", "est", "edt", "cet",
    "cest",
    "um", "uhr", "le", "à", "el", "de", "del", "il", "alle", "ago", "days", "hours", "minutes",
    "st", "nd",
    "rd", "th",
  ]

  private static let dateBeginnings: Set = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon",
    "tue",
    "wed", "thu", "fri", "sat", "sun", "mär", "mai", "okt", "dez", "fév", "avr", "jui", "aoû",
    "déc",
    "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott",
  ]

  private static let stampWords = [
    "edited ", "updated ", "posted ", "published ", "modified ", "aktualisiert ", "bearbeitet ",
    "mis à jour ", "actualizado ",
  ]

  private static let stamps = [
    "last modified", "last updated", "last edited", "last changed", "zuletzt geändert",
    "dernière mise à jour", "última actualización", "ultima modifica",
  ]

  // MARK: Words beside pictures and code

  /// The numbers of lines of code.
  private func isGutter(_ look: Look) -> Bool {
    look.words.contains(.gutter) && weights.mass(look.index, nodes) == 0
  }

  /// Who has made a picture.
  private func isCredit(_ look: Look) -> Bool {
    guard look.text > 0, look.text < 140, look.pictures == 0,
      ["span", "small", "em", "i", "cite", "div", "p", "a"].contains(look.name)
    else { return false }
    if look.words.contains(.credit), look.words.isDisjoint(with: [.body, .notes]),
      isBesidePicture(look.index)
    {
      return true
    }
    guard let figure = figures.last, tables.isEmpty else { return false }
    if look.index > figure.caption, look.index < nodes[figure.caption].end {
      guard look.text < weights.text(figure.caption, nodes) else { return false }
      let text = text(of: look.index, upTo: 60).lowercased().drop { $0.isWhitespace }
      return Self.creditWords.contains { text.hasPrefix($0) }
    }
    // Beside the picture, not in its caption.
    return look.text < 80 && look.name != "p" && weights.pictures(figure.index, nodes) > 0
      && !isWithinSentence(look) && !isQuoted(look, in: figure.index)
      && !(look.index..<nodes[look.index].end).prefix(64).contains {
        ["figcaption", "table", "pre", "blockquote", "video", "audio", "p"]
          .contains(nodes[$0].name)
      }
  }

  /// Whether a picture is around an element, before it, or in a small box with it.
  private func isBesidePicture(_ index: Int) -> Bool {
    if figures.last.map({ weights.pictures($0.index, nodes) > 0 }) == true { return true }
    let most = weights.text(index, nodes) + Self.longestCaption
    var index = index
    for _ in 0..<3 {
      let parent = nodes[index].parent
      guard parent >= 0 else { return false }
      if weights.pictures(parent, nodes) > 0, weights.text(parent, nodes) <= most { return true }
      guard weights.text(index, nodes) <= most else { return false }
      // The element before it.
      var (child, before) = (parent + 1, -1)
      while child < index {
        if !nodes[child].name.isEmpty { before = child }
        child = nodes[child].end
      }
      if before >= 0, weights.pictures(before, nodes) > 0,
        weights.text(before, nodes) <= Self.longestCaption
      {
        return true
      }
      index = parent
    }
    return false
  }

  private static let longestCaption = 400

  /// Whether an element is a part of a quotation in a figure, or of a text in it.
  private func isQuoted(_ look: Look, in figure: Int) -> Bool {
    var parent = nodes[look.index].parent
    for _ in 0..<Self.mostNested {
      if parent <= figure { return false }
      let name = nodes[parent].name
      if ["blockquote", "li", "dd", "pre"].contains(name)
        || name == "p" && weights.text(parent, nodes) > look.text
      {
        return true
      }
      parent = nodes[parent].parent
    }
    return true
  }

  private static let creditWords = [
    "credit", "photo:", "photograph:", "photo by", "photograph by", "picture:", "image:", "©",
    "foto:", "bild:", "crédit", "photo :", "fotografía", "写真",
  ]

  private func isPlaceMark(_ index: Int) -> Bool {
    nodes[index].attributes.contains {
      $0.name == "href" && $0.value.hasPrefix("#")
    } && ["#", "¶", "§", "🔗", ""].contains(text(of: index, upTo: 8).collapsed())
  }

  // MARK: The title

  /// Whether a heading repeats the title of the article.
  mutating func isTitle(_ index: Int) -> Bool {
    guard !title.isEmpty else { return false }
    let isHigh = nodes[index].name == "h1" || nodes[index].name == "h2"
    guard isHigh, titlesLeft > 0, !isThread else {
      // Posts repeat the title of their thread.
      guard isThread || !isHigh,
        title.utf8.count > 20 || isThread && nodes[index].name == "h1"
      else { return false }
      let heading = Self.key(text(of: index, upTo: 500))
      return heading == title || heading == "re" + title
    }
    titlesLeft -= 1
    let heading = Self.key(text(of: index, upTo: 500))
    guard !heading.isEmpty else { return false }
    return heading == title
      || (nodes[index].name == "h1" || titlesLeft == 1)
        && title.contains(heading) && heading.count * 2 > title.count
  }

  /// Letters and digits in lower case.
  static func key(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Nodes of which the text is read: thousands may have none.
  private static let mostOfText = 2_000

  func text(of index: Int, upTo limit: Int) -> String {
    var text = ""
    for inner in (index..<nodes[index].end).prefix(Self.mostOfText) where nodes[inner].name.isEmpty
    {
      text += nodes[inner].text
      if text.utf8.count > limit { break }
    }
    return text
  }
}
