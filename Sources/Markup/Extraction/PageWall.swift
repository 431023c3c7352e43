internal import Text

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

/// Reasons why a page has no article, or only a part of it.
///
/// Words that ask for a subscription or for consent stand on many pages whose article is whole. They count next to the
/// end of the text that was found, or where that breaks off.
struct PageWall {
  private let page: MeasuredPage

  /// In letters: an article of this length is taken for whole whatever the page says beside it.
  private static let wholeArticle = 4_000
  /// In letters: a longer page is no wall of consent.
  private static let longestWall = 1_800
  /// The beginning of an article that goes on for subscribers is shorter.
  private static let longestBeginning = 1_500
  private static let leastBeginning = 400
  /// A shorter text is no article.
  static let leastArticle = 140
  /// Letters between the end of a text and a notice that belongs to it.
  private static let nextTo = 250

  init(_ page: MeasuredPage) { self.page = page }

  /// - Parameters:
  ///   - letters: of the article that was found.
  ///   - text: that article's text.
  ///   - parts: its elements.
  ///   - lastText: the last text of it; -1 for none.
  ///   - isForSubscribers: whether the page says so.
  func obstacle(
    letters: Int, text: () -> String, parts: [Int], lastText: Int, isForSubscribers: Bool
  ) -> PageObstacle? {
    // A long text is the whole article, and no other obstacle is as long.
    guard letters < Self.wholeArticle else { return nil }
    if isCut(letters: letters, lastText: lastText, isForSubscribers: isForSubscribers) {
      return .paywall
    }
    guard letters < Self.longestWall else { return nil }
    let isAsked = Self.consentWords.count(in: text().lowercased(), upTo: 3) >= 3
    if isAsked, let box = parts.lazy.compactMap(consentBox).first,
      letters - page.text(box) < Self.leastArticle
    {
      return .consent
    }
    if letters < Self.leastArticle {
      let page = visible.text
      if isAsked || Self.consentWords.count(in: String(decoding: page, as: UTF8.self), upTo: 3) >= 3
      {
        return .consent
      }
    }
    let hasPassword = page.nodes.indices.contains { index in
      page.nodes[index].name == "input"
        && page.nodes[index]["type"]?.lowercased() == "password"
        && (letters < Self.leastArticle || !isAround(index))
    }
    if hasPassword, letters < 400, !parts.contains(where: hasParagraphs) { return .login }
    let body = page.nodes.firstIndex { $0.name == "body" } ?? 0
    let all = page.text(body)
    let isList = parts.contains { page.linkShare($0) > 0.3 }
    if letters < 400, all > 400, isList || letters < Self.leastArticle,
      page.linkShare(body) > 0.5
    {
      return .links
    }
    return letters < Self.leastArticle ? .empty : nil
  }

  /// Whether a text asks for a subscription before the user reads on.
  ///
  /// - Parameter text: in lower case.
  static func begs(_ text: String) -> Bool { claims.isAny(in: text) || labels.isAny(in: text) }

  /// Whether an element has paragraphs as an article has them, and not the lines around a form.
  private func hasParagraphs(_ part: Int) -> Bool {
    let long = page.range(of: part).filter {
      page.nodes[$0].name == "p" && page.text($0) >= 60
        && text(of: $0).endsSentence
    }
    return long.count > 1 || long.contains { page.text($0) >= 100 }
  }

  // MARK: Subscribers

  private func isCut(letters: Int, lastText: Int, isForSubscribers: Bool) -> Bool {
    let (text, starts) = visible
    /// The nodes in which such words stand.
    func found(_ words: WordSearch) -> [Int] {
      words.places(in: text).compactMap { place in
        starts.last { $0.place <= place }?.node
      }.filter { !isAround($0) && !isInItem($0) }
    }
    let claims = found(Self.claims)
    let labels = found(Self.labels)
    let all = claims + labels
    if letters < Self.leastArticle { return !all.isEmpty || isForSubscribers }
    if letters < Self.leastBeginning, isForSubscribers { return true }
    // The words may be a part of the text that was found.
    let ends = [lastText, before(lastText)].filter { $0 >= 0 && !all.contains($0) }
    if ends.contains(where: {
      breaksOff(at: $0) && (!all.isEmpty || isForSubscribers || isOffer(after: $0))
    }) {
      return true
    }
    guard isForSubscribers || !all.isEmpty, letters < Self.longestBeginning else { return false }
    let last = ends.first ?? lastText
    func isNext(_ node: Int) -> Bool {
      let (first, second) = (min(node, last), max(node, last))
      return second == last
        ? letters < Self.leastBeginning
        : page.nodes[(first + 1)..<second].reduce(0) {
          $0 + $1.text.utf8.count { !$0.isASCIISpace }
        }
          < Self.nextTo
    }
    let next = (isForSubscribers || letters < Self.leastBeginning ? all : claims).filter(isNext)
    return next.contains {
      isForSubscribers || isNotice($0, needsAction: letters >= Self.leastBeginning)
    }
  }

