internal import Text

struct ArticleChoice {
  private let page: MeasuredPage

  /// Levels of ancestors that the text of a block counts for.
  private static let levels = 5
  /// The least text of an article's body that is known by its name, in letters.
  private static let leastNamed = 200

  init(_ page: MeasuredPage) { self.page = page }

  struct Chosen {
    /// In the order of the page, none of them within another; empty for none.
    var parts: [Int] = []
    /// Whether they are posts, each for itself, and not pieces of one text.
    var arePosts = false
  }

  func chosen() -> Chosen {
    let body = page.nodes.firstIndex { $0.name == "body" } ?? 0
    let total = page.mass(body)
    guard total > 0 else { return Chosen() }
    if var named = named(in: body, total: total) {
      if !named.arePosts { named.parts = complemented(named.parts) }
      return named
    }
    if page.isConversation, let remarks = remarks(in: body) {
      return Chosen(parts: remarks, arePosts: true)
    }
    let root = main(total: total) ?? body
    guard let top = top(in: root) else { return Chosen() }
    return Chosen(parts: joined(widened(top, in: root), in: root))
  }

  // MARK: By name

  /// Elements whose names say that they are the article, where they hold most of the text.
  private func named(in body: Int, total: Float) -> Chosen? {
    if let posts = posts(total: total) { return Chosen(parts: posts, arePosts: true) }
    for isNamed in [
      { (index: Int) in page.words[index].contains(.body) && isHolder(index) },
      { (index: Int) in page.words[index].contains(.item) },
      { (index: Int) in page.nodes[index].name == "article" },
    ] {
      let found = outermost(isNamed)
      guard let largest = found.max(by: { mass($0) < mass($1) }),
        page.text(largest) >= Self.leastNamed
      else { continue }
      let others = found.filter { $0 != largest && mass($0) >= 0.2 * mass(largest) }
      if others.isEmpty {
        if mass(largest) >= 0.45 * total { return Chosen(parts: [largest]) }
        continue
      }
      // A page of several posts, or an article in several pieces.
      let heavy = found.filter { $0 == largest || mass($0) >= 0.2 * mass(largest) }
      let own = shape(largest)
      // Some posts are short.
      let parts =
        heavy.count > 2 ? outermost { isNamed($0) && shape($0) == own } : heavy
      let areAlike = parts.count > 2 && parts.allSatisfy { shape($0) == own }
      let isOne =
        areAlike || parts.allSatisfy { page.nodes[$0].parent == page.nodes[largest].parent }
      if isOne, parts.reduce(0, { $0 + mass($1) }) >= 0.6 * total, parts.count <= 400 {
        return Chosen(parts: parts, arePosts: areAlike && areSigned(parts))
      }
    }
    return nil
  }

  /// Whether most parts but the first have a name or a time of their own: an article that is cut into bodies of one class
  /// has those of its beginning alone.
  private func areSigned(_ parts: [Int]) -> Bool {
    var signed = 0
    for (before, part) in zip(parts, parts.dropFirst()) {
      // A byline or time between the text before and the end of this one, in the box that holds it.
      let isOwn = (page.nodes[before].end..<page.nodes[part].end).contains { index in
        page.words[index].contains(.byline) || page.nodes[index].name == "time"
          || page.nodes[index]["rel"] == "author"
      }
      if isOwn { signed += 1 }
    }
    return signed * 2 >= parts.count - 1
  }

  /// Whether an element may hold more than a paragraph: some sites give each of these the name of a body.
  private func isHolder(_ index: Int) -> Bool {
    let name = page.nodes[index].name
    return !["p", "li", "span", "a", "blockquote", "figure", "figcaption", "img"].contains(name)
      && !page.nodes[index].isHeading
  }

  /// The name of an element, without the number that tells it from others of its kind.
  private func shape(_ index: Int) -> String {
    page.nodes[index].name + " " + (name(of: index) ?? "").filter { !$0.isNumber }
  }

  /// The class of an element, or its id; nil for neither.
  private func name(of index: Int) -> String? {
    page.nodes[index]["class"] ?? page.nodes[index]["id"]
  }

