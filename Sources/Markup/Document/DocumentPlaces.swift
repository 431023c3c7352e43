internal import Text

/// The places of a document that its own links lead to: its footnotes, the ways back from them, its headings where it
/// has a table of contents.
struct DocumentPlaces {
  /// Further links to places of the document are text.
  static let most = 2_000
  /// A name that is longer, in bytes, is none.
  static let longestName = 256

  /// Those that both an element has and a link names.
  private let names: Set<String>
  /// Those whose element has not come yet. Of several elements with one name the first has it.
  private var open: Set<String>

  init(_ names: Set<String> = []) {
    self.names = names
    open = names
  }

  /// The name of an element, where a link leads to it.
  mutating func register(_ element: DocumentBuilder.Element) -> String? {
    guard !open.isEmpty else { return nil }
    for attribute in element.attributes where attribute.name == "id" || attribute.name == "name" {
      if let name = open.remove(attribute.value) { return name }
    }
    return nil
  }

  /// The place that a reference is to (HTML §7.4.6.3: the fragment as it is, and decoded); nil for any other address.
  func place(_ reference: String, _ addresses: AddressFilter) -> String? {
    guard !names.isEmpty, let fragment = addresses.fragment(of: reference) else { return nil }
    return [fragment, percentDecoded(fragment)].first(where: names.contains)
  }
}

extension Document {
  /// Ids for the places that the text leads to, by their names.
  ///
  /// - Parameter prefix: what they begin with; nil for none.
  func placeIDs(_ prefix: String?) -> [String: String] {
    guard let prefix, !jumps.isEmpty else { return [:] }
    let anchors = anchors
    var ids: [String: String] = [:]
    for name in jumps where anchors.contains(name) && ids[name] == nil {
      ids[name] = "\(prefix)\(ids.count + 1)"
    }
    return ids
  }

  /// The names of the places in the text.
  private var anchors: Set<String> {
    var names: Set<String> = []
    func collect(_ inlines: [Inline]) {
      for case .anchor(let name) in inlines { names.insert(name) }
    }
    blocks.visit { block in
      switch block {
      case .heading(_, let inlines), .paragraph(let inlines): collect(inlines)
      case .table(let table):
        for row in table.rows { for cell in row.cells { collect(cell.inlines) } }
      default: break
      }
    }
    return names
  }
}
