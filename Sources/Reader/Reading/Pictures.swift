package import News
internal import Screen

/// The width and height of a picture, or of a cell of the terminal, in pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Of a cell where the terminal does not tell.
  package static let usualCell = PixelSize(width: 10, height: 20)
}

/// The room for pictures of an article, and the sizes of those that are here.
package struct PictureRoom: Sendable {
  /// The rows that the tallest picture may take.
  package var rows: Int
  package var cell: PixelSize
  /// The size of the picture at an address; nil for one that is not here. It reads files.
  package var size: @Sendable (String) -> PixelSize?

  package init(
    rows: Int, cell: PixelSize = .usualCell, size: @escaping @Sendable (String) -> PixelSize?
  ) {
    self.rows = max(1, rows)
    self.cell = PixelSize(width: max(1, cell.width), height: max(1, cell.height))
    self.size = size
  }

  /// The cells that a picture of a size fills: no more than it has pixels for, no wider than `columns`, and no taller
  /// than `rows`, its shape kept.
  func cells(of size: PixelSize, columns: Int) -> (columns: Int, rows: Int) {
    let width = max(1, size.width)
    let height = max(1, size.height)
    func rows(atWidth columns: Int) -> Int {
      max(1, (columns * cell.width * height + width * cell.height / 2) / (width * cell.height))
    }
    var wide = min(max(1, columns), max(1, (width + cell.width - 1) / cell.width))
    if rows(atWidth: wide) > self.rows {
      let fitting = self.rows * cell.height * width / (height * cell.width)
      wide = min(wide, max(1, fitting))
    }
    return (wide, min(self.rows, rows(atWidth: wide)))
  }

  /// The room for a picture that nothing is known of: it is fitted into it, and nothing moves when it comes.
  func cellsOfUnknown(columns: Int) -> (columns: Int, rows: Int) {
    cells(of: PixelSize(width: 16 * 60, height: 9 * 60), columns: columns)
  }
}

/// The place of a picture in an article: its own address and the cells that are kept for it.
package struct PagePicture: Hashable, Sendable {
  package var url: String
  package var alt: String
  package var columns: Int
  package var rows: Int
  /// The line that it begins on.
  package internal(set) var line: Int
  package var link: Int?
}

/// A picture that is to be shown in so many cells.
package struct PictureWish: Hashable, Sendable {
  package var article: ArticleID
  package var feed: FeedID
  package var url: String
  package var columns: Int
  package var rows: Int
  /// Whether it is enlarged to them where it has fewer pixels.
  package var fills = false
}

extension PictureWish {
  init(_ picture: PagePicture, of article: Article) {
    self.init(
      article: article.id, feed: article.feedID, url: picture.url, columns: picture.columns,
      rows: picture.rows)
  }
}

enum PicturePhase: Hashable, Sendable {
  case waiting
  case shown(CellPicture)
  /// Why it does not show, in a few words.
  case failed(String)

  /// The memory of its pixels, in bytes.
  var pixelBytes: Int {
    if case .shown(let picture) = self { picture.pixels?.bytes ?? 0 } else { 0 }
  }
}

extension PicturePhase? {
  /// The text in the place of a picture that does not show.
  func words(alt: String) -> String {
    let what = ReadingStrings.picture(alt)
    return switch self {
    case .failed(let reason): "[\(what)] \(reason)"
    case .waiting, nil: "[\(what)] …"
    case .shown: ""
    }
  }
}

/// How pictures are shown.
package struct PictureLook: Hashable, Sendable {
  package var rows: Int
}

extension ReaderState {
  /// How pictures of articles are shown; nil where they are left as words.
  package var pictureLook: PictureLook? {
    guard showsPictures else { return nil }
    // Some of the text around it shows, too.
    return PictureLook(rows: max(1, lines(of: .article) * 2 / 3))
  }

  /// Whether pictures are shown: by the key where it was pressed, else by the settings and those of the feed.
  var showsPictures: Bool {
    picturesByKey ?? (settings.showsPictures && fetchesPictures)
  }

  /// Whether pictures of the open article are fetched before the user asks for them.
  var fetchesPictures: Bool {
    let feed = (article?.row?.feedID ?? article?.page?.article.feedID).flatMap(feed)
    return !savesData || (feed?.settings.metered ?? settings.metered).includes(.pictures)
  }
}