  /// The texts of posts on a page of people who answer each other, where it says so by microdata.
  private func posts(total: Float) -> [Int]? {
    let isConversation = page.nodes.contains { node in
      node["itemtype"].map { type in
        PageHints.conversations.contains(String(type.split(separator: "/").last ?? ""))
      } ?? false
    }
    guard isConversation else { return nil }
    func isText(_ index: Int) -> Bool {
      page.nodes[index].name != "meta"
        && page.nodes[index]["itemprop"] == "text"
    }
    // Some pages mark the first posts only: what is called the same is a post, too.
    let named = Set(
      outermost(counting: false, isText).filter { name(of: $0) != nil }.map { shape($0) })
    let found = outermost(counting: false) { index in
      isText(index) || !named.isEmpty && name(of: index) != nil && named.contains(shape(index))
    }.filter { page.text($0) > 0 }
    guard found.count > 1, found.count <= 400,
      found.reduce(0, { $0 + mass($1) }) >= 0.5 * total
    else { return nil }
    return found
  }

  /// The texts of posts on a page of people who answer each other, where nothing but their likeness tells: the boxes of
  /// one class that hold the most text, and the heaviest box before them, which they answer.
  private func remarks(in body: Int) -> [Int]? {
    var masses: [String: Float] = [:]
    var boxes: [Int] = []
    for index in page.range(of: body) where page.values[index] > 0 && !page.isDropped[index] {
      var box = index
      for _ in 0..<12
      where box > body && !["div", "td", "section", "article"].contains(page.nodes[box].name) {
        box = page.nodes[box].parent
      }
      guard box > body, name(of: box) != nil, boxes.last != box else { continue }
      boxes.append(box)
      masses[shape(box), default: 0] += mass(box)
    }
    guard let best = masses.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return nil
    }
    var posts = outermost(counting: false) { index in
      name(of: index) != nil && shape(index) == best && page.text(index) > 0
    }
    guard posts.count > 2, posts.count <= 2_000, let first = posts.first else { return nil }
    let opening = boxes.filter { page.nodes[$0].end <= first && page.linkShare($0) < 0.3 }
      .max { (mass($0), $1) < (mass($1), $0) }
    if let opening, mass(opening) >= 3 { posts.insert(opening, at: 0) }
    return posts
  }

  /// The one element for the main content, where it holds some of the text.
  private func main(total: Float) -> Int? {
    let found = outermost { index in
      page.nodes[index].name == "main"
        || page.nodes[index]["role"] == "main"
    }
    guard found.count == 1, let main = found.first, mass(main) >= 0.4 * total else { return nil }
    return main
  }

  /// - Parameter isHeavy: whether only those with some text of an article count.
  private func outermost(counting isHeavy: Bool = true, _ isWanted: (Int) -> Bool) -> [Int] {
    var found: [Int] = []
    var index = 0
    while index < page.nodes.count {
      if !page.nodes[index].name.isEmpty, page.nodes[index].name != "body", index > 0,
        !page.isDropped[index], isWanted(index), !isHeavy || mass(index) > 0
      {
        found.append(index)
        index = page.nodes[index].end
      } else {
        index += 1
      }
    }
    return found
  }

  private func mass(_ index: Int) -> Float { page.mass(index) }

  // MARK: By text

  /// The element whose children and grandchildren hold the most text.
  private func top(in root: Int) -> Int? {
    var scores: [Int: Float] = [:]
    for index in page.range(of: root) where page.values[index] > 0 {
      var ancestor = index == root ? root : page.nodes[index].parent
      // Text that stands in a box beside other boxes counts for the box itself, too.
      if page.nodes[index].name != "p" { scores[index, default: 0] += page.values[index] / 2 }
      var level = 1
      while ancestor >= root, level <= Self.levels {
        scores[ancestor, default: 0] += page.values[index] / Float(level)
        if ancestor == root { break }
        ancestor = page.nodes[ancestor].parent
        level += 1
      }
    }
    func final(_ index: Int, _ score: Float) -> Float {
      var score = score * Float(1 - page.linkShare(index))
      if page.words[index].contains(.body) { score *= 1.5 }
      if page.words[index].contains(.positive) { score *= 1.2 }
      if page.words[index].contains(.negative) { score *= 0.5 }
      switch page.nodes[index].name {
      case "article", "main": return score * 1.3
      case "li", "ul", "ol", "form", "th", "address", "dl": return score * 0.7
      default: return score
      }
    }
    let finals = scores.map { (index: $0, score: final($0, $1)) }
    // Of two that are equal the one that stands first: the order of a dictionary must not decide.
    return finals.max { ($0.score, $1.index) < ($1.score, $0.index) }?.index
  }

  /// The ancestor that has the rest of the article: other boxes as good as this one.
  private func widened(_ top: Int, in root: Int) -> Int {
    var top = top
    while top != root, page.nodes[top].parent >= root {
      let parent = page.nodes[top].parent
      guard page.nodes[parent].name != "body", page.nodes[parent].name != "html" else { break }
      var hasComplement = false
      let isWrapper = page.text(parent) * 10 <= page.text(top) * 11
      var others: Float = 0
      for child in page.children(of: parent).prefix(2_000)
      where child != top && !page.nodes[child].name.isEmpty && isGood(child) {
        if isComplement(child) { hasComplement = true }
        if mass(child) >= 0.12 * mass(top) { others += mass(child) }
      }
      guard isWrapper || hasComplement || others >= 0.2 * mass(top) else { break }
      top = parent
      if top == root { break }
    }
    return top
  }

  /// Whether a box beside the article has what it cannot do without: the ingredients of a recipe, by their heading or by
  /// their quantities.
  private func isComplement(_ index: Int) -> Bool {
    guard isGood(index), page.text(index) >= 10, page.range(of: index).count < 2_000,
      let heading = page.range(of: index).prefix(12).first(where: { inner in
        page.nodes[inner].isHeading
      }), page.linkShare(heading) == 0
    else { return false }
    let words = page.nodes[page.range(of: heading)].map(\.text).joined().lowercased().collapsed()
    return Self.methods.contains(words)
      || Self.ingredients.contains(String(words.prefix { $0.isLetter }))
      || hasQuantities(index)
  }

  private func hasQuantities(_ index: Int) -> Bool {
    guard page.hasFacts(index) else { return false }
    let items = page.range(of: index).filter { ["li", "tr"].contains(page.nodes[$0].name) }
    let counted = items.count { item in
      page.nodes[page.range(of: item)].lazy.map(\.text).joined().first { !$0.isWhitespace }?
        .isNumber
        ?? false
    }
    return counted > 0 && counted * 2 >= items.count
  }

  /// Parts with those boxes beside them that have what they cannot do without.
  private func complemented(_ parts: [Int]) -> [Int] {
    guard let first = parts.first else { return parts }
    var all = parts
    var holder = page.nodes[first].parent
    while holder >= 0, page.nodes[holder].name != "html" {
      for child in page.children(of: holder)
      where !page.nodes[child].name.isEmpty && !all.contains(where: page.range(of: child).contains)
        && isComplement(child)
      {
        all.append(child)
      }
      holder = page.nodes[holder].parent
    }
    return all.sorted()
  }

  private static let ingredients: Set = [
    "ingredients", "equipment", "zutaten", "ingrédients", "ingredientes", "ingredienti",
    "ingrediënten", "ingredienser", "ингредиенты", "材料",
  ]
  private static let methods: Set = [
    "method", "directions", "instructions", "you will need", "what you need", "zubereitung",
    "préparation", "preparación", "preparazione", "作り方",
  ]

  private func isGood(_ index: Int) -> Bool {
    !page.isDropped[index] && !page.words[index].contains(.negative)
      && page.linkShare(index) < 0.3
  }

  /// The element with those of its siblings that go on with the article.
  private func joined(_ top: Int, in root: Int) -> [Int] {
    guard top != root, page.nodes[top].parent >= root else { return [top] }
    let parent = page.nodes[top].parent
    let least = max(3, 0.15 * mass(top))
    let siblings = page.children(of: parent).filter {
      !page.nodes[$0].name.isEmpty && !page.isDropped[$0]
    }
    func continues(_ index: Int) -> Bool {
      if index == top { return true }
      guard isGood(index) else { return false }
      if mass(index) >= least || isComplement(index) { return true }
      return page.nodes[index].name == "p" && page.text(index) >= 60
        && page.linkShare(index) < 0.25
    }
    guard let first = siblings.firstIndex(where: continues),
      let last = siblings.lastIndex(where: continues)
    else { return [top] }
    return siblings[first...last].filter { index in
      continues(index)
        || page.linkShare(index) < 0.5 && !page.words[index].contains(.negative)
    }
  }
}
