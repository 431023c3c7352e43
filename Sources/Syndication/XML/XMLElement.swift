internal import Text

/// The start of an element.
///
/// It is one object for all elements of a document: what it says counts for the length of the call that it comes
/// with. A final class, so that nothing is copied or counted for an element.
final class XMLElement {
  struct Attribute {
    /// Where the name stands in the tag.
    var name: Range<Int>
    /// The length of the prefix with its colon; 0 without one.
    var localStart: Int
    var space: Int32
    /// Where the value stands: in the tag, or among the decoded ones.
    var value: Range<Int>
    var isDecoded: Bool
  }

  let names: XMLNameTable
  // Set for each element. Accesses never overlap, so that the check at run time is switched off.
  /// The number of the name, prefix and all.
  @exclusivity(unchecked) fileprivate(set) var name = XMLNameTable.none
  /// The number of the namespace.
  @exclusivity(unchecked) fileprivate(set) var space = XMLNamespaces.none
  @exclusivity(unchecked) fileprivate var namespaces: XMLNamespaces
  @exclusivity(unchecked) fileprivate var bytes = ByteBuffer(start: nil, count: 0)
  @exclusivity(unchecked) fileprivate var attributes: [Attribute] = []
  /// The first bytes of the names, by which they are compared.
  @exclusivity(unchecked) fileprivate var keys: [UInt64] = []
  /// The values in which something had to be replaced.
  @exclusivity(unchecked) fileprivate var decoded: [UInt8] = []
  /// Warnings about the names of the tag.
  @exclusivity(unchecked) var complaints: [String] = []
  /// Where ampersands of its values begin no reference.
  @exclusivity(unchecked) var ampersands: [Int] = []

  init(names: XMLNameTable) {
    self.names = names
    namespaces = XMLNamespaces(
      xml: "xml".withBytes { names.number(of: $0) },
      xmlns: "xmlns".withBytes { names.number(of: $0) })
  }

  // MARK: Name

  var localName: String { names.localName(of: name) }

  /// Nil where the name has none.
  var prefix: String? {
    let prefix = names.prefix(of: name)
    return prefix == XMLNameTable.none ? nil : names.text(of: prefix)
  }

  var hasPrefix: Bool { names.prefix(of: name) != XMLNameTable.none }

  /// The address of the namespace.
  var spaceAddress: String? { namespaces.address(of: space) }

  /// Whether the local name is `word`, letters compared without case. `word` is lower case.
  func isNamed(_ word: StaticString) -> Bool { names.isLocalName(word, name) }

  // MARK: Attributes

  var attributeCount: Int { attributes.count }

  func attributeHasPrefix(_ index: Int) -> Bool { attributes[index].localStart > 0 }

  /// The prefix of an attribute.
  func attributePrefix(_ index: Int) -> String? {
    let attribute = attributes[index]
    guard attribute.localStart > 0 else { return nil }
    let start = attribute.name.lowerBound
    return bytes.string(start..<start + attribute.localStart - 1)
  }

  /// The name of an attribute without its prefix.
  func attributeName(_ index: Int) -> String { bytes.string(localName(attributes[index])) }

  /// The address of the namespace of an attribute that has a prefix.
  func attributeSpace(_ index: Int) -> String? {
    namespaces.address(of: attributes[index].space)
  }

  func attributeValue(_ index: Int) -> String {
    let attribute = attributes[index]
    guard attribute.isDecoded else { return bytes.string(attribute.value) }
    return decoded.withUnsafeBufferPointer { $0.string(attribute.value) }
  }

  /// The value of the attribute `name`, which stands in no namespace or, for `xml:` ones, in that.
  /// The case of letters does not count: `isPermaLink` is often written in another.
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
  /// How many declarations of namespaces are in force.
  var bindings: Int { namespaces.bindings }

  /// Ends the declarations of elements that end.
  func endBindings(downTo count: Int) { namespaces.end(downTo: count) }

  /// Forgets the tag, whose bytes are gone.
  func clear() {
    bytes = ByteBuffer(start: nil, count: 0)
    attributes.removeAll(keepingCapacity: true)
  }

  /// Takes a tag.
  ///
  /// - Parameters:
  ///   - name: the number of its name.
  ///   - tag: its attributes.
  ///   - isSound: whether XML could read it. Otherwise of two attributes with one name the first counts.
  ///   - references: decodes what stands in the values.
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

  /// Says of attributes that are there twice.
  private func findTwins() {
    guard attributes.count > 1 else { return }
    for index in attributes.indices.dropFirst() {
      let name = ByteBuffer(rebasing: bytes[attributes[index].name])
      if isTwin(name, of: index) {
        complaints.append(Self.isThereTwice(bytes.string(localName(attributes[index]))))
      }
    }
  }

  /// Whether one of the first `count` attributes has that name.
  private func isTwin(_ name: ByteBuffer, of count: Int) -> Bool {
    let key = Self.key(name)
    for index in 0..<count where keys[index] == key {
      let other = attributes[index].name
      if other.count == name.count, bytes.hasBytes(of: name, at: other.lowerBound) { return true }
    }
    return false
  }

  /// The first eight bytes of a name.
  private static func key(_ name: ByteBuffer) -> UInt64 {
    name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The prefix that an attribute declares: the empty one for `xmlns`; nil for any other attribute.
  private func declaredPrefix(_ name: ByteBuffer) -> Int32? {
    // Letters count here.
    guard name.starts(with: "xmlns".utf8) else { return nil }
    if name.count == 5 { return XMLNameTable.none }
    guard XMLNames.colon(in: name) == 5 else { return nil }
    return names.number(of: ByteBuffer(rebasing: name[6...]))
  }

  /// Whether something in a value stands for something else.
  private static func needsDecoding(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
    for index in value {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x26 || byte == 0xEF { return true }
    }
    return false
  }

  /// Whether what names a namespace is an absolute address (RFC 3986).
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

  /// A name as a warning quotes it.
  private static func short(_ name: String) -> String {
    PlainText.sanitized(String(name.prefix(80)))
  }
}