  /// Whether words stand in a box that asks for a subscription: it begins with them, and has a link or button for that
  /// where the text before is long enough to be whole.
  private func isNotice(_ node: Int, needsAction: Bool) -> Bool {
    let line = block(around: node)
    let text = text(of: line)
    guard text.utf8.count < Self.longestNotice else { return false }
    guard needsAction else { return beginsNotice(text) || text.utf8.count < 80 }
    guard beginsNotice(text) else { return false }
    var box = line
    for _ in 0..<Self.mostBoxes where box > 0 {
      let words = page.words[box]
      let asks = page.nodes[box]["id"] == "respond"
      if asks || words.contains(.negative) && !words.contains(.paywall)
        || page.nodes[box].name == "dialog" || page.nodes[box].name == "footer"
      {
        return false
      }
      if hasAction(box) { return true }
      guard page.text(page.nodes[box].parent) < Self.longestNotice * 2 else { break }
      box = page.nodes[box].parent
    }
    return false
  }

  private static let longestNotice = 240
  private static let mostBoxes = 4

  private func beginsNotice(_ text: String) -> Bool {
    let text = text.lowercased()
    let places = Self.claims.places(in: Array(text.utf8)) + Self.labels.places(in: Array(text.utf8))
    return places.contains { $0 < 12 }
  }

  private func text(of node: Int) -> String {
    page.nodes[page.range(of: node)].prefix(200).map(\.text).joined().collapsed()
  }

  /// Whether a box has a link or a button for subscribing or signing in.
  private func hasAction(_ box: Int) -> Bool {
    page.range(of: box).prefix(300).contains { node in
      ["a", "button", "input"].contains(page.nodes[node].name)
        && Self.offers.isAny(
          in: (text(of: node) + " "
            + (page.nodes[node]["href"] ?? ""))
            .lowercased())
    }
  }

  /// Whether what follows a text that breaks off offers the rest of it.
  private func isOffer(after last: Int) -> Bool {
    var text = ""
    for node in page.nodes[(last + 1)...] {
      text += node.text.isEmpty ? " " : node.text.lowercased()
      if text.utf8.count > Self.nextTo * 2 { break }
    }
    return Self.offers.isAny(in: text.collapsed())
  }

  /// The last text before the block of another; -1 for none.
  private func before(_ index: Int) -> Int {
    let block = block(around: index)
    return page.nodes[..<max(0, block)].lastIndex { node in
      node.name.isEmpty && !node.text.utf8.allSatisfy(\.isASCIISpace)
    } ?? -1
  }

  private func block(around index: Int) -> Int {
    var block = index
    while block > 0, !page.nodes[block].isBlock { block = page.nodes[block].parent }
    return block
  }

  /// Whether a text ends in the middle of a sentence, by three dots or in a paragraph.
  private func breaksOff(at index: Int) -> Bool {
    guard index >= 0 else { return false }
    let block = block(around: index)
    let text = page.nodes[page.range(of: block)].map(\.text).joined().collapsed()
    var end = text[...]
    while let last = end.last, "\"'”’»“)]".contains(last) { end = end.dropLast() }
    if end.hasSuffix("…") || end.hasSuffix("...") { return true }
    return page.nodes[block].name == "p" && text.utf8.count >= 60 && !text.endsSentence
  }

  /// Whether a node stands around the article of the page, or is not shown.
  private func isAround(_ index: Int) -> Bool {
    var (isAside, node) = (false, index)
    while node >= 0 {
      let name = page.nodes[node].name
      // Its own header and the like.
      if name == "article" { isAside = false }
      switch name {
      case "dialog": return page.nodes[node]["open"] == nil
      case "nav", "title", PageNormalizer.templateCopy: return true
      case "header", "footer", "aside": isAside = true
      default: break
      }
      if PageHints.isHidden(page.nodes[node]) || page.words[node].contains(.comment) { return true }
      let role = page.nodes[node]["role"]?.lowercased()
      if let role, PageHints.aroundRoles.contains(role), !isMostOfPage(node) { return true }
      node = page.nodes[node].parent
    }
    return isAside
  }

  private func isMostOfPage(_ index: Int) -> Bool {
    page.mass(index) * 2 > page.mass(0)
  }

