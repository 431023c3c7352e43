/// Value in a table of another program's database.
package enum ForeignValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package var text: String? {
    switch self {
    case .text(let text): text
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    case .null, .integer, .real: nil
    }
  }

  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded())
    case .text(let text): Int64(text)
    case .null, .blob: nil
    }
  }
}
