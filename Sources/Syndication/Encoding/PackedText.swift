internal import Text

package import struct Foundation.Data

/// A file that was packed with gzip.
package enum PackedText {
  /// The unpacked bytes; nil where it is no gzip, is cut off, or holds more bytes than the limit.
  package static func unpacked(_ data: Data, limit: Int) -> [UInt8]? {
    let unpacking = Unpacking(limit: limit)
    var bytes: [UInt8] = []
    [UInt8](data).withUnsafeBufferPointer { packed in
      unpacking.unpack(packed) { bytes += $0 }
    }
    return unpacking.trouble == .none ? bytes : nil
  }
}
