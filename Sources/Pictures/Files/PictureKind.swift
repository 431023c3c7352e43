/// The formats of picture files that Telex can show.
package enum PictureKind: String, CaseIterable, Sendable {
  case png, jpeg, gif, webp, avif, ico

  /// The format by the signature at the beginning of a file, whatever its name or media type says; nil
  /// where it is none of these.
  package static func of(_ bytes: [UInt8]) -> PictureKind? {
    let reader = ByteReader(bytes)
    if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if reader.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if reader.has("GIF87a", at: 0) || reader.has("GIF89a", at: 0) { return .gif }
    if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) { return .webp }
    if AVIFHeader.isAVIF(reader) { return .avif }
    if ICOHeader(reader) != nil { return .ico }
    return nil
  }
}
