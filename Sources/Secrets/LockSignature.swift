internal import Foundation

/// Process id in a locked file, written by the holder of the lock for those who wait: not every system has a table of
/// locks.
package enum LockSignature {
  package static func write(to descriptor: Int32) {
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = pwrite(descriptor, text, text.count, 0)
  }

  /// To be done before the lock is released.
  package static func remove(from descriptor: Int32) { _ = ftruncate(descriptor, 0) }

  /// The process that holds the lock; nil where none has signed.
  package static func process(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(while: { $0 >= 0x30 && $0 <= 0x39 }), as: UTF8.self))
  }
}
