// The front door of the module: a `Frame` is the picture that is drawn, a `Terminal` shows it.

/// Contents of a cell: a Unicode scalar, or an entry in its frame's table of clusters.
package struct Glyph: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ scalar: Unicode.Scalar) { rawValue = scalar.value }

  init(cluster index: Int) { rawValue = Glyph.firstCluster + UInt32(index) }

  package static let space = Glyph(" ")

  /// Above every Unicode scalar.
  static let firstCluster: UInt32 = 0x11_0000

  var clusterIndex: Int? {
    rawValue >= Glyph.firstCluster ? Int(rawValue - Glyph.firstCluster) : nil
  }
}

package struct Cell: Hashable, Sendable {
  package var glyph: Glyph
  /// Columns: 1, 2 for a wide glyph, and 0 for the cell that a wide glyph covers.
  package var width: UInt8
  /// The place of a picture in its frame's list, from 1; 0 for none with pixels. Drawing over the picture resets it.
  var picture: UInt8 = 0
  package var style: Style

  package init(_ glyph: Glyph = .space, width: UInt8 = 1, style: Style = .plain) {
    self.glyph = glyph
    self.width = width
    self.style = style
  }

  package static let blank = Cell()
}

/// A picture of the whole screen, as a value.
///
/// Writing outside the frame does nothing; a wide glyph is never cut in half: where only one of its
/// columns fits, a space stands instead.
package struct Frame: Hashable, Sendable {
  package let size: Size
  package internal(set) var cells: [Cell]
  /// Pictures of the frame that have pixels, whether their cells show or not.
  var pictures: [FramePicture] = []
  /// Texts that are read from right to left. Their cells are in the order of the text nonetheless.
  package internal(set) var stretches: [TextStretch] = []
  /// Where the terminal's cursor is shown; nil hides it.
  package var cursor: (x: Int, y: Int)? {
    get { cursorX < 0 ? nil : (cursorX, cursorY) }
    set { (cursorX, cursorY) = newValue ?? (-1, -1) }
  }

  /// Clusters of more than one scalar: a base and its combining marks, five scalars at most.
  private var clusters: [[Unicode.Scalar]] = []
  private var clusterIndices: [[Unicode.Scalar]: Int] = [:]
  private var cursorX = -1
  private var cursorY = -1

  package init(size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  /// One cell. Setting it writes the cell as it is; `put` keeps wide glyphs whole and controls out.
  package subscript(x: Int, y: Int) -> Cell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }

  package func row(_ y: Int) -> ArraySlice<Cell> {
    cells[y * size.width..<(y + 1) * size.width]
  }

  /// The scalars that a glyph of this frame stands for.
  package func scalars(of glyph: Glyph) -> [Unicode.Scalar] {
    if let index = glyph.clusterIndex { return clusters[index] }
    return [Unicode.Scalar(glyph.rawValue) ?? " "]
  }

  /// The glyph of this frame for a base and its marks. Equal clusters are one glyph.
  package mutating func glyph(of cluster: [Unicode.Scalar]) -> Glyph {
    if cluster.count == 1 { return Glyph(cluster[0]) }
    if let index = clusterIndices[cluster] { return Glyph(cluster: index) }
    clusters.append(cluster)
    clusterIndices[cluster] = clusters.count - 1
    return Glyph(cluster: clusters.count - 1)
  }
}
