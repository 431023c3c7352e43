internal import Text

/// The repaired text, with the number of the line that it ends in.
///
/// Most bytes are passed on as they are: they are copied in one piece as soon as one is to be left out,
/// or another to be put in.
struct RepairOutput {
  /// The repaired bytes that have not been read yet.
  var ready: [UInt8] = []
  var warnings = ParseWarnings()
  /// The number of the line in which the first byte begins that is not repaired yet.
  var line: Int
  /// The index in the input up to which bytes are in the output or left out.
  private(set) var copied = 0
  /// The index in the input up to which line ends are counted.
  private var counted = 0

  init(line: Int) { self.line = line }

  /// Begins with other input.
  mutating func begin() {
    copied = 0
    counted = 0
  }

  /// Leaves out the bytes before `end` that are not in the output yet.
  mutating func passOver(to end: Int) { copied = end }

  mutating func settle(_ bytes: ByteBuffer, to index: Int) {
    flush(bytes, to: index)
    countLines(in: bytes, to: index)
  }

  mutating func flush(_ bytes: ByteBuffer, to end: Int) {
    if copied < end { ready.append(contentsOf: bytes[copied..<end]) }
    copied = max(copied, end)
  }

  /// Leaves out a range; what takes its place is to be appended next. Its line ends stay, so that lines
  /// are counted alike before and after.
  mutating func drop(_ bytes: ByteBuffer, _ range: Range<Int>) {
    flush(bytes, to: range.lowerBound)
    copied = range.upperBound
    let dropped = ByteBuffer(rebasing: bytes[range])
    var place = 0
    while let end = dropped.firstIndex(of: 0x0A, from: place) {
      ready.append(0x0A)
      place = end + 1
    }
  }

  mutating func put(_ text: StaticString) {
    ready.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func warn(
    _ cause: @autoclosure () -> String, _ bytes: ByteBuffer, at index: Int
  ) {
    guard warnings.takesMore() else { return }
    let cause = cause()
    countLines(in: bytes, to: index)
    warnings.add(cause, line: line)
  }

  mutating func countLines(in bytes: ByteBuffer, to end: Int) {
    while counted < end, let lineEnd = bytes.firstIndex(of: 0x0A, in: counted..<end) {
      line += 1
      counted = lineEnd + 1
    }
    counted = max(counted, end)
  }
}
