internal import Text

struct OpenElements {
  private struct Element {
    var name: Int32
    var bindings: Int32
  }

  let names: XMLNameTable
  private var elements: [Element] = []
  /// Open elements by name in lower case, so that end tags without an element need no search.
  private var counts: [Int32] = []
  /// Number of elements with a colon in their names.
  private(set) var withColon = 0

  init(names: XMLNameTable) { self.names = names }

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }

  func number(at index: Int) -> Int32 { elements[index].name }

  func name(at index: Int) -> ArraySlice<UInt8> { names.bytes(of: elements[index].name) }

  func kind(at index: Int) -> XMLNameTable.Kind { names.kind(of: elements[index].name) }

  mutating func push(_ name: Int32, bindings: Int) {
    elements.append(Element(name: name, bindings: Int32(bindings)))
    let place = Int(names.lowercased(name))
    while counts.count <= place { counts.append(0) }
    counts[place] += 1
    if names.kind(of: name).contains(.colon) { withColon += 1 }
  }

  /// Returns the number of namespace declarations around the element.
  mutating func pop() -> Int {
    let element = elements.removeLast()
    counts[Int(names.lowercased(element.name))] -= 1
    if names.kind(of: element.name).contains(.colon) { withColon -= 1 }
    return Int(element.bindings)
  }

  /// Ignores case.
  func contains(_ name: Int32) -> Bool {
    let place = Int(names.lowercased(name))
    return place < counts.count && counts[place] > 0
  }

  /// The innermost element of a name; ignores case only if none has the exact name.
  func lastIndex(of name: Int32) -> Int? {
    if let last = elements.last, last.name == name { return elements.count - 1 }
    guard contains(name) else { return nil }
    return elements.lastIndex { $0.name == name }
      ?? elements.lastIndex { names.isAlike($0.name, name) }
  }
}
