internal import Text

/// The elements that are open, from the root in.
struct OpenElements {
  private struct Element {
    var name: Int32
    /// How many namespaces were declared around it.
    var bindings: Int32
  }

  let names: XMLNameTable
  private var elements: [Element] = []

  init(names: XMLNameTable) { self.names = names }

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }

  /// The number of an element's name.
  func number(at index: Int) -> Int32 { elements[index].name }

  func name(at index: Int) -> ArraySlice<UInt8> { names.bytes(of: elements[index].name) }

  func kind(at index: Int) -> XMLNameTable.Kind { names.kind(of: elements[index].name) }

  mutating func push(_ name: Int32, bindings: Int) {
    elements.append(Element(name: name, bindings: Int32(bindings)))
  }

  /// Removes the innermost element; returns how many namespaces were declared around it.
  mutating func pop() -> Int { Int(elements.removeLast().bindings) }

  /// The innermost element of that name, letters compared without case where none has the very name.
  func lastIndex(of name: Int32) -> Int? {
    if let last = elements.last, last.name == name { return elements.count - 1 }
    return elements.lastIndex { $0.name == name }
      ?? elements.lastIndex { names.isAlike($0.name, name) }
  }
}
