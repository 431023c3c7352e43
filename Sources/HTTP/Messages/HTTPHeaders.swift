internal import Text

/// Header fields in the order they were added; names compare without regard to ASCII case.
///
/// Holds any text: `firstUnsendable` finds what may not go on the wire, and every transport asks it before it sends.
///
/// Values from a server are not sanitised here: some are sent back, exactly as they came.
/// `Frame.put` and the program's output sanitise what they show of them.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String { didSet { latin = nil } }
    /// The bytes that `value` was read from as Latin-1, where they are no UTF-8.
    fileprivate var latin: [UInt8]?

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// A field as it came over the wire. Header values are bytes (RFC 9110 §5.5): those that are no
    /// UTF-8 are read as Latin-1, and kept, so that they can be sent back as they came.
    package init(name: String, bytes: some Collection<UInt8>) {
      self.name = name
      if let value = String(validating: bytes, as: UTF8.self) {
        self.value = value
      } else {
        value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        latin = Array(bytes)
      }
    }

    /// The value on the wire.
    package var bytes: [UInt8] { latin ?? Array(value.utf8) }

    package static func == (a: Field, b: Field) -> Bool {
      a.value == b.value && a.latin == b.latin && HTTPHeaders.isSame(a.name, b.name)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(name.lowercased())
      hasher.combine(value)
    }
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }

  /// The first value of that name. Setting replaces every field of the name; nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.isSame($0.name, name) }?.value }
    set {
      guard let newValue else { return fields.removeAll { HTTPHeaders.isSame($0.name, name) } }
      guard let index = fields.firstIndex(where: { HTTPHeaders.isSame($0.name, name) }) else {
        return fields.append(Field(name: name, value: newValue))
      }
      fields[index].value = newValue
      fields = fields.enumerated().filter { offset, field in
        offset <= index || !HTTPHeaders.isSame(field.name, name)
      }.map(\.element)
    }
  }

  /// The bytes of the first value of that name, as they came.
  package func bytes(of name: String) -> [UInt8]? {
    fields.first { HTTPHeaders.isSame($0.name, name) }?.bytes
  }

  /// Every value of that name, in order. A list may come in several fields (RFC 9110 §5.3).
  package func values(of name: String) -> [String] {
    fields.filter { HTTPHeaders.isSame($0.name, name) }.map(\.value)
  }

  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  package mutating func append(_ field: Field) { fields.append(field) }

  /// Sets the field only where the caller has not.
  package mutating func setDefault(_ name: String, _ value: String) {
    if self[name] == nil { append(name, value) }
  }

  /// Adds more of the last field's value: an obsolete folded line (RFC 9112 §5.2).
  mutating func continueLast(with bytes: some Collection<UInt8>) {
    guard let last = fields.popLast() else { return }
    fields.append(Field(name: last.name, bytes: last.bytes + [0x20] + bytes))
  }

  /// The name of the first field whose name is no token, or whose value has a control character (RFC 9110 §5.1,
  /// §5.5).
  package var firstUnsendable: String? {
    fields.first { field in
      field.name.isEmpty || !field.name.utf8.allSatisfy(HTTPHeaders.isTokenByte)
        || field.value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }?.name
  }

  static func isSame(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return zip(a.utf8, b.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// One field a line, with the values of credentials left out.
  package var description: String {
    fields.map { field in
      let isSecret = HTTPRequest.usualCredentialHeaders.contains {
        HTTPHeaders.isSame($0, field.name)
      }
      return "\(field.name): \(isSecret ? "…" : field.value)"
    }.joined(separator: "\n")
  }
}
