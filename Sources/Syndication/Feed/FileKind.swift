enum FileKind {
  /// The declared type, or else a kind (`image/*`) by `medium` or the file name extension.
  static func type(_ type: String?, medium: String? = nil, of url: String) -> String? {
    if let type, type.contains("/") { return type }
    let word = (type ?? medium)?.lowercased()
    if let word, ["image", "audio", "video"].contains(word) { return word + "/*" }
    return kind(ofExtension: word) ?? kind(ofExtension: pathExtension(of: url)) ?? type
  }

  private static func pathExtension(of url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."), path[dot...].utf8.count <= 5 else { return nil }
    return path[path.index(after: dot)...].lowercased()
  }

  private static func kind(ofExtension name: String?) -> String? {
    switch name {
    case "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "heic": "image/*"
    case "mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav": "audio/*"
    case "mp4", "m4v", "mov", "webm", "mkv", "ogv": "video/*"
    default: nil
    }
  }
}
