internal import Text

/// What names, roles, classes and ids of elements tell about whether they belong to the article of a page.
enum PageHints {
  /// What the class and the id of an element say.
  struct Words: OptionSet {
    let rawValue: UInt8

    /// It belongs to an article more likely than not.
    static let positive = Words(rawValue: 1)
    /// It stands around articles: bars, advertising, lists of other articles, comments.
    static let negative = Words(rawValue: 2)
    /// The body of an article by a name that is used for nothing else.
    static let body = Words(rawValue: 4)
    static let notes = Words(rawValue: 8)
    static let byline = Words(rawValue: 16)
    /// A notice of a page that shows an article to its subscribers only.
    static let paywall = Words(rawValue: 32)
    static let consent = Words(rawValue: 64)
    /// Negative whatever else is said: `post-comments`.
    static let strong = Words(rawValue: 128)
  }

  /// In characters of a class or an id; what is longer was made by a program.
  private static let longest = 512

  static func words(of node: HTMLPage.Node) -> Words {
    var words: Words = []
    for (name, value) in node.attributes {
      switch name {
      case "class", "id": words.formUnion(Self.words(in: value))
      case "itemprop":
        if value.lowercased().contains("articlebody") { words.insert(.body) }
        if value.lowercased() == "author" { words.insert(.byline) }
      case "rel": if value.lowercased() == "author" { words.insert(.byline) }
      default: break
      }
    }
    return words
  }

  private static func words(in value: String) -> Words {
    guard !value.isEmpty, value.utf8.count <= longest else { return [] }
    var words: Words = []
    let lower = value.lowercased()
    let joined = lower.filter { $0.isLetter || $0 == " " }
    for part in bodies where joined.contains(part) { words.insert(.body) }
    for part in negativeParts where joined.contains(part) { words.insert(.negative) }
    for part in strongParts where joined.contains(part) { words.formUnion([.negative, .strong]) }
    for part in paywalls where joined.contains(part) { words.insert(.paywall) }
    for part in consents where joined.contains(part) { words.insert(.consent) }
    for word in Self.parts(of: value) {
      if positive.contains(word) { words.insert(.positive) }
      if negative.contains(word) { words.insert(.negative) }
      if notes.contains(word) { words.insert(.notes) }
      if bylines.contains(word) { words.insert(.byline) }
    }
    if words.contains(.body) { words.insert(.positive) }
    return words
  }

  /// The words of `mainContent side-bar`: main, content, side, bar.
  private static func parts(of value: String) -> Set<String> {
    var parts: Set<String> = []
    var part = ""
    var wasLower = false
    for character in value {
      if character.isUppercase, wasLower {
        parts.insert(part)
        part = ""
      }
      wasLower = character.isLowercase
      if character.isLetter {
        part += character.lowercased()
      } else if !part.isEmpty {
        parts.insert(part)
        part = ""
      }
    }
    if !part.isEmpty { parts.insert(part) }
    return parts
  }

