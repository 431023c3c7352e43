internal import News
internal import Text

/// Which files make an article another one.
enum FileKinds {
  case all
  /// A picture that goes with a text is replaced at times, and of several sizes.
  case notPictures
}

extension [Enclosure] {
  /// Whether both lists name files, and none in common. They may move to another host.
  func areOther(than others: @autoclosure () throws -> [Enclosure], counting kinds: FileKinds)
    rethrows -> Bool
  {
    func places(_ files: [Enclosure]) -> Set<String> {
      Set(files.compactMap { kinds == .all || !$0.isImage ? $0.place : nil })
    }
    let mine = places(self)
    if mine.isEmpty { return false }
    let theirs = places(try others())
    return !theirs.isEmpty && mine.isDisjoint(with: theirs)
  }
}

extension Enclosure {
  /// Where it lies on its server.
  fileprivate var place: String {
    isImage ? Self.picturePath(url) : LinkIdentity.parts(of: url)?.page ?? url
  }

  /// What stands behind a picture's path says in which size.
  static func picturePath(_ url: String) -> String {
    String((LinkIdentity.parts(of: url)?.page ?? url).prefix { $0 != "?" })
  }
}
