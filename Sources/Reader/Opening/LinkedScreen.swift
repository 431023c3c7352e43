internal import Screen

/// A screen above the panes whose links have numbers.
protocol LinkedScreen: ReaderScreen {
  /// The address of a link; nil where there is none of the number.
  func link(numbered number: Int, on size: Size) -> String?
}
