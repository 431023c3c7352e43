internal import CNcurses

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Output of ncurses, sent to the terminal in one piece for each frame.
///
/// ncurses 6.4 empties its buffer with each movement of the cursor (`mvcur`): a frame of 24 lines is sixty writes, each of
/// which wakes the terminal, or is a packet over ssh. While a frame is drawn, ncurses' descriptor is that of a file in
/// memory, which is then sent. The other descriptors of the terminal stay, so that a crash within a frame restores it.
@MainActor
final class FrameOutput {
  /// Of the process, as its terminal is. Never closed: ncurses may write to it until the end.
  static let shared = FrameOutput()

  /// The stream that `newterm` gets; nil where there was no descriptor left.
  let stream: UnsafeMutablePointer<FILE>?
  /// Below 0 where the system has no files in memory.
  private let memory: Int32
  private var isGathering = false

  private init() {
    stream = telex_open_output()
    memory = stream == nil ? -1 : telex_open_memory()
  }

  /// Runs the body, which writes a frame, and then sends the output of ncurses and `TerminalLine`. Where the system has no
  /// files in memory, it is sent at once.
  func gather(_ body: () -> Void) {
    guard let stream, memory >= 0, !isGathering, lseek(memory, 0, SEEK_SET) == 0 else {
      return body()
    }
    let own = fileno(stream)
    guard telex_point(own, memory) else { return body() }
    isGathering = true
    TerminalLine.gather(in: memory)
    body()
    isGathering = false
    let length = Int(lseek(memory, 0, SEEK_CUR))
    TerminalLine.gather(in: nil)
    _ = telex_point(own, TerminalLine.output)
    TerminalLine.write(contents(length))
    if length > Self.most { ftruncate(memory, 0) }
  }

  /// Bytes of memory that are kept for the next frame, at most.
  private static let most = 1 << 20

  private func contents(_ length: Int) -> [UInt8] {
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        let got = pread(memory, buffer.baseAddress! + count, length - count, off_t(count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
    }
  }
}
