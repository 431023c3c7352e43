package import struct Foundation.Date

/// What an article said before its feed changed it: the version that the user saw last.
package struct FormerText: Hashable, Sendable {
  package var title: String?
  package var contentHTML: String?
  package var summary: String?
  /// Whether the text was short enough to be kept; else only the title is here.
  package var isWhole: Bool
  /// When the first change since then was stored.
  package var changed: Date

  package init(
    title: String?, contentHTML: String?, summary: String?, isWhole: Bool, changed: Date
  ) {
    self.title = title
    self.contentHTML = contentHTML
    self.summary = summary
    self.isWhole = isWhole
    self.changed = changed
  }
}
