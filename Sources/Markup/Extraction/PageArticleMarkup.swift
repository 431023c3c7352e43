// The front door of the extraction: `HTMLPage.article(rules:…)` finds what a page is about.

internal import Text

/// The article of a page, as HTML that `Markup.document(html:)` reads.
package struct PageArticleMarkup: Sendable {
  /// Absolute addresses only; empty for nothing.
  package var html: String
  package var head: PageHead
  /// Letters of its text.
  package var letters: Int
  /// Reason why it is not the whole article.
  package var obstacle: PageObstacle?
  package var nextPage: String?
  /// The address that the page sends its readers to at once.
  package var refresh: String?
}

/// Elements to keep and to leave out on the pages of one site, instead of those that the extraction would choose.
package struct PageArticleRules: Hashable, Sendable {
  /// The elements that are the article; what else the page has is left out.
  package var keep: [Selector]
  package var drop: [Selector]
  package var next: Selector?

  package init(keep: [Selector] = [], drop: [Selector] = [], next: Selector? = nil) {
    self.keep = keep
    self.drop = drop
    self.next = next
  }
}

extension HTMLPage {
  /// Finds the article of this page, which was made with `init(forExtraction:)`. Never fails; the work is linear in
  /// the page.
  ///
  /// Leaves out first all that looks as if it stood around articles. Where too little remains, less is left out.
  ///
  /// - Parameters:
  ///   - url: of the page; nil for none, whose relative addresses are lost.
  ///   - number: of this page among those of its article, from 1.
  ///   - rules: of the user's own for the site.
  ///   - isForSubscribers: whether the page says so elsewhere.
  /// - Throws: where a selector of the rules compares too much.
  package func article(
    url: String?, number: Int = 1, rules: PageArticleRules? = nil,
    isForSubscribers: Bool = false
  ) throws(TooMuchWork) -> PageArticleMarkup {
    let head = PageHead(nodes)
    let base = base.flatMap { WebAddress.resolve($0, against: url) } ?? url
    let filter = AddressFilter { WebAddress.resolve($0, against: base) }
    var dropped: Set<Int> = []
    var kept: [Int] = []
    if let rules {
      for selector in rules.drop {
        dropped.formUnion(try elements(matching: selector).map(\.index))
      }
      for selector in rules.keep {
        kept = outermost(try elements(matching: selector).map(\.index))
        if !kept.isEmpty { break }
      }
    }
    let strict = MeasuredPage(nodes, care: .strict, dropping: dropped)
    var best:
      (html: String, letters: Int, length: Int, byline: String?, parts: [Int], lastText: Int)?
    attempts: for care in MeasuredPage.Care.allCases {
      let page = care == .strict ? strict : MeasuredPage(nodes, care: care, dropping: dropped)
      let choice =
        kept.isEmpty
        ? ArticleChoice(page).chosen()
        : ArticleChoice.Chosen(parts: kept.filter { !page.isDropped[$0] })
      let parts = choice.parts
      let leads = kept.isEmpty ? ArticleLead(page, head).parts(above: parts) : []
      for isLenient in [false, true] {
        var cleaning = ArticleCleaning(
          page, head, isLenient: isLenient || !kept.isEmpty,
          isThread: choice.arePosts || page.isThread, address: filter.address)
        for part in leads + parts { cleaning.write(part, isOneOfSeveral: parts.count > 2) }
        var writer = cleaning.writer
        let html = writer.finish()
        let isBetter = writer.letters > (best?.letters ?? -1) * 3 / 2
        if isBetter {
          best = (
            html, writer.letters, writer.length, cleaning.byline, leads + parts, cleaning.lastText
          )
        }
        if writer.letters >= Self.enough || !kept.isEmpty && writer.letters > 0 { break attempts }
      }
    }
    var article = PageArticleMarkup(
      html: best?.html ?? "", head: head, letters: best?.length ?? 0)
    if article.head.byline == nil { article.head.byline = best?.byline }
    article.obstacle = PageWall(strict).obstacle(
      letters: best?.letters ?? 0, text: { PlainText.stripped(html: article.html) },
      parts: best?.parts ?? [], lastText: best?.lastText ?? -1,
      isForSubscribers: isForSubscribers || head.isForSubscribers)
    let isShort = article.letters < PageWall.leastArticle && shownLetters < Self.longestRefresh
    article.refresh = (refresh ?? (isShort ? scriptedRefresh : nil)).flatMap(filter.address)
    // The user has said what it is.
    if !kept.isEmpty, article.letters > 0 { article.obstacle = nil }
    article.nextPage = try nextPage(url: url, number: number, rules: rules, filter: filter)
    return article
  }

  /// A page with more text than this does not only lead to another, in bytes.
  private static let longestRefresh = 1_000

  private var shownLetters: Int {
    nodes.reduce(0) {
      $0 + ($1.parent >= 0 && nodes[$1.parent].name == "title" ? 0 : $1.text.utf8.count)
    }
  }

  /// Letters with which a first attempt is good enough.
  private static let enough = 500

  private func outermost(_ found: [Int]) -> [Int] {
    var outer: [Int] = []
    for index in found where outer.last.map({ nodes[$0].end <= index }) ?? true {
      outer.append(index)
    }
    return outer
  }

  private func nextPage(
    url: String?, number: Int, rules: PageArticleRules?, filter: AddressFilter
  ) throws(TooMuchWork) -> String? {
    guard let url else { return nil }
    if let next = rules?.next {
      guard let link = try elements(matching: next, limit: 1).first,
        let address = attribute("href", of: link).flatMap(filter.address),
        WebAddress.origin(of: address) == WebAddress.origin(of: url)
      else { return nil }
      return address
    }
    return NextPage.address(in: nodes, of: url, number: number, resolve: filter.address)
  }
}
