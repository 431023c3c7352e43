internal import Text

// Boxes in an article that lead elsewhere, ask for something, or say who speaks.

extension ArticleCleaning {
  /// Nodes of a box that are looked at; a larger one is none of these.
  static let mostNodes = 600

  /// Elements between a box and the heading that it begins with.
  static let mostNested = 40

  func isSmall(_ index: Int, _ limit: Int = mostNodes) -> Bool {
    nodes[index].end - index <= limit
  }

  func words(of index: Int, upTo limit: Int) -> String {
    text(of: index, upTo: limit).lowercased().collapsed()
  }

  private func target(of index: Int) -> String? {
    nodes[index].attributes.first { $0.name == "href" }?.value
  }

  // MARK: Who speaks

  /// Whether an element says who has written one of many posts, and what can be done with it: a line with a link and
  /// without a sentence, whose class many have, and nearly all of them for such a line.
  func isPostLine(_ look: Look) -> Bool {
    guard isThread, look.text > 0, look.text < 120, look.pictures == 0,
      Self.lineNames.contains(look.name), weights.mass(look.index, nodes) < 2.6,
      isSmall(look.index, 80), let name = Self.lineName(nodes[look.index]), let line = lines[name],
      line.count >= 3, line.long * 4 <= line.count, !isWithinSentence(look)
    else { return false }
    return nodes[look.index..<nodes[look.index].end].contains { $0.name == "a" }
      && count(.subheading, look.index) == 0 && count(.code, look.index) == 0
      && !Self.endsSentence(text(of: look.index, upTo: 480))
  }

  private static let lineNames: Set = ["div", "p", "span", "header", "ul", "li"]

  private static func lineName(_ node: HTMLPage.Node) -> String? {
    node.attributes.first { $0.name == "class" }.map { node.name + " " + $0.value }
  }

  /// How many elements have each name and class, of those that may say who speaks, and how many of these are longer.
  static func lines(
    _ nodes: [HTMLPage.Node], _ weights: PageWeights
  ) -> [String: (count: Int, long: Int)] {
    var lines: [String: (count: Int, long: Int)] = [:]
    for index in nodes.indices
    where lineNames.contains(nodes[index].name) && !weights.isDropped[index] {
      guard let name = lineName(nodes[index]) else { continue }
      let isLong = weights.text(index, nodes) >= 120 || weights.mass(index, nodes) >= 2.6
      let line = lines[name, default: (0, 0)]
      lines[name] = (line.count + 1, line.long + (isLong ? 1 : 0))
    }
    return lines
  }

  // MARK: What leads elsewhere

  /// Whether a box is the table of contents of the article: hardly more than links to places in it.
  func isContents(_ look: Look) -> Bool {
    guard look.text > 0, look.text < 1_500, !isLenient, look.pictures == 0, isSmall(look.index),
      count(.code, look.index) == 0
    else { return false }
    var (links, letters) = (0, 0)
    for index in look.index..<nodes[look.index].end where nodes[index].name == "a" {
      guard let target = target(of: index), target.hasPrefix("#"), target.utf8.count > 1 else {
        continue
      }
      links += 1
      letters += weights.text(index, nodes)
    }
    return links >= 3 && letters * 4 >= look.text * 3
  }

  /// Whether a link leads to the top of the page.
  func isTopLink(_ look: Look) -> Bool {
    guard look.text < 30, let target = target(of: look.index), target.hasPrefix("#") else {
      return false
    }
    return Self.topWords.contains(words(of: look.index, upTo: 100))
  }

  private static let topWords: Set = [
    "top", "[top]", "↑", "↑ top", "back to top", "to top", "return to top", "nach oben",
    "zurück nach oben", "haut de page", "retour en haut", "volver arriba", "arriba", "torna su",
    "наверх", "トップへ戻る",
  ]

  /// Whether a box has other articles, each as a card: a heading or picture, a link, and a line that is no sentence.
  func isCards(_ look: Look) -> Bool {
    guard writer.letters > 400, look.text > 90, look.text < 6_000, !isLenient,
      ["div", "section", "aside", "ul", "ol"].contains(look.name), isSmall(look.index, 1_200)
    else { return false }
    var (cards, others) = (0, 0)
    var child = look.index + 1
    while child < nodes[look.index].end {
      let end = nodes[child].end
      defer { child = end }
      let text = weights.text(child, nodes)
      guard !nodes[child].name.isEmpty, text > 0, !Self.isHeading(nodes[child].name) else {
        if nodes[child].name.isEmpty, text > 60 { return false }
        continue
      }
      if text < 260, isSmall(child, 120), isCard(child) { cards += 1 } else { others += 1 }
      if others > 1 { return false }
    }
    return cards >= 3
  }

