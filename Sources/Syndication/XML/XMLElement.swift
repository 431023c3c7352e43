internal import Text

/// Start of an element.
///
/// One object for all elements of a document, valid during the call that receives it: nothing is
/// copied or counted for an element.
final class XMLElement {
  struct Attribute {
    /// Within the tag.
    var name: Range<Int>
    /// Length of the prefix and its colon; 0 without a prefix.
    var localStart: Int
    var space: Int32
    /// Within the tag, or within `decoded`.
    var value: Range<Int>
    var isDecoded: Bool
  }

  let names: XMLNameTable
  // Set for each element and never overlapping: no checks at run time.
  /// Number of the qualified name.
  @exclusivity(unchecked) fileprivate(set) var name = XMLNameTable.none
  @exclusivity(unchecked) fileprivate(set) var space = XMLNamespaces.none
  @exclusivity(unchecked) fileprivate var namespaces: XMLNamespaces
  @exclusivity(unchecked) fileprivate var bytes = ByteBuffer(start: nil, count: 0)
  @exclusivity(unchecked) fileprivate var attributes: [Attribute] = []
  /// First bytes of the names, for comparison.
  @exclusivity(unchecked) fileprivate var keys: [UInt64] = []
  /// Values with replacements.
  @exclusivity(unchecked) fileprivate var decoded: [UInt8] = []
  @exclusivity(unchecked) var complaints: [String] = []
  @exclusivity(unchecked) var ampersands: [Int] = []

  init(names: XMLNameTable) {
    self.names = names
    namespaces = XMLNamespaces(
      xml: "xml".withBytes { names.number(of: $0) },
      xmlns: "xmlns".withBytes { names.number(of: $0) })
  }

  // MARK: Name

  var localName: String { names.localName(of: name) }

  var prefix: String? {
    let prefix = names.prefix(of: name)
    return prefix == XMLNameTable.none ? nil : names.text(of: prefix)
  }

  var hasPrefix: Bool { names.prefix(of: name) != XMLNameTable.none }

  var spaceAddress: String? { namespaces.address(of: space) }

  /// Ignores the prefix and case. `word` is in lower case.
  func isNamed(_ word: StaticString) -> Bool { names.isLocalName(word, name) }

  // MARK: Attributes

  var attributeCount: Int { attributes.count }

  func attributeHasPrefix(_ index: Int) -> Bool { attributes[index].localStart > 0 }

  func attributePrefix(_ index: Int) -> String? {
    let attribute = attributes[index]
    guard attribute.localStart > 0 else { return nil }
    let start = attribute.name.lowerBound
    return bytes.string(start..<start + attribute.localStart - 1)
  }

  func attributeName(_ index: Int) -> String { bytes.string(localName(attributes[index])) }

  /// Nil without a prefix.
  func attributeSpace(_ index: Int) -> String? { namespaces.address(of: attributes[index].space) }

  func attributeValue(_ index: Int) -> String {
    let attribute = attributes[index]
    guard attribute.isDecoded else { return bytes.string(attribute.value) }
    return decoded.withUnsafeBufferPointer { $0.string(attribute.value) }
  }

  /// The value of an attribute. Ignores case: `isPermaLink` is often written otherwise.
  func attribute(_ name: StaticString, prefix: StaticString? = nil) -> String? {
    for index in attributes.indices {
      let attribute = attributes[index]
      guard isWord(name, localName(attribute)) else { continue }
      if let prefix {
        let start = attribute.name.lowerBound
        guard attribute.localStart > 0, isWord(prefix, start..<start + attribute.localStart - 1)
        else { continue }
      } else if attribute.localStart > 0 {
        continue
      }
      return attributeValue(index)
    }
    return nil
  }

  private func localName(_ attribute: Attribute) -> Range<Int> {
    attribute.name.lowerBound + attribute.localStart..<attribute.name.upperBound
  }

  private func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count
    where bytes[range.lowerBound + offset].asciiLowercased != word.utf8Start[offset].asciiLowercased
    {
      return false
    }
    return true
  }
}

// MARK: - Reading a tag

extension XMLElement {
  var bindings: Int { namespaces.bindings }

  func endBindings(downTo count: Int) { namespaces.end(downTo: count) }

  func clear() {
    bytes = ByteBuffer(start: nil, count: 0)
    attributes.removeAll(keepingCapacity: true)
  }

  /// Reads a tag.
  ///
  /// - Parameter isSound: whether it is well-formed; otherwise the first of equal attributes
  ///   counts.
  func read(
    _ name: Int32, _ tag: [XMLTag.Attribute], in bytes: ByteBuffer, isSound: Bool,
    references: inout ReferenceText
  ) {
    self.name = name
    self.bytes = bytes
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    if !tag.isEmpty { readAttributes(tag, isSound: isSound, &references) }
    let prefix = names.prefix(of: name)
    space = namespaces.space(of: prefix)
    if prefix != XMLNameTable.none, space == XMLNamespaces.none {
      complaints.append(undeclared(prefix))
    }
    if names.kind(of: name).contains(.strayColon) {
      complaints.append(Self.hasStrayColon(names.text(of: name)))
    }
  }

