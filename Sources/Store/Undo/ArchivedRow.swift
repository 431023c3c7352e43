internal import Foundation
internal import GRDB

/// A removed row of any table as bytes, out of reach of lists, counts and searches. Its columns are
/// named, so that it fits a later schema.
///
/// A value is a byte for its type, then 8 bytes of a number, or 4 bytes of a length and its bytes,
/// little-endian.
struct ArchivedRow {
  let table: String
  let columns: [String]
  var values: [DatabaseValue]

  private enum Tag: UInt8 { case null, integer, real, text, blob }

  /// A value by the name of its column; null where the row has no such column.
  subscript(column: String) -> DatabaseValue {
    get { columns.firstIndex(of: column).map { values[$0] } ?? .null }
    set { if let index = columns.firstIndex(of: column) { values[index] = newValue } }
  }

  func integer(_ column: String) -> Int64? { Int64.fromDatabaseValue(self[column]) }

  init(_ row: Row, of table: String) {
    self.table = table
    columns = Array(row.columnNames)
    values = Array(row.databaseValues)
  }

  // MARK: Bytes

  /// The table and its columns, parted by spaces.
  var heading: String { ([table] + columns).joined(separator: " ") }

  var data: Data {
    var data = Data()
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    for value in values {
      switch value.storage {
      case .null: data.append(Tag.null.rawValue)
      case .int64(let number):
        data.append(Tag.integer.rawValue)
        append(number)
      case .double(let number):
        data.append(Tag.real.rawValue)
        append(number.bitPattern)
      case .string(let text):
        data.append(Tag.text.rawValue)
        append(UInt32(text.utf8.count))
        data.append(contentsOf: text.utf8)
      case .blob(let bytes):
        data.append(Tag.blob.rawValue)
        append(UInt32(bytes.count))
        data.append(bytes)
      }
    }
    return data
  }

  /// - Returns: nil where the bytes are no such row: the file was damaged.
  init?(heading: String, data: Data) {
    let names = heading.split(separator: " ").map(String.init)
    guard let table = names.first else { return nil }
    var rest = data[...]
    func take(_ count: Int) -> Data? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Data(rest.prefix(count))
    }
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      take(MemoryLayout<Number>.size).map { bytes in
        bytes.reversed().reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
      }
    }
    var values: [DatabaseValue] = []
    while let byte = take(1)?.first {
      guard let tag = Tag(rawValue: byte) else { return nil }
      switch tag {
      case .null: values.append(.null)
      case .integer:
        guard let value = number(Int64.self) else { return nil }
        values.append(value.databaseValue)
      case .real:
        guard let value = number(UInt64.self) else { return nil }
        values.append(Double(bitPattern: value).databaseValue)
      case .text:
        guard let count = number(UInt32.self), let bytes = take(Int(count)) else { return nil }
        values.append(String(decoding: bytes, as: UTF8.self).databaseValue)
      case .blob:
        guard let count = number(UInt32.self), let bytes = take(Int(count)) else { return nil }
        values.append(bytes.databaseValue)
      }
    }
    self.table = table
    columns = Array(names.dropFirst())
    self.values = values
    guard columns.count == values.count else { return nil }
  }
}
