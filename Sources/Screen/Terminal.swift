/// The terminal the program draws on: cells go out, events come in.
///
/// Used from the main actor only. An implementation claims the terminal when it is made.
@MainActor
package protocol Terminal: AnyObject {
  /// The size in cells, as of the last resize.
  var size: Size { get }

  /// How many colours can be shown at once: 0 for none, 8, 16, or 256.
  var colors: Int { get }

  /// Draws the frame. Only cells that differ from the previous frame are sent.
  func present(_ frame: Frame)

  /// The events that have arrived; empty when there are none. Never waits.
  func events() -> [InputEvent]

  /// Takes the new size of the window over. The next `present` draws everything.
  func resize()

  /// Gives the terminal to another program (a pager, a shell) until `resume()`.
  func suspend()

  /// Takes the terminal back. The next `present` draws everything.
  func resume()

  /// Gives the terminal back as it was found, cursor shown. Harmless when done twice.
  func restore()
}
