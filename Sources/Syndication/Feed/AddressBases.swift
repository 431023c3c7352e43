/// Addresses of `xml:base` in a document, by number.
struct AddressBases {
  private static let limit = 4_096

  private var addresses: [String] = []
  private var indices: [String: Int] = [:]

  subscript(index: Int) -> String { addresses[index] }

  /// Adds an address if it is new; nil beyond the limit.
  mutating func index(of address: String) -> Int? {
    if let known = indices[address] { return known }
    guard addresses.count < Self.limit else { return nil }
    addresses.append(address)
    indices[address] = addresses.count - 1
    return addresses.count - 1
  }
}
