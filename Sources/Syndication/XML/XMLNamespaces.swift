/// The namespaces that are declared around the present place (Namespaces in XML 1.0). Each has a number; 0 stands
/// for none.
struct XMLNamespaces {
  static let none: Int32 = 0
  /// The number of all namespaces beyond the limit: another one than those before, whichever it is.
  static let beyondLimit: Int32 = 2
  /// How many namespaces are kept. Feeds have a dozen; a document of many millions would take all memory.
  static let limit = 1 << 16
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  private static let xmlns = "http://www.w3.org/2000/xmlns/"

  private var numbers: [String: Int32] = [xml: 1]
  private var addresses = ["", xml, ""]
  /// The namespace of each prefix, by the number of its name.
  private var spaces: [Int32]
  /// The declarations that inner ones hide.
  private var hidden: [(prefix: Int32, space: Int32)] = []
  private let xmlPrefix: Int32
  private let xmlnsPrefix: Int32

  /// - Parameters:
  ///   - xml: the number of that prefix.
  ///   - xmlns: the number of that prefix.
  init(xml: Int32, xmlns: Int32) {
    xmlPrefix = xml
    xmlnsPrefix = xmlns
    spaces = [Int32](repeating: Self.none, count: Int(max(xml, xmlns)) + 1)
    spaces[Int(xml)] = 1
  }

  /// The namespace of a prefix; of the empty one it is that of elements without a prefix.
  @inline(__always)
  func space(of prefix: Int32) -> Int32 {
    Int(prefix) < spaces.count ? spaces[Int(prefix)] : Self.none
  }

  /// The address that names a namespace; nil for none, and beyond the limit.
  func address(of space: Int32) -> String? {
    space == Self.none || space == Self.beyondLimit ? nil : addresses[Int(space)]
  }

  /// How many declarations are in force.
  var bindings: Int { hidden.count }

  /// Takes a declaration. None takes away a prefix's namespace, and the two of XML's own stay as they are.
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

  /// Ends the declarations but for the first `count`.
  @inline(__always)
  mutating func end(downTo count: Int) {
    while hidden.count > count {
      let (prefix, space) = hidden.removeLast()
      spaces[Int(prefix)] = space
    }
  }
}
