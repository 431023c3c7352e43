internal import News

/// Numbered list of the feeds of a page.
enum FeedTable {
  /// The number, title and format of each feed, with its address below.
  static func text(_ links: [FeedLink]) -> String {
    let digits = "\(links.count)".count
    let formats = links.map { $0.formatName ?? "" }
    let formatWidth = formats.map(\.count).max() ?? 0
    return links.enumerated().map { index, link in
      let number = "\(index + 1)"
      let format = formats[index]
      let margin = String(repeating: " ", count: digits - number.count + 2)
      let gap = String(
        repeating: " ", count: formatWidth - format.count + (formatWidth > 0 ? 2 : 0))
      let indent = String(repeating: " ", count: 2 + digits + 2)
      return margin + number + "  " + format + gap + (link.title ?? "(no title)") + "\n" + indent
        + link.url
    }.joined(separator: "\n")
  }

  /// Parses typed numbers: `2`, `1,3`, `2-4`, `a` for all, nothing for the first; nil for anything
  /// else.
  static func numbers(in answer: String, upTo count: Int) -> [Int]? {
    let answer = answer.lowercased()
    if answer.isEmpty { return [1] }
    if answer == "a" || answer == "all" { return Array(1...max(1, count)) }
    var numbers: [Int] = []
    for part in answer.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ends = part.split(whereSeparator: { $0 == "-" || $0 == "–" }).map { Int($0) }
      guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
        low >= 1, low <= high, high <= count
      else { return nil }
      for number in low...high where !numbers.contains(number) { numbers.append(number) }
    }
    return numbers.isEmpty ? nil : numbers
  }
}