  // Without hyphens and underscores, as `joined` is.
  private static let bodies = [
    "articlebody", "articlecontent", "articletext", "entrycontent", "postcontent", "postbody",
    "storybody", "storycontent", "bodycontent", "contentbody", "blogcontent", "articlemain",
    "markdownbody", "mwparseroutput", "recipebody", "posttext", "newstext", "textcontent",
  ]
  private static let positive: Set = [
    "article", "articles", "body", "content", "contents", "entry", "hentry", "main", "page",
    "post", "text", "blog", "story", "column", "chapter", "section", "prose", "recipe", "answer",
    "question", "lead", "intro", "figure", "caption", "paragraph", "message",
  ]
  private static let negativeParts = [
    "sidebar", "comment", "disqus", "breadcrumb", "newsletter", "related", "recommend", "sponsor",
    "advert", "cookie", "consent", "gdpr", "subscri", "popup", "modal", "overlay", "lightbox",
    "pagination", "masthead", "navbar", "navigation", "outbrain", "taboola", "social", "sharing",
    "sharedaddy", "sharebar", "sharetools", "signup", "toolbar", "widget", "visuallyhidden",
    "screenreader", "addthis", "trending", "mostread", "popular", "readmore", "readnext",
    "morefrom", "nextarticle", "authorbio", "aboutauthor", "aboutthe", "editsection", "navbox",
    "catlinks", "printonly", "teaser", "paywall", "regwall", "donat", "skiplink", "jumplink",
    "feedback", "printfooter", "crosslink", "profile", "userinfo", "upsell", "yarpp", "onward",
  ]
  private static let strongParts = [
    "comment", "disqus", "relatedp", "relateda", "relatedc", "relatedn", "relateds", "recommended",
    "sidebar", "newsletter", "breadcrumb", "outbrain", "taboola", "sharing", "sharebar",
    "sharebutton", "sharetools", "socialshare", "sociallinks", "cookie", "advert", "authorbio",
    "aboutauthor", "mostread", "trending",
  ]
  private static let negative: Set = [
    "ad", "ads", "adslot", "adbox", "nav", "menu", "share", "shares", "tags", "tag", "footer",
    "tools", "rail", "aside", "search", "skip", "promo", "promotion", "banner", "noprint", "toc",
    "vote", "votes", "tooltip", "login", "signin", "register", "reply", "replies", "rss", "pager",
    "hidden", "button", "buttons", "btn", "follow", "carousel", "avatar", "profile", "ratings",
    "metadata", "copyright", "legal", "trackback", "pingback", "shoutbox", "combx",
  ]
  private static let notes: Set = [
    "footnotes", "footnote", "references", "reflist", "endnotes", "bibliography", "citations",
    "notes",
  ]
  private static let bylines: Set = ["byline", "author", "authors", "dateline", "creator"]
  private static let paywalls = [
    "paywall", "regwall", "subscriberonly", "subscribersonly", "premiumcontent", "meteredcontent",
    "articlelocked", "lockedcontent", "subscriptionrequired", "barrierpage", "piano",
  ]
  private static let consents = [
    "cookieconsent", "consentwall", "cookiewall", "privacywall", "onetrust", "didomi",
    "sppmessage", "cmpbox", "gdprwall", "consentpage", "consentform",
  ]

  // MARK: Names and roles

  /// Elements that are no part of any article.
  static let dropped: Set = [
    "nav", "button", "input", "select", "textarea", "dialog", "canvas", "link", "meta", "base",
    "head", "title", "object", "embed", "applet", "datalist", "progress", "meter", "option",
    "map", "area", "param", "style", "script", "template",
  ]
  static let droppedRoles: Set = [
    "navigation", "menu", "menubar", "menuitem", "banner", "complementary", "dialog",
    "alertdialog", "alert", "search", "contentinfo", "toolbar", "tablist", "button", "switch",
  ]
  /// Elements whose class decides nothing about what is in them.
  static let exempt: Set = [
    "html", "body", "article", "main", "a", "em", "strong", "b", "i", "code", "pre", "table",
    "tbody", "thead", "tr", "td", "th", "math", "img", "picture", "source", "sup", "sub", "br",
    PageNormalizer.noscriptCopy,
  ]

  static func isBlock(_ name: String) -> Bool {
    if HTMLTag(name: name.utf8)?.isBlock == true { return true }
    switch name {
    case "html", "body", "td", "th", "tr", "tbody", "thead", "tfoot", "caption": return true
    // Elements of a page's own are boxes, as a rule.
    default: return name.contains("-") && name != PageNormalizer.noscriptCopy
    }
  }

  /// Whether an element is not shown.
  static func isHidden(_ node: HTMLPage.Node) -> Bool {
    for (name, value) in node.attributes {
      switch name {
      case "hidden": if value.lowercased() != "until-found" { return true }
      case "aria-hidden": if value.lowercased() == "true" { return true }
      case "style":
        let style = value.lowercased().filter { !$0.isWhitespace }
        if style.contains("display:none") || style.contains("visibility:hidden") { return true }
      default: break
      }
    }
    return false
  }
}
