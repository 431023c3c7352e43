internal import Text

/// Elements between the paragraphs of an article that are none of it.
struct ArticleClutter {
  private let page: MeasuredPage
  private let dates: ArticleDates
  private let credits: PictureCredits
  private let labels: ArticleLabels
  private let appendices: Appendices
  private let links: LinkBoxes
  private let offers: OfferBoxes
  private let imprints: Imprints
  private let threadLines: ThreadLines
  private let linkedPlaces: Set<String>

  /// - Parameter linkedPlaces: the ids of the places that links of the page lead to.
  init(_ page: MeasuredPage, isThread: Bool, linkedPlaces: Set<String>) {
    self.page = page
    self.linkedPlaces = linkedPlaces
    dates = ArticleDates(page: page)
    credits = PictureCredits(page: page)
    labels = ArticleLabels(page: page)
    appendices = Appendices(page: page)
    links = LinkBoxes(page: page)
    offers = OfferBoxes(page: page)
    imprints = Imprints(page)
    threadLines = ThreadLines(page, isThread: isThread)
  }

  /// Whether one of the parts that make the article is left out as a whole.
  ///
  /// - Parameter isOneOfSeveral: whether others have text of the article as well.
  func containsPart(
    _ part: ArticleElement, _ context: ArticleContext, isOneOfSeveral: Bool
  ) -> Bool {
    (context.isThread || isOneOfSeveral) && imprints.contains(part, context)
      || links.isCards(part, context)
  }

  func isNamedHeading(_ index: Int) -> Bool { appendices.isNamedHeading(index) }

