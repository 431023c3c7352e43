internal import struct Foundation.Date

/// Text that some servers write as a number.
struct LooseText: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else if let number = try? container.decode(Int64.self) {
      text = String(number)
    } else if let number = try? container.decode(UInt64.self) {
      text = String(number)
    } else {
      let number = try container.decode(Double.self)
      guard let whole = Int64(exactly: number.rounded(.down)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "not a number of 64 bits")
      }
      text = String(whole)
    }
  }

  var number: Int64? { Int64(text) }

  /// Of seconds since 1970.
  var date: Date? { number.map { Date(timeIntervalSince1970: Double($0)) } }
}

/// List entry that is decoded by itself, so that a wrong one does not spoil others.
struct LooseEntry<Value: Decodable>: Decodable {
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(Value.self)
  }
}

extension LooseEntry: Sendable where Value: Sendable {}

extension Array {
  /// The readable entries, and the number of unreadable ones.
  func read<Value>() -> (values: [Value], bad: Int) where Element == LooseEntry<Value> {
    let values = compactMap(\.value)
    return (values, count - values.count)
  }
}

/// Member of an object that is nil where it is absent, null or of another type, as all members in
/// the answers of sync servers that are not needed.
@propertyWrapper struct Loose<Value: Decodable> {
  var wrappedValue: Value?
}

extension Loose: Sendable where Value: Sendable {}

extension Loose: Decodable {
  init(from decoder: any Decoder) throws { wrappedValue = try? Value(from: decoder) }
}

extension KeyedDecodingContainer {
  /// Chosen for `Loose` members: otherwise an absent one would be an error.
  func decode<Value>(_ type: Loose<Value>.Type, forKey key: Key) throws -> Loose<Value> {
    Loose(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
  }
}