  /// Whether a text is one of a list, or a heading that is a link: that of another article.
  private func isInItem(_ index: Int) -> Bool {
    var (isLinked, isHeading) = (false, false)
    var node = index
    for _ in 0..<8 where node > 0 {
      let name = page.nodes[node].name
      if name == "li" { return true }
      if name == "a" { isLinked = true }
      if page.nodes[node].isHeading { isHeading = true }
      node = page.nodes[node].parent
    }
    return isLinked && isHeading
  }

  /// The text of the page in lower case, with the places at which the texts of its nodes begin. Cut: what asks for
  /// something stands near the top, or below the beginning of an article.
  private var visible: (text: [UInt8], starts: [(place: Int, node: Int)]) {
    var text: [UInt8] = []
    var starts: [(place: Int, node: Int)] = []
    for index in page.nodes.indices {
      guard page.nodes[index].name.isEmpty else {
        if page.nodes[index].isBlock { text.append(0x20) }
        continue
      }
      if text.count > 120_000 { break }
      let own = page.nodes[index].text.lowercased()
      let line = own.collapsed()
      guard !line.isEmpty else {
        text.append(0x20)
        continue
      }
      if own.utf8.first?.isASCIISpace == true, text.last != 0x20 { text.append(0x20) }
      starts.append((text.count, index))
      text += line.utf8
      if own.utf8.last?.isASCIISpace == true { text.append(0x20) }
    }
    return (text, starts)
  }

  /// Words that say that there is more of the article for subscribers.
  private static let claims = WordSearch([
    "subscribe to continue", "subscribe to read", "subscribe now to read", "continue reading with",
    "to continue reading", "to read the full article", "to read the full story",
    "unlock this article", "article is for subscribers", "article is for members",
    "story is for subscribers", "post is for paid", "register to continue",
    "exclusive to subscribers", "limit of free articles",
    "jetzt weiterlesen", "um diesen artikel zu lesen", "um weiterzulesen", "de cet article à lire",
    "pour lire la suite", "suscríbete para", "para seguir leyendo", "per continuare a leggere",
    "会員登録すると続き", "订阅后继续阅读",
  ])
  /// Such words, which may be about another article.
  private static let labels = WordSearch([
    "subscribers only", "already a subscriber", "for members only", "nur für abonnenten",
    "mit einem abo", "jetzt abonnieren und", "bereits abonnent", "réservé aux abonnés",
    "réservée aux abonnés", "déjà abonné", "para suscriptores", "ya eres suscriptor",
    "riservato agli abbonati", "sei già abbonato", "alleen voor abonnees", "al abonnee",
    "för prenumeranter", "for abonnenter", "только для подписчиков", "по подписке", "有料会員限定",
    "para assinantes", "tylko dla prenumeratorów",
  ])

  /// Parts of the words of links to a subscription.
  private static let offers = WordSearch([
    "subscri", "sign in", "sign-in", "signin", "log in", "login", "premium", "free trial",
    "free articles", "members only", "paid", "unlock", "register", "abonn", "mit einem abo",
    "anmelden", "registrieren", "weiterlesen mit", "suscri", "assin", "abbon", "prenumer",
    "подпис", "会員", "有料", "付费", "订阅", "구독",
  ])

  // MARK: Consent

  /// The box around a button, or a link on a line of its own, that gives consent; nil for none.
  private func consentBox(in part: Int) -> Int? {
    let button = page.range(of: part).first { index in
      let node = page.nodes[index]
      let isButton =
        node.name == "button"
        || node["role"] == "button"
        || node.name == "input" && node["type"]?.lowercased() == "submit"
        || node.name == "a" && page.ownTexts[block(around: index)] == page.text(index)
      guard isButton, node.end - index < 40 else { return false }
      let value = node["value"] ?? ""
      let text = page.nodes[index..<node.end].map(\.text).joined() + value
      return text.utf8.count < 120 && Self.consentWords.isAny(in: text.lowercased())
    }
    guard var box = button else { return nil }
    while box > part, Self.consentWords.count(in: text(of: box).lowercased(), upTo: 3) < 3 {
      box = page.nodes[box].parent
    }
    return max(box, part)
  }

  private static let consentWords = WordSearch([
    "cookie", "consent", "privacy", "your data", "partners", "accept all", "advertising",
    "zustimm", "datenschutz", "akzeptieren", "einwilligung", "werbung", "consentement",
    "confidentialité", "accepter", "données", "consentimiento", "privacidad", "aceptar",
    "toestemming", "accepteren", "consenso", "accetta", "プライバシー", "同意", "隐私",
  ])
}
