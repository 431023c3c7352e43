/// A link that shows, or a part of one, on a line of the screen.
struct LinkPlace: Hashable, Sendable {
  /// As the article numbers its links, from 1.
  let number: Int
  let url: String
  /// The columns and the row on the screen.
  let x: Int
  let width: Int
  let y: Int
}