  private func isCard(_ index: Int) -> Bool {
    var (hasFace, linked) = (false, 0)
    var faceEnd = 0
    for inner in index..<nodes[index].end {
      switch nodes[inner].name {
      case "":
        // A comment on the page that the link leads to.
        if inner >= faceEnd, nodes[inner].text.utf8.count > 40,
          Self.endsSentence(nodes[inner].text)
        {
          return false
        }
      case "h2", "h3", "h4", "h5":
        hasFace = true
        faceEnd = max(faceEnd, nodes[inner].end)
      case "img": hasFace = true
      case "a":
        if let target = target(of: inner), !target.hasPrefix("#") {
          linked += weights.text(inner, nodes)
          faceEnd = max(faceEnd, nodes[inner].end)
          // A picture and a heading in one link are those of another article, whatever is said of it.
          if weights.pictures(inner, nodes) > 0, count(.subheading, inner) > 0 { return true }
        }
      case "pre", "table", "math", "blockquote": return false
      default: break
      }
    }
    return hasFace && linked >= 15
  }

  /// Whether a box has the names of networks on which the article can be told to others.
  func isServices(_ look: Look) -> Bool {
    guard look.text > 5, look.text < 160, look.pictures == 0, !isLenient,
      ["ul", "ol", "div", "section"].contains(look.name), isSmall(look.index, 80)
    else { return false }
    let texts = nodes[look.index..<nodes[look.index].end].map(\.text).joined(separator: " ")
      .lowercased()
    guard !texts.contains(".") else { return false }
    let words = texts.split { !$0.isLetter }.map(String.init)
    let count = Set(words).intersection(Self.services).count
    guard count >= 2, look.text < 45 * count else { return false }
    return weights.linkShare(look.index, nodes) > 0.3 || self.count(.button, look.index) > 0
      || words.first.map(Self.sharing.contains) == true
  }

  private static let sharing: Set = [
    "share", "follow", "teilen", "folgen", "partager", "partagez", "suivez", "compartir",
    "comparte", "condividi", "поделиться",
  ]

  private static let services: Set = [
    "facebook", "twitter", "whatsapp", "linkedin", "pinterest", "reddit", "telegram", "tumblr",
    "flipboard", "bluesky", "mastodon", "messenger", "xing", "vk",
  ]

  // MARK: What asks for something

  /// Whether a box asks those who read on to subscribe. An article itself may stand in a box with such a name.
  func isBarrier(_ look: Look) -> Bool {
    guard look.words.contains(.paywall), look.text < 600 else { return false }
    return PageWall.begs(words(of: look.index, upTo: 2_400))
  }

  /// Whether a short box ends with a link that is a button: to subscribe, to join, to try.
  func isOffer(_ look: Look) -> Bool {
    guard look.text > 5, look.text < 350, !isLenient, tables.isEmpty,
      ["div", "section", "aside", "figure"].contains(look.name), isSmall(look.index, 60),
      count(.code, look.index) == 0, weights.mass(look.index, nodes) < 12,
      let link = (look.index..<nodes[look.index].end).last(where: { nodes[$0].name == "a" })
    else { return false }
    let text = weights.text(link, nodes)
    let block = block(around: link)
    guard text > 2, text < 40, nodes[block].name != "li",
      weights.ownTexts[block] == Int32(text),
      weights.texts[nodes[look.index].end] - weights.texts[nodes[link].end] < 40
    else { return false }
    let words = words(of: link, upTo: 160)
    if Self.offers.contains(where: { Self.begins(words, with: $0) })
      || Self.offerStems.contains(where: words.hasPrefix)
    {
      return true
    }
    return Self.leadsToOffer(target(of: link)?.lowercased() ?? "")
  }

  /// Whether an address ends with the name of what is offered: `/plus/subscribe?from=x`.
  private static func leadsToOffer(_ target: String) -> Bool {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last ?? ""
    return offerTargets.contains(String(last.prefix { $0 != "." }))
  }

  private static let offers = [
    "subscribe", "sign up", "join ", "start your", "start a free", "start free", "become a",
    "donate",
    "get started", "try it free", "try for free", "book a demo", "request a demo", "create account",
    "abonnez", "s’abonner", "s'abonner", "abonnieren", "jetzt abonnieren", "abbonati",
    "assine", "s’inscrire", "s'inscrire", "подписаться",
  ]
  private static let offerStems = ["suscríb", "suscrib"]
  private static let offerTargets: Set = [
    "signup", "sign-up", "subscribe", "subscription", "subscriptions", "free-trial", "newsletter",
    "newsletters", "newsletter-signup", "donate", "membership", "register",
  ]

  /// Whether a stretch says whose the rights are, or why a letter was sent and how to get no more.
  func isImprint(_ look: Look) -> Bool {
    guard !imprints.isEmpty, look.text > 10, look.text < 700, !isLenient,
      ["p", "div", "td", "small", "center", "section", "footer", "span"].contains(look.name),
      Self.has(imprints, in: look.index..<nodes[look.index].end), count(.code, look.index) == 0
    else { return false }
    let text = words(of: look.index, upTo: 3_000)
    if text.contains("unsubscribe") {
      if Self.receipts.contains(where: text.contains) { return true }
      let isAsked = text.contains("receiv") || text.contains("preferences")
      if isAsked, isSmall(look.index), hasLink(of: look.index, saying: "unsubscribe") {
        return true
      }
    }
    return look.text < 200 && Self.rights.contains(where: text.contains)
  }

