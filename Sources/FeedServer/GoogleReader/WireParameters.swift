/// The parameters of a request in the order they came, those of the query before those of a form in the
/// body. Names may repeat.
struct WireParameters: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ request: WireRequest) {
    let query = request.target.drop { $0 != "?" }.dropFirst()
    let type = request.header("Content-Type") ?? ""
    let form =
      type.lowercased().hasPrefix("application/x-www-form-urlencoded")
      ? String(decoding: request.body, as: UTF8.self) : ""
    pairs = Self.pairs(of: query) + Self.pairs(of: form[...])
  }

  private init(pairs: [(name: String, value: String)]) { self.pairs = pairs }

  private static func pairs(of text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").compactMap { pair in
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      guard let name = name.percentDecoded(plusIsSpace: true),
        let value = value.percentDecoded(plusIsSpace: true)
      else { return nil }
      return (name, value)
    }
  }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The first so many pairs; all for nil.
  func prefix(_ count: Int?) -> WireParameters {
    count.map { WireParameters(pairs: Array(pairs.prefix($0))) } ?? self
  }
}

extension WireRequest {
  /// A request that came over no wire: for transports in memory.
  package init(
    _ method: String, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.init(
      method: method, target: target, headers: headers, body: body, head: [], arrived: .now,
      connection: 1)
  }
}
