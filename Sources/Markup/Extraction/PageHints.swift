internal import Text

/// Hints in names, roles, classes and ids of elements about whether they belong to the article of a page.
enum PageHints {
  /// Meanings of the class and the id of an element.
  struct Words: OptionSet {
    let rawValue: UInt16

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
    /// Who has made a picture.
    static let credit = Words(rawValue: 256)
    /// A lead above an article.
    static let lead = Words(rawValue: 512)
    /// A remark about the article, or a post of a conversation.
    static let comment = Words(rawValue: 1024)
    /// An article, or the text of a post, by the vocabulary of schema.org.
    static let item = Words(rawValue: 2048)
    /// The numbers of lines of code.
    static let gutter = Words(rawValue: 4096)
    /// A part of a conversation, or all of one.
    static let discussion = Words(rawValue: 8192)
  }

  /// In bytes of a class or an id; what is longer was made by a program.
  private static let longest = 512

  /// The meanings of an element, remembered by the value of the attribute.
  static func words(of node: HTMLPage.Node, known: inout [String: Words]) -> Words {
    var words: Words = []
    for (name, value) in node.attributes {
      switch name {
      case "class", "id":
        if let found = known[value] {
          words.formUnion(found)
        } else {
          let found = Self.words(in: value)
          known[value] = found
          words.formUnion(found)
        }
      // Names that a site gives to its parts for its own tests and counts, where classes are made by a program.
      case "data-component", "data-testid", "data-test-id", "data-qa", "data-module",
        "data-gu-name", "data-block-type":
        words.formUnion(Self.words(in: value).intersection([.negative, .byline, .credit, .lead]))
      case "itemprop":
        let lower = value.lowercased()
        if lower.contains("articlebody") { words.insert(.body) }
        switch lower {
        case "author": words.insert(.byline)
        case "review", "aggregaterating", "interactionstatistic":
          words.formUnion([.negative, .strong])
        default: break
        }
      case "itemtype":
        let type = value.split(separator: "/").last ?? ""
        if types.contains(String(type)) { words.insert(.item) }
      case "rel": if value.lowercased() == "author" { words.insert(.byline) }
      case "role": if value == "doc-endnotes" { words.insert(.notes) }
      default: break
      }
    }
    return words
  }

  /// LaTeXML's name of the number of a section, an item or an equation, which is no label.
  private static let numbers = WordSearch(["ltx_tag"])

  private static func words(in value: String) -> Words {
    guard !value.isEmpty, value.utf8.count <= longest else { return [] }
    if numbers.isAny(in: value) {
      return Self.words(
        in: value.split(separator: " ").filter { !numbers.isAny(in: String($0)) }
          .joined(separator: " "))
    }
    var words: Words = []
    var joined: [UInt8] = []
    var part: [UInt8] = []
    joined.reserveCapacity(value.utf8.count)
    var wasLower = false
    func end() {
      guard !part.isEmpty else { return }
      if let meaning = meanings[String(decoding: part, as: UTF8.self)] {
        words.formUnion(meaning)
      }
      part.removeAll(keepingCapacity: true)
    }
    // The words of `mainContent side-bar`: main, content, side, bar; and without what joins them: maincontent sidebar.
    for byte in value.utf8 {
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if isUpper, wasLower { end() }
      wasLower = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      if isUpper || wasLower {
        part.append(byte.asciiLowercased)
        joined.append(byte.asciiLowercased)
      } else {
        end()
        if byte.isASCIISpace { joined.append(0x20) }
      }
    }
    end()
    words.formUnion(inner.meaning(of: joined))
    if words.contains(.body) { words.insert(.positive) }
    return words
  }

  /// Whether a class is that of a bar at a remark: who has written it, and what can be done with it.
  static func isAroundRemark(_ name: String) -> Bool {
    ["header", "meta", "form", "count", "author", "reply", "add", "new", "action", "tool"]
      .contains { part in name.contains("comment" + part) || name.contains("comment-" + part) }
  }