  /// Sentences at the end of a newsletter about itself.
  private static let receipts = [
    "you are receiving", "you're receiving", "you’re receiving", "you received this",
    "you have received this", "you receive this",
  ]

  private func hasLink(of index: Int, saying word: String) -> Bool {
    (index..<nodes[index].end).contains { inner in
      guard nodes[inner].name == "a", weights.text(inner, nodes) < 40 else { return false }
      let words = words(of: inner, upTo: 160)
      return words.hasPrefix(word) || words.hasSuffix(word)
    }
  }

  static let imprintWords = WordSearch(rights + ["unsubscribe"])

  private static let rights = [
    "all rights reserved", "alle rechte vorbehalten", "tous droits réservés",
    "todos los derechos reservados", "tutti i diritti riservati", "все права защищены",
  ]

  /// Texts of the page that have one of some words.
  static func places(of words: WordSearch, in nodes: [HTMLPage.Node]) -> [Int] {
    nodes.indices.filter { nodes[$0].name.isEmpty && words.isAny(in: nodes[$0].text) }
  }

  /// Whether one of the places, which are in order, is in a range.
  private static func has(_ places: [Int], in range: Range<Int>) -> Bool {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] < range.upperBound
  }

  // MARK: Parts of the article

  /// The heading that a box begins with; nil for none.
  func firstHeading(of index: Int) -> Int? {
    var inner = index + 1
    while inner < min(nodes[index].end, index + Self.mostNested) {
      let node = nodes[inner]
      if Self.isHeading(node.name) { return inner }
      if node.name.isEmpty {
        guard node.text.utf8.allSatisfy(\.isASCIISpace) else { return nil }
      } else if !["div", "section", "header", "span", "a"].contains(node.name) {
        return nil
      }
      inner += 1
    }
    return nil
  }

  /// Whether a heading is a place of the article with a name of its own, to which a link leads: lists of links below
  /// it are the author's.
  func isNamedHeading(_ index: Int) -> Bool {
    let hasName = (index..<nodes[index].end).prefix(4).contains { inner in
      nodes[inner].attributes.contains { $0.name == "id" && !$0.value.isEmpty }
    }
    guard hasName, weights.words[index].isDisjoint(with: [.strong, .comment]) else { return false }
    let text = Self.headingKey(text(of: index, upTo: 160))
    return !Self.appendices.contains(text) && !Self.isLure(text)
  }

  /// Whether a box comes next to such a heading.
  func isUnderNamedHeading(_ index: Int) -> Bool {
    guard let heading = namedHeading, nodes[heading].end <= index else { return false }
    return weights.texts[index] - weights.texts[nodes[heading].end] < 8
  }

  /// Whether an element is a button in all but name above code: its language, or "copy".
  func isCodeBar(_ look: Look) -> Bool {
    guard look.text > 0, look.text < 30, look.name == "div", count(.button, look.index) > 0,
      count(.code, look.index) == 0
    else { return false }
    let next = (nodes[look.index].end..<min(nodes.count, nodes[look.index].end + 3)).first {
      !nodes[$0].name.isEmpty
    }
    return next.map { nodes[$0].name == "pre" } ?? false
  }

  /// Whether a link leads to the source of what a heading names, or to its editor.
  func isSourceLink(_ look: Look) -> Bool {
    guard look.text > 2, look.text < 20, isInHeading(look.index) else { return false }
    return [
      "source", "[source]", "[src]", "src", "view source", "edit", "[edit]", "edit on github",
    ]
    .contains(words(of: look.index, upTo: 60))
  }

  private func isInHeading(_ index: Int) -> Bool {
    var parent = nodes[index].parent
    for _ in 0..<3 where parent > 0 {
      if Self.isHeading(nodes[parent].name) || nodes[parent].name == "dt" { return true }
      // Beside the heading, in the box of both.
      if ["div", "section"].contains(nodes[parent].name) {
        return weights.text(parent, nodes) < 200 && count(.subheading, parent) > 0
      }
      parent = nodes[parent].parent
    }
    return false
  }

  /// A heading in lower case without the number of what is below it: `Comments (12)`, `3 Answers`.
  static func headingKey(_ text: String) -> String {
    func isCount(_ character: Character) -> Bool {
      character.isNumber || character.isWhitespace || "().:,".contains(character)
    }
    var key = text.lowercased().collapsed()[...]
    while let first = key.first, isCount(first) { key.removeFirst() }
    while let last = key.last, isCount(last) { key.removeLast() }
    return String(key)
  }
}