  /// Whether an element within a part is left out, with all that is in it.
  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    if element.name == "article", isRemark(element.index, context) { return true }
    if isGutter(element) || dates.contains(element, context) || credits.contains(element, context)
      || labels.contains(element, context) || links.isKicker(element, context)
      || threadLines.contains(element) || imprints.contains(element, context)
      || isCodeBar(element)
    {
      return true
    }
    switch element.name {
    case "p": return links.isContents(element, context)
    case "a": return isLink(element)
    case "td" where context.tables.last?.isLayout == true:
      return page.mass(element.index) == 0 && page.linkShare(element.index) > 0.7
    case let name
    where Self.boxes.contains(name) || name.contains("-") && name != PageNormalizer.noscriptCopy:
      return isBox(element, context)
    default:
      return page.nodes[element.index].isHeading && element.words.contains(.negative)
        && (element.words.contains(.strong) || appendices.isHeading(element.index))
    }
  }

  private static let boxes: Set = [
    "div", "section", "ul", "ol", "dl", "table", "aside", "form", "header", "footer", "fieldset",
    "figure", "details", "center",
  ]

  /// Whether an article stands in another one (HTML §4.3.2: a comment on that, as a rule) behind its text.
  private func isRemark(_ index: Int, _ context: ArticleContext) -> Bool {
    guard !context.isThread, !context.isLenient, context.isWellInside else { return false }
    var holder = page.nodes[index].parent
    while holder > 0, page.nodes[holder].name != "article" { holder = page.nodes[holder].parent }
    guard holder > 0 else { return false }
    var inner: Float = 0
    var next = holder + 1
    while next < page.nodes[holder].end {
      if page.nodes[next].name == "article" {
        inner += page.mass(next)
        next = page.nodes[next].end
      } else {
        next += 1
      }
    }
    return inner * 2 < page.mass(holder)
  }

  /// The numbers of lines of code.
  private func isGutter(_ element: ArticleElement) -> Bool {
    element.words.contains(.gutter) && page.mass(element.index) == 0
  }

  /// Whether an element is a button in all but name above code: its language, or "copy".
  private func isCodeBar(_ element: ArticleElement) -> Bool {
    guard element.text > 0, element.text < 30, element.name == "div",
      page.count(.button, element.index) > 0, page.count(.code, element.index) == 0
    else { return false }
    let next = page.nodes[page.nodes[element.index].end...].prefix(3).first { !$0.name.isEmpty }
    return next?.name == "pre"
  }

  private func isLink(_ element: ArticleElement) -> Bool {
    // Signs beside headings that lead to these, and buttons.
    links.isPlaceMark(element) || links.isTopLink(element) || links.isSourceLink(element)
      || element.text < 40 && element.words.contains(.negative)
        && element.words.isDisjoint(with: [.positive, .notes])
        && !page.isWithinSentence(element.index)
  }

  // MARK: Boxes

  private func isBox(_ box: ArticleElement, _ context: ArticleContext) -> Bool {
    let (index, words) = (box.index, box.words)
    let hasCode = page.count(.code, index) > 0
    if box.text == 0 { return box.pictures == 0 && !hasCode }
    if words.contains(.notes) { return false }
    if !context.isLenient, appendices.contains(box, context) { return true }
    if hasCode { return false }
    let share = page.linkShare(index)
    let mass = page.mass(index)
    if context.isLenient { return share > 0.8 && mass == 0 && box.text > 40 }
    if links.isContents(box, context) || offers.contains(box, context) { return true }
    // Remarks of a page before the text.
    if box.name == "details", context.isInHeader, context.isAtBeginning { return true }
    if words.isDisjoint(with: [.negative, .comment]), mass > 0 || share > 0,
      isOfNamedHeading(index, context)
    {
      return false
    }
    if links.isCards(box, context) { return true }
    switch box.name {
    case "ul", "ol":
      let items = page.count(.item, index)
      return items > 2 && share > 0.6 && box.text / items < 60
        || words.contains(.negative) && share > 0.3
    case "aside": return isAside(box)
    case "header":
      return mass == 0 && box.pictures == 0 && page.count(.subheading, index) == 0
    case "footer": return mass == 0 && box.pictures == 0
    case "figure": return false
    case "form", "fieldset": return mass < 3
    case "table":
      return share > 0.7 && page.count(.item, index) == 0 && box.text / (box.pictures + 1) < 400
    default: return isPlainBox(box, context)
    }
  }

  /// Whether a box begins with the heading of a place of the article, or comes next to one.
  private func isOfNamedHeading(_ index: Int, _ context: ArticleContext) -> Bool {
    let wrappers: Set = ["div", "section", "header", "span", "a"]
    if let heading = page.firstHeading(of: index, within: wrappers) {
      return appendices.isNamedHeading(heading)
    }
    guard let heading = context.namedHeading, page.nodes[heading].end <= index else { return false }
    return page.texts[index] - page.texts[page.nodes[heading].end] < 8
  }

  private func isAside(_ box: ArticleElement) -> Bool {
    let (index, mass, share) = (box.index, page.mass(box.index), page.linkShare(box.index))
    // A quotation in a conversation.
    let isQuotation =
      share == 0
      && page.range(of: index).dropFirst().prefix(MeasuredPage.mostOfLine)
        .contains { page.nodes[$0].name == "blockquote" }
    if isQuotation || page.nodes[index]["id"].map(linkedPlaces.contains) == true { return false }
    let asks = page.count(.input, index) > 0
    // Facts or ingredients: other articles would be links.
    if page.hasFacts(index), !asks, page.count(.button, index) == 0 { return false }
    return mass < 3 || share > 0.3 || mass < 10 && (asks || labels.startsList(index))
  }

  private func isPlainBox(_ box: ArticleElement, _ context: ArticleContext) -> Bool {
    let (index, mass, share) = (box.index, page.mass(box.index), page.linkShare(box.index))
    let asks = page.count(.input, index) > 0
    let asksForMail = page.count(.mail, index) > 0
    if box.words.contains(.negative), !box.words.contains(.body), mass < 3 || share > 0.3 {
      return true
    }
    if box.text < 200, mass < 2, page.count(.button, index) > 0, context.isAtBeginning,
      page.count(.subheading, index) == 0
    {
      return true
    }
    if asks, box.text < 200, mass < 2 || asksForMail { return true }
    if asksForMail, mass < 10 { return true }
    if share > 0.5, box.text >= 25 || box.pictures == 0 { return mass < 3 || share > 0.7 }
    if share > 0.25 || asks, mass < 4, labels.startsList(index) { return true }
    return share > 0.5 && box.pictures > 1
  }
}
