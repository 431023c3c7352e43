internal import Text

/// Boxes of an article that ask for something: to subscribe, to share.
struct OfferBoxes {
  let page: MeasuredPage

  /// - Parameter box: without code, formulas and media.
  func contains(_ box: ArticleElement, _ context: ArticleContext) -> Bool {
    isBarrier(box) || isSharing(box) || context.tables.isEmpty && isOffer(box)
  }

  /// Whether a box asks those who read on to subscribe. An article itself may stand in a box with such a name.
  private func isBarrier(_ box: ArticleElement) -> Bool {
    box.words.contains(.paywall) && box.text < 600
      && PageWall.begs(page.words(of: box.index, upTo: 2_400))
  }

  /// Whether a box has the names of networks on which the article can be shared.
  private func isSharing(_ box: ArticleElement) -> Bool {
    guard box.text > 5, box.text < 160, box.pictures == 0,
      ["ul", "ol", "div", "section"].contains(box.name), page.isSmall(box.index, 80)
    else { return false }
    let texts = page.nodes[page.range(of: box.index)].map(\.text).joined(separator: " ")
      .lowercased()
    guard !texts.contains(".") else { return false }
    let words = texts.split { !$0.isLetter }.map(String.init)
    let count = Set(words).intersection(Self.networks).count
    guard count >= 2, box.text < 45 * count else { return false }
    return page.linkShare(box.index) > 0.3 || page.count(.button, box.index) > 0
      || words.first.map(Self.sharing.contains) == true
  }

  private static let sharing: Set = [
    "share", "follow", "teilen", "folgen", "partager", "partagez", "suivez", "compartir",
    "comparte", "condividi", "поделиться",
  ]

  private static let networks: Set = [
    "facebook", "twitter", "whatsapp", "linkedin", "pinterest", "reddit", "telegram", "tumblr",
    "flipboard", "bluesky", "mastodon", "messenger", "xing", "vk",
  ]

  /// Whether a short box ends with a link that is a button: to subscribe, to join, to try.
  private func isOffer(_ box: ArticleElement) -> Bool {
    guard box.text > 5, box.text < 350,
      ["div", "section", "aside", "figure"].contains(box.name), page.isSmall(box.index, 60),
      page.mass(box.index) < 12,
      let link = page.range(of: box.index).last(where: { page.nodes[$0].name == "a" })
    else { return false }
    let text = page.text(link)
    let block = page.block(around: link)
    guard text > 2, text < 40, page.nodes[block].name != "li", page.ownTexts[block] == Int32(text),
      page.texts[page.nodes[box.index].end] - page.texts[page.nodes[link].end] < 40
    else { return false }
    let words = page.words(of: link, upTo: 160)
    return Self.offers.contains(where: words.begins) || Self.stems.contains(where: words.hasPrefix)
      || Self.leadsToOffer(page.nodes[link]["href"]?.lowercased() ?? "")
  }

  /// Whether an address ends with the name of what is offered: `/plus/subscribe?from=x`.
  private static func leadsToOffer(_ target: String) -> Bool {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last ?? ""
    return targets.contains(String(last.prefix { $0 != "." }))
  }

  private static let offers = [
    "subscribe", "sign up", "join ", "start your", "start a free", "start free", "become a",
    "donate", "get started", "try it free", "try for free", "book a demo", "request a demo",
    "create account", "abonnez", "s’abonner", "s'abonner", "abonnieren", "jetzt abonnieren",
    "abbonati", "assine", "s’inscrire", "s'inscrire", "подписаться",
  ]
  private static let stems = ["suscríb", "suscrib"]
  private static let targets: Set = [
    "signup", "sign-up", "subscribe", "subscription", "subscriptions", "free-trial", "newsletter",
    "newsletters", "newsletter-signup", "donate", "membership", "register",
  ]
}