  private func readAttributes(
    _ tag: [XMLTag.Attribute], isSound: Bool, _ references: inout ReferenceText
  ) {
    decoded.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    var declared: [Int32] = []
    for found in isSound ? tag[...] : tag.prefix(XMLScanner.attributeLimit) {
      let name = ByteBuffer(rebasing: bytes[found.name])
      if !isSound {
        guard attributes.count + declared.count < XMLScanner.attributeLimit else { break }
        guard !isTwin(name, of: attributes.count) else { continue }
      }
      var attribute = Attribute(
        name: found.name, localStart: XMLNames.colon(in: name).map { $0 + 1 } ?? 0,
        space: XMLNamespaces.none, value: found.value, isDecoded: false)
      if Self.needsDecoding(bytes, found.value) {
        let start = decoded.count
        references.appendValue(ByteBuffer(rebasing: bytes[found.value]), to: &decoded) { place in
          if isSound { ampersands.append(found.value.lowerBound + place) }
        }
        attribute.value = start..<decoded.count
        attribute.isDecoded = true
      }
      if name.first == 0x78, name.hasWord("xmlns", at: 0), let prefix = declaredPrefix(name) {
        attributes.append(attribute)
        let address = attributeValue(attributes.count - 1)
        attributes.removeLast()
        guard !declared.contains(prefix) else {
          if isSound { complaints.append(Self.isThereTwice(bytes.string(found.name))) }
          continue
        }
        declared.append(prefix)
        namespaces.declare(prefix, address)
        if !address.isEmpty, !Self.isAddress(address) {
          complaints.append(
            "The namespace “\(PlainText.sanitized(String(address.prefix(80))))” is no address.")
        }
        continue
      }
      if XMLNames.hasStrayColon(name) {
        complaints.append(Self.hasStrayColon(bytes.string(found.name)))
      }
      attributes.append(attribute)
      keys.append(Self.key(name))
    }
    resolvePrefixes()
    if isSound { findTwins() }
  }

  private func resolvePrefixes() {
    for index in attributes.indices where attributes[index].localStart > 0 {
      let start = attributes[index].name.lowerBound
      let prefix = names.number(
        of: ByteBuffer(rebasing: bytes[start..<start + attributes[index].localStart - 1]))
      attributes[index].space = namespaces.space(of: prefix)
      if attributes[index].space == XMLNamespaces.none { complaints.append(undeclared(prefix)) }
    }
  }

  private func findTwins() {
    guard attributes.count > 1 else { return }
    for index in attributes.indices.dropFirst() {
      let name = ByteBuffer(rebasing: bytes[attributes[index].name])
      if isTwin(name, of: index) {
        complaints.append(Self.isThereTwice(bytes.string(localName(attributes[index]))))
      }
    }
  }

  private func isTwin(_ name: ByteBuffer, of count: Int) -> Bool {
    let key = Self.key(name)
    for index in 0..<count where keys[index] == key {
      let other = attributes[index].name
      if other.count == name.count, bytes.hasBytes(of: name, at: other.lowerBound) { return true }
    }
    return false
  }

  private static func key(_ name: ByteBuffer) -> UInt64 {
    name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The prefix of a namespace declaration; the empty one for `xmlns`, nil for another attribute.
  private func declaredPrefix(_ name: ByteBuffer) -> Int32? {
    // Case matters here.
    guard name.starts(with: "xmlns".utf8) else { return nil }
    if name.count == 5 { return XMLNameTable.none }
    guard XMLNames.colon(in: name) == 5 else { return nil }
    return names.number(of: ByteBuffer(rebasing: name[6...]))
  }

  private static func needsDecoding(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
    for index in value {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x26 || byte == 0xEF { return true }
    }
    return false
  }

  /// Whether the name of a namespace is an absolute address (RFC 3986).
  private static func isAddress(_ text: String) -> Bool {
    WebAddress.scheme(of: text) != nil
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F...0xFF: false
        default: true
        }
      }
  }

  private func undeclared(_ prefix: Int32) -> String {
    "The prefix “\(Self.short(names.text(of: prefix)))” is not declared."
  }

  private static func isThereTwice(_ name: String) -> String {
    "A tag has the attribute “\(short(name))” twice."
  }

  private static func hasStrayColon(_ name: String) -> String {
    "A name has too many colons: “\(short(name))”."
  }

  private static func short(_ name: String) -> String {
    PlainText.sanitized(String(name.prefix(80)))
  }
}
