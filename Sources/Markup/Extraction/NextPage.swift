internal import Text

/// Finds the next page of an article that a site shows on several.
enum NextPage {
  /// The address of the page behind this one; nil for none.
  ///
  /// Only an address that differs from the page's own in the number alone counts: `rel=next` leads to the next article
  /// of a blog as well.
  ///
  /// - Parameters:
  ///   - url: of this page, absolute.
  ///   - number: of this page. A number at the end of the first page's address need not be one of a page.
  ///   - resolve: makes an address of the page absolute.
  static func address(
    in nodes: [HTMLPage.Node], of url: String, number: Int, resolve: (String) -> String?
  ) -> String? {
    let own = NumberedAddress(url)
    let whole = NumberedAddress(url, isWhole: true)
    func belongs(_ stem: String) -> Bool {
      (number == 1 && whole.stem == stem) || (own.number == number && own.stem == stem)
    }
    var looked = 0
    let digits = Array(String(number + 1).utf8)
    for (index, node) in nodes.enumerated() where node.name == "a" || node.name == "link" {
      guard let reference = node["href"],
        !reference.hasPrefix("#")
      else { continue }
      guard hasNumber(digits, in: reference) else { continue }
      looked += 1
      guard looked < 20_000, let address = resolve(reference), address.utf8.count < 2_048 else {
        continue
      }
      let other = NumberedAddress(address)
      if other.number == number + 1, belongs(other.stem), !leadsToRemarks(index, nodes) {
        return address
      }
    }
    return nil
  }

  /// Whether a link is for more remarks of readers, and not for more of the article.
  private static func leadsToRemarks(_ index: Int, _ nodes: [HTMLPage.Node]) -> Bool {
    (index..<nodes[index].end).prefix(20).contains { inner in
      nodes[inner].name.isEmpty && remarks.isAny(in: nodes[inner].text)
    }
  }

  private static let remarks = WordSearch([
    "review", "comment", "bewertung", "kommentar", "comentario", "rezension",
  ])

  /// Whether the digits are in a text, with no other digit beside them, or others in front that are noughts.
  private static func hasNumber(_ digits: [UInt8], in text: String) -> Bool {
    var run: [UInt8] = []
    for byte in text.utf8 {
      if byte.isASCIIDigit {
        if byte != UInt8(ascii: "0") || !run.isEmpty { run.append(byte) }
      } else {
        if run == digits { return true }
        run.removeAll(keepingCapacity: true)
      }
    }
    return run == digits
  }
}

/// An address with the number of a page in it: `/story/2`, `/story?page=2`, `/story-2.html`, `/story/page/2/`.
private struct NumberedAddress {
  /// Without the number and what introduces it.
  var stem = ""
  var number: Int?

  private static let parameters: Set = ["page", "p", "seite", "pg", "pagina", "pageno", "paged"]

  /// - Parameter isWhole: whether no number is looked for.
  init(_ url: String, isWhole: Bool = false) {
    let bare = url.prefix { $0 != "#" }
    let parts = bare.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = String(parts[0])
    if path.hasPrefix("http://") { path = "https://" + path.dropFirst(7) }
    var kept: [Substring] = []
    if parts.count > 1 {
      for pair in parts[1].split(separator: "&") {
        let halves = pair.split(separator: "=", maxSplits: 1)
        if halves.count == 2, !isWhole, Self.parameters.contains(halves[0].lowercased()),
          number == nil,
          let value = Int(halves[1]), (1...999).contains(value)
        {
          number = value
        } else {
          kept.append(pair)
        }
      }
    }
    while path.hasSuffix("/") { path.removeLast() }
    if let dot = path.lastIndex(of: "."), let slash = path.lastIndex(of: "/"), dot > slash,
      path[dot...].count <= 6, slash > path.startIndex
    {
      path = String(path[..<dot])
    }
    if number == nil, !isWhole { removeNumber(outOf: &path) }
    stem = ([path] + kept.map(String.init)).joined(separator: "&")
  }

  /// Removes the number at the end of a path, and the word before it.
  private mutating func removeNumber(outOf path: inout String) {
    let digits = String(path.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    guard !digits.isEmpty, digits.count <= 2, let value = Int(digits), value > 0 else { return }
    var rest = String(path.dropLast(digits.count))
    guard let sign = rest.last, "/-_,".contains(sign) else { return }
    while let last = rest.last, "/-_,".contains(last) { rest.removeLast() }
    for word in ["page", "seite", "pagina", "p"] {
      if rest.lowercased().hasSuffix(word),
        let before = rest.dropLast(word.count).last, "/-_,".contains(before)
      {
        rest = String(rest.dropLast(word.count))
        while let last = rest.last, "/-_,".contains(last) { rest.removeLast() }
        break
      }
    }
    // The host is no part of it.
    guard rest.split(separator: "/").count >= 3 || rest.contains("/") && rest.count > 12 else {
      return
    }
    path = rest
    number = value
  }
}