  /// Words that count wherever they are in a name, without hyphens and underscores.
  private static let inner = HintWords([
    (
      [
        "articlebody", "articlecontent", "articletext", "entrycontent", "postcontent", "postbody",
        "storybody", "storycontent", "bodycontent", "contentbody", "blogcontent",
        "markdownbody", "mwparseroutput", "recipebody", "posttext", "newstext", "textcontent",
        "postmessage", "messagebody", "messagecontent", "entrytext", "postentry",
      ], .body
    ),
    (
      [
        "related", "recommend", "sponsor", "consent", "gdpr", "subscri", "popup", "modal",
        "overlay", "lightbox", "pagination", "masthead", "navbar", "navigation", "social",
        "sharedaddy", "signup", "toolbar", "widget", "screenreader", "addthis", "popular",
        "readmore", "readnext", "morefrom", "nextarticle", "aboutthe", "navbox", "catlinks",
        "printonly", "teaser", "regwall", "donat", "contributorbio", "skiplink", "jumplink",
        "feedback", "printfooter", "crosslink", "profile", "userinfo", "upsell", "yarpp", "onward",
        "signoff", "taglist", "topiclist", "linksblock", "mostviewed", "seealso", "furtherreading",
        "alsolike", "keepreading", "inlinead", "adslot", "adcontainer", "actionbar", "audioplayer",
      ], .negative
    ),
    (
      [
        "disqus", "relatedp", "relateda", "relatedc", "relatedn", "relateds",
        "recommended", "sidebar", "newsletter", "breadcrumb", "outbrain", "taboola", "sharing",
        "sharebar", "sharebutton", "sharetools", "socialshare", "sociallinks", "cookie", "advert",
        "authorbio", "aboutauthor", "mostread", "trending", "authorbox", "authorcard",
        // A part that is not printed is none of the article.
        "hideprint", "noprint", "printhide", "printnone", "hideonprint",
        "articlefooter", "entryfooter", "postfooter", "contentfooter", "storyfooter",
        // Words for those who cannot see the page.
        "sronly", "visuallyhidden", "screenreadertext", "editsection",
      ], [.negative, .strong]
    ),
    (["comment"], [.negative, .strong, .comment]),
    (["discussion"], .discussion),
    (
      [
        "paywall", "regwall", "subscriberonly", "subscribersonly", "premiumcontent",
        "meteredcontent", "articlelocked", "lockedcontent", "subscriptionrequired", "barrierpage",
        "piano",
      ], .paywall
    ),
    (
      [
        "cookieconsent", "consentwall", "cookiewall", "privacywall", "onetrust", "didomi",
        "sppmessage", "cmpbox", "gdprwall", "consentpage", "consentform",
      ], .consent
    ),
    // No text, and a part of the article all the same.
    (["infobox"], .notes),
    (["lineno", "gutter", "linenumbers"], .gutter),
    (["photocredit", "imagecredit", "picturecredit", "captioncredit"], .credit),
    (
      [
        "standfirst", "articlelead", "articlesummary", "articleintro", "subhead", "lede",
      ], .lead
    ),
  ])

  /// Words that count where they are a part of a name by themselves.
  private static let meanings: [String: Words] = {
    var meanings: [String: Words] = [:]
    let lists: [([String], Words)] = [
      (
        [
          "article", "articles", "body", "content", "contents", "entry", "hentry", "main", "page",
          "post", "text", "blog", "story", "column", "chapter", "section", "prose", "recipe",
          "answer", "question", "lead", "intro", "figure", "caption", "paragraph", "message",
        ], .positive
      ),
      (
        [
          "ad", "ads", "adslot", "adbox", "nav", "menu", "share", "shares", "tags", "tag", "footer",
          "tools", "rail", "aside", "search", "skip", "promo", "promotion", "banner", "noprint",
          "toc", "vote", "votes", "tooltip", "login", "signin", "register", "reply", "replies",
          "rss", "pager", "hidden", "button", "buttons", "btn", "follow", "carousel", "avatar",
          "profile", "rating", "ratings", "metadata", "copyright", "legal", "trackback",
          "pingback", "shoutbox", "combx", "btns", "bio", "signature", "sig", "reviews", "metrics",
          "actions", "controls", "vjs", "likes", "reactions", "kudos", "postprofile", "badge",
          "recirc",
        ], .negative
      ),
      (
        [
          "footnotes", "footnote", "references", "reflist", "endnotes", "bibliography", "citations",
          "notes",
        ], .notes
      ),
      (["byline", "author", "authors", "dateline", "creator"], .byline),
      (["credit", "credits", "photographer", "copyright", "attribution"], .credit),
      (
        ["standfirst", "dek", "deck", "lead", "lede", "subtitle", "summary", "abstract", "intro"],
        .lead
      ),
    ]
    for (words, meaning) in lists {
      for word in words { meanings[word, default: []].formUnion(meaning) }
    }
    return meanings
  }()

  private static let types: Set = [
    "Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Recipe", "Report",
    "ReportageNewsArticle", "OpinionNewsArticle", "ReviewNewsArticle", "MedicalScholarlyArticle",
  ]
  /// Kinds of pages where people answer each other.
  static let conversations: Set = [
    "DiscussionForumPosting", "QAPage", "Question", "SocialMediaPosting",
  ]

  // MARK: Names and roles

  static let dropped: Set = [
    "input", "select", "textarea", "link", "meta", "base",
    "head", "title", "applet", "datalist", "progress", "meter", "option",
    "map", "area", "param", "style", "script",
  ]
  /// Elements and roles that stand around articles.
  static let aroundNames: Set = ["nav", "dialog", "button"]
  static let aroundRoles: Set = [
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
    default:
      return name.utf8.contains(UInt8(ascii: "-")) && name != PageNormalizer.noscriptCopy
    }
  }

  private static let hiding = WordSearch(["none", "hidden"])

  static func isHidden(_ node: HTMLPage.Node) -> Bool {
    for (name, value) in node.attributes {
      switch name {
      case "hidden": if value.lowercased() != "until-found" { return true }
      // Slides of a gallery that are to come are as good as the first.
      case "aria-hidden": if value.lowercased() == "true", node.name != "figure" { return true }
      case "style":
        guard hiding.isAny(in: value) else { continue }
        let style = value.lowercased().filter { !$0.isWhitespace }
        if style.contains("display:none") || style.contains("visibility:hidden") { return true }
      default: break
      }
    }
    return false
  }
}
