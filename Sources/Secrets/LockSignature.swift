internal import Foundation

/// Whose a locked file is, written into it by the process that holds the lock, for those who wait. The
/// kernel's own table of locks is not there on every system.
package enum LockSignature {
  package static func write(to descriptor: Int32) {
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = pwrite(descriptor, text, text.count, 0)
  }

  /// To be done before the lock is released.
  package static func remove(from descriptor: Int32) { _ = ftruncate(descriptor, 0) }

  /// Nil where nobody has signed.
  package static func process(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(while: { $0 >= 0x30 && $0 <= 0x39 }), as: UTF8.self))
  }
}
