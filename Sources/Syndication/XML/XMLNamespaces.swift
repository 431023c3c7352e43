/// Namespaces in scope (Namespaces in XML 1.0), by number; 0 is none.
struct XMLNamespaces {
  static let none: Int32 = 0
  /// All namespaces beyond the limit.
  static let beyondLimit: Int32 = 2
  /// Feeds have a dozen namespaces; a hostile document must not take all memory.
  static let limit = 1 << 16
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  private static let xmlns = "http://www.w3.org/2000/xmlns/"

  private var numbers: [String: Int32] = [xml: 1]
  private var addresses = ["", xml, ""]
  private var spaces: [Int32]
  /// Declarations hidden by inner ones.
  private var hidden: [(prefix: Int32, space: Int32)] = []
  private let xmlPrefix: Int32
  private let xmlnsPrefix: Int32

  /// - Parameters: numbers of these prefixes.
  init(xml: Int32, xmlns: Int32) {
    xmlPrefix = xml
    xmlnsPrefix = xmlns
    spaces = [Int32](repeating: Self.none, count: Int(max(xml, xmlns)) + 1)
    spaces[Int(xml)] = 1
  }

  /// The namespace of a prefix; for the empty prefix the default namespace.
  @inline(__always)
  func space(of prefix: Int32) -> Int32 {
    Int(prefix) < spaces.count ? spaces[Int(prefix)] : Self.none
  }

  /// Nil for none, and beyond the limit.
  func address(of space: Int32) -> String? {
    space == Self.none || space == Self.beyondLimit ? nil : addresses[Int(space)]
  }

  var bindings: Int { hidden.count }

  /// A prefix cannot be undeclared, and XML's own two namespaces are fixed.
  mutating func declare(_ prefix: Int32, _ address: String) {
    guard prefix != xmlPrefix, prefix != xmlnsPrefix, address != Self.xml, address != Self.xmlns,
      prefix == XMLNameTable.none || !address.isEmpty
    else { return }
    let space: Int32
    if address.isEmpty {
      space = Self.none
    } else if let known = numbers[address] {
      space = known
    } else if addresses.count >= Self.limit {
      space = Self.beyondLimit
    } else {
      space = Int32(addresses.count)
      numbers[address] = space
      addresses.append(address)
    }
    while spaces.count <= Int(prefix) { spaces.append(Self.none) }
    hidden.append((prefix, spaces[Int(prefix)]))
    spaces[Int(prefix)] = space
  }

  /// Ends all declarations but the first `count`.
  @inline(__always)
  mutating func end(downTo count: Int) {
    while hidden.count > count {
      let (prefix, space) = hidden.removeLast()
      spaces[Int(prefix)] = space
    }
  }
}
