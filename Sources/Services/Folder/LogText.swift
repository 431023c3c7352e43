internal import News
internal import Text

/// Text of log files: a header line and a line for each record, with fields parted by tabs
/// (`Docs/Folder.md`).
enum LogText {
  /// The written version, and the newest that is read.
  static let version = 1
  private static let name = "telex-log"

  static func header(of machine: String) -> [UInt8] {
    Array("\(name)\t\(version)\t\(machine)\n".utf8)
  }

  static func lines(_ records: [LogRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      let register = record.register
      let start = bytes.count
      bytes += "\(record.stamp)".utf8
      for field in [
        register.kind, register.feed, register.article, register.detail, record.value,
      ] {
        bytes.append(tab)
        escape(field, into: &bytes)
      }
      let check = checksum(bytes[start...])
      bytes.append(tab)
      bytes += check.utf8
      bytes.append(newline)
    }
    return bytes
  }

  struct Contents: Equatable {
    /// Nil for an incomplete or invalid header.
    var machine: String?
    var records: [LogRecord] = []
    /// Bytes up to the end of the last complete line. The rest is still being written or copied.
    var size = 0
    /// Complete lines that are no records.
    var damaged = 0
    /// Whether a newer version has written it, so that nothing else is known.
    var isNewer = false
  }

  /// - Parameter skipped: bytes whose records are known.
  static func contents(of bytes: [UInt8], after skipped: Int = 0) -> Contents {
    var contents = Contents()
    guard let end = bytes.firstIndex(of: newline) else { return contents }
    let header = fields(of: line(bytes, 0, end))
    guard header.count >= 3, header[0] == name, let version = Int(header[1]), version > 0 else {
      contents.damaged = 1
      return contents
    }
    guard version <= self.version else {
      contents.isNewer = true
      return contents
    }
    guard isMachine(header[2]) else {
      contents.damaged = 1
      return contents
    }
    contents.machine = header[2]
    var start = max(end + 1, skipped)
    contents.size = start
    while let end = bytes[start...].firstIndex(of: newline) {
      if let record = record(in: line(bytes, start, end), of: header[2]) {
        contents.records.append(record)
      } else {
        contents.damaged += 1
      }
      start = end + 1
      contents.size = start
    }
    return contents
  }

  /// Whether a text may be the id of a device, which is the name of its folder as well.
  static func isMachine(_ text: String) -> Bool {
    (4...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// A program that copies text may have changed line ends.
  private static func line(_ bytes: [UInt8], _ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    let line = bytes[start..<end]
    return line.last == 0x0D ? line.dropLast() : line
  }

  private static func record(in line: ArraySlice<UInt8>, of machine: String) -> LogRecord? {
    guard let mark = line.lastIndex(of: tab),
      line[(mark + 1)...].elementsEqual(checksum(line[..<mark]).utf8)
    else { return nil }
    let fields = fields(of: line[..<mark])
    guard fields.count >= 6, let stamp = Int64(fields[0]), (0...LogClock.limit).contains(stamp),
      !fields[1].isEmpty, !fields[2].isEmpty
    else { return nil }
    return LogRecord(
      LogRegister(fields[1], feed: fields[2], article: fields[3], detail: fields[4]), fields[5],
      stamp: stamp, machine: machine)
  }

  private static func fields(of line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: tab, omittingEmptySubsequences: false).map { field in
      guard field.contains(backslash) else { return String(decoding: field, as: UTF8.self) }
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in field {
        if isEscaped {
          switch byte {
          case UInt8(ascii: "t"): bytes.append(tab)
          case UInt8(ascii: "n"): bytes.append(newline)
          case UInt8(ascii: "r"): bytes.append(0x0D)
          default: bytes.append(byte)
          }
          isEscaped = false
        } else if byte == backslash {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func escape(_ text: String, into bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case tab: bytes += [backslash, UInt8(ascii: "t")]
      case newline: bytes += [backslash, UInt8(ascii: "n")]
      case 0x0D: bytes += [backslash, UInt8(ascii: "r")]
      case backslash: bytes += [backslash, backslash]
      default: bytes.append(byte)
      }
    }
  }

  /// The lower half of the FNV-1a digest in hexadecimal digits: against damage, not against
  /// attacks.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    var digest = RunningDigest()
    digest.add(bytes)
    return String(zeroPadded: UInt32(truncatingIfNeeded: digest.value), to: 8, radix: 16)
  }

  private static let tab = UInt8(ascii: "\t")
  private static let newline = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")
}

/// FNV-1a digest (64 bits) of bytes in any number of pieces.
struct RunningDigest {
  private(set) var value: UInt64

  /// - Parameter stored: of the bytes before.
  init(_ stored: Int64? = nil) {
    value = stored.map { UInt64(bitPattern: $0) } ?? 0xCBF2_9CE4_8422_2325
  }

  var stored: Int64 { Int64(bitPattern: value) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.value = value
  }

  static func of(_ bytes: some Sequence<UInt8>) -> Int64 {
    var digest = RunningDigest()
    digest.add(bytes)
    return digest.stored
  }
}

/// Step that appends records to this device's log.
enum LogAppending: Equatable {
  /// These bytes are missing at this offset.
  case write([UInt8], at: Int)
  /// The records are there.
  case nothing
  /// The file is not as this device has left it.
  case displaced

  /// - Parameters:
  ///   - found: the bytes of the file.
  ///   - log: as this device has left it, before the lines.
  init(_ lines: [UInt8], to found: [UInt8], after log: OwnLog) {
    let size = Int(log.size)
    let rest = found.dropFirst(size)
    guard found.count >= size, RunningDigest.of(found.prefix(size)) == log.digest,
      lines.starts(with: rest)
    else {
      self = .displaced
      return
    }
    self =
      rest.count == lines.count ? .nothing : .write(Array(lines[rest.count...]), at: found.count)
  }
}

extension LogPage {
  /// Reads the records of a file beyond `position`; all where the file no longer begins with what
  /// was read.
  ///
  /// - Parameter bytes: all of the file.
  init(of file: LogFile, _ bytes: [UInt8], after position: LogPosition?) {
    var known = 0
    if let position, position.size <= bytes.count,
      RunningDigest.of(bytes.prefix(Int(position.size))) == position.digest
    {
      known = Int(position.size)
    }
    let contents = LogText.contents(of: bytes, after: known)
    self.init(
      records: contents.records,
      position: LogPosition(
        path: file.path, size: Int64(contents.size),
        digest: RunningDigest.of(bytes.prefix(contents.size)), fingerprint: file.fingerprint),
      damaged: contents.damaged, isNewer: contents.isNewer)
  }
}
