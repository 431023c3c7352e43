internal import Text

/// What stands in the place of an article.
package enum PageObstacle: String, Sendable, Hashable {
  /// The article is for subscribers; at most its beginning is there.
  case paywall
  /// A question for consent, to cookies or the use of data.
  case consent
  case login
  /// A list of links.
  case links
  /// Nothing to read; what shows the article is a program in the page, perhaps.
  case empty
}

/// Tells why a page has no article.
struct PageWall {
  private let nodes: [HTMLPage.Node]
  private let weights: PageWeights

  /// In letters: an article of this length is taken for whole whatever the page says beside it.
  private static let wholeArticle = 4_000
  /// What is longer asks for no consent.
  private static let longestWall = 1_800
  /// What is shorter is no article.
  static let leastArticle = 140
  /// What is shorter may be the beginning of an article, wherever it ends.
  private static let shortArticle = 400
  /// The beginning of an article that a wall shows is not longer.
  private static let longestBeginning = 1_500

  init(_ nodes: [HTMLPage.Node], _ weights: PageWeights) {
    self.nodes = nodes
    self.weights = weights
  }

  /// - Parameters:
  ///   - letters: of the article that was found.
  ///   - parts: its elements.
  ///   - text: that article's text.
  ///   - isForSubscribers: whether the page says so.
  func obstacle(
    letters: Int, parts: [Int], text: () -> String, isForSubscribers: Bool
  ) -> PageObstacle? {
    // What is long is the whole article, and no other obstacle is as long.
    guard letters < Self.wholeArticle else { return nil }
    let article = text()
    let isCut = letters < Self.shortArticle || Self.isCut(article)
    if Self.begs(textOfWalls(in: parts, isCut: isCut))
      && (isCut || isForSubscribers || letters < Self.longestBeginning)
      || isForSubscribers && letters < Self.longestBeginning
      || isCut && letters < 700 && hasElement(.paywall)
    {
      return .paywall
    }
    guard letters < Self.longestWall else { return nil }
    let consents = Self.consentWords.count(in: article.lowercased(), upTo: 3)
    let hasConsent = hasElement(.consent)
    if letters < Self.longestWall, consents >= 3 || consents >= 2 && hasConsent { return .consent }
    if letters < Self.leastArticle,
      hasConsent
        || Self.consentWords.count(in: lowercasedText(of: 0, without: { _ in false }), upTo: 3) >= 3
    {
      return .consent
    }
    let hasPassword = nodes.contains { node in
      node.name == "input"
        && node.attributes.contains { $0.name == "type" && $0.value.lowercased() == "password" }
    }
    if hasPassword, letters < 400 { return .login }
    let body = nodes.firstIndex { $0.name == "body" } ?? 0
    let all = weights.text(body, nodes)
    if letters < 400, all > 400, weights.linkShare(body, nodes) > 0.5 { return .links }
    return letters < Self.leastArticle ? .empty : nil
  }

  /// Whether a text asks for a subscription before one reads on.
  ///
  /// - Parameter text: in lower case.
  static func begs(_ text: String) -> Bool { paywallWords.isAny(in: text) }

  /// Whether a text stops in the middle of a sentence.
  private static func isCut(_ text: String) -> Bool {
    guard let last = text.last(where: { !$0.isWhitespace }) else { return true }
    return last.isLetter || last.isNumber || last == "…" || last == "," || text.hasSuffix("...")
  }

  private func hasElement(_ words: PageHints.Words) -> Bool {
    weights.words.indices.contains {
      weights.words[$0].contains(words) && !PageHints.isHidden(nodes[$0])
    }
  }

  /// The text that may ask for a subscription: what stands in the article, boxes with the name of a wall, and all that is
  /// on the page from the beginning of an article on that is cut. Bars, remarks and hidden dialogs speak of themselves.
  private func textOfWalls(in parts: [Int], isCut: Bool) -> String {
    func isElsewhere(_ index: Int) -> Bool {
      let node = nodes[index]
      return ["header", "footer", "nav"].contains(node.name) || PageHints.isHidden(node)
        || weights.words[index].contains(.comment)
        || !isCut && (node.name == "aside" || node.name == "dialog" || node.name == "a")
    }
    if isCut {
      return lowercasedText(of: 0, from: parts.first ?? 0, without: isElsewhere)
    }
    let walls = nodes.indices.filter { index in
      weights.words[index].contains(.paywall)
        && sequence(first: index, next: { nodes[$0].parent }).prefix { $0 >= 0 }
          .allSatisfy { !isElsewhere($0) }
    }
    return (parts + walls.prefix(20)).map { lowercasedText(of: $0, without: isElsewhere) }
      .joined(separator: " ")
  }

  /// The text of an element, in lower case; cut, for what asks for something stands near the top, or below the beginning
  /// of an article.
  private func lowercasedText(
    of element: Int, from start: Int = 0, without isLeftOut: (Int) -> Bool
  ) -> String {
    var text = ""
    var index = element
    while index < nodes[element].end, text.utf8.count <= 60_000 {
      if nodes[index].name.isEmpty {
        if index >= start { text += nodes[index].text }
      } else if nodes[index].name == "title" || isLeftOut(index) {
        index = max(index + 1, nodes[index].end)
        continue
      }
      index += 1
    }
    return text.lowercased().collapsed()
  }

  private static let paywallWords = WordSearch([
    "subscribe to continue", "subscribe to read", "subscribe now to read", "subscribers only",
    "already a subscriber", "continue reading with a subscription",
    "this article is for subscribers",
    "to continue reading", "to read the full", "to read the rest", "unlock this article",
    "become a member to", "register to continue", "for members only", "exclusive to subscribers",
    "your free articles", "free articles left",
    "jetzt weiterlesen", "nur für abonnenten", "mit einem abo", "jetzt abonnieren und",
    "um diesen artikel zu lesen", "bereits abonnent", "réservé aux abonnés",
    "réservée aux abonnés", "déjà abonné", "il vous reste", "para suscriptores",
    "suscríbete para", "ya eres suscriptor", "riservato agli abbonati", "sei già abbonato",
    "alleen voor abonnees", "al abonnee", "för prenumeranter", "for abonnenter",
    "только для подписчиков", "по подписке", "有料会員限定", "会員登録すると続き", "订阅后继续阅读",
    "para assinantes", "tylko dla prenumeratorów",
  ])
  private static let consentWords = WordSearch([
    "cookie", "consent", "privacy", "your data", "partners", "accept all", "advertising",
    "zustimm", "datenschutz", "akzeptieren", "einwilligung", "werbung", "consentement",
    "confidentialité", "accepter", "données", "consentimiento", "privacidad", "aceptar",
    "toestemming", "accepteren", "consenso", "accetta", "プライバシー", "同意", "隐私",
  ])
}
