internal import Screen

/// The heading of the list: its name and counts, what has arrived above or a hint, and how fresh it is.
///
/// The name gives way first, down to a few columns, then the words around the numbers. How fresh the
/// list is always shows.
struct ListHeading: Hashable {
  struct Part: Hashable {
    var text: String
    var style: Style
  }

  var name: String
  /// After the name, the longest form first; one at least.
  var counts: [String]
  /// New articles or a hint, the longest form first; empty for none.
  var arrivals: [String]
  /// The longest form first; one at least.
  var freshness: [[Part]]

  /// The forms that fit.
  struct Fitted: Hashable {
    var name: String
    var counts: String
    var arrivals: String
    var freshness: [Part]
  }

  /// Columns that are left of a long name as long as anything else can be shortened.
  private static let shortestName = 8

  /// Which form of the counts, the arrivals and the freshness, in the order in which they are tried.
  private static let forms = [
    (0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 3), (0, 2, 2), (0, 2, 3), (1, 2, 3),
    (1, 3, 3), (2, 4, 3),
  ]

  func fitted(_ columns: Int) -> Fitted {
    var fitted = Fitted(name: "", counts: "", arrivals: "", freshness: [])
    let nameWidth = TextWidth.columns(of: name)
    for shortest in [min(nameWidth, Self.shortestName), 1] {
      for (count, arrival, fresh) in Self.forms {
        fitted = Fitted(
          name: name, counts: Self.form(count, of: counts) ?? "",
          arrivals: Self.form(arrival, of: arrivals) ?? "",
          freshness: Self.form(fresh, of: freshness) ?? [])
        let room = columns - fitted.columnsWithoutName
        guard room >= shortest else { continue }
        fitted.name = Self.cut(name, to: room)
        return fitted
      }
    }
    // A few columns are all there is.
    fitted.name = ""
    fitted.counts = ""
    if fitted.columnsWithoutName > columns { fitted.arrivals = "" }
    return fitted
  }

  private static func form<Form>(_ index: Int, of forms: [Form]) -> Form? {
    forms.isEmpty ? nil : forms[min(index, forms.count - 1)]
  }

  private static func cut(_ text: String, to columns: Int) -> String {
    guard TextWidth.columns(of: text) > columns else { return text }
    return TextWidth.prefix(of: text, fitting: columns - 1) + "…"
  }
}

extension ListHeading.Fitted {
  /// Two columns part the arrivals from what stands beside them.
  var columnsWithoutName: Int {
    let texts = [counts, arrivals] + freshness.map(\.text)
    let spaces = (arrivals.isEmpty ? 0 : 3) + (freshness.isEmpty ? 0 : 1)
    return texts.reduce(spaces) { $0 + TextWidth.columns(of: $1) }
  }
}
