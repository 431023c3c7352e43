internal import Foundation

/// The pictures of the demo, read once, and silence of any length for its enclosures.
struct MediaShelf: Sendable {
  private let files: [String: [UInt8]]

  static let empty = MediaShelf(files: [:])

  private init(files: [String: [UInt8]]) { self.files = files }

  /// - Throws: when the directory or a file in it cannot be read.
  init(directory: String) throws {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      files[name] = try [UInt8](Data(contentsOf: URL(fileURLWithPath: directory + "/" + name)))
    }
    self.init(files: files)
  }

  /// A file of the directory, or `silence-SECONDS.wav` up to a minute.
  func file(_ name: String) -> WireReply? {
    if let bytes = files[name] {
      return WireReply(headers: [("Content-Type", mediaType(of: name))], body: bytes)
    }
    guard name.hasPrefix("silence-"), name.hasSuffix(".wav"),
      let seconds = Int(name.dropFirst(8).dropLast(4)), (1...60).contains(seconds)
    else { return nil }
    return WireReply(headers: [("Content-Type", "audio/wav")], body: Self.silence(seconds))
  }

  /// RIFF/WAVE: PCM, one channel, 8000 samples a second of 8 bits.
  private static func silence(_ seconds: Int) -> [UInt8] {
    let count = UInt32(8000 * seconds)
    func little(_ value: UInt32, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    var bytes = Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(8000, 4)
    bytes += little(1, 2) + little(8, 2) + Array("data".utf8) + little(count, 4)
    return bytes + [UInt8](repeating: 128, count: Int(count))
  }
}
