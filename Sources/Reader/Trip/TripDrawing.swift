internal import News
internal import Screen

extension TripState {
  /// Draws the packed articles, the progress or the result of the packing, and the keys.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (theme, size) = (state.theme, state.size)
    let pane = Rect(x: 0, y: 0, width: size.width, height: size.height)
    frame.putHeading(
      TripStrings.heading, note: Self.note(in: state), isFocused: true, in: pane, theme)
    let end = max(1, size.height - 1)
    var y = size.height >= 8 ? 2 : size.height >= 3 ? 1 : 0
    for (text, style) in lines(in: state) {
      for line in TextWrapping.wrap(text, width: max(1, size.width - 4)) {
        guard y < end else { return }
        frame.put(line, x: 2, y: y, style: style, width: size.width - 2)
        y += 1
      }
    }
  }

  private static func note(in state: ReaderState) -> String {
    if case .running(let report) = state.packing { return "packing \(report.percent) %" }
    return ""
  }

  static func bar(_ percent: Int, columns: Int) -> String {
    let cells = max(4, min(40, columns))
    let filled = percent * cells / 100
    return String.bar(filled, of: cells)
      + " \(percent) %"
  }

  static func time(_ seconds: Int) -> String {
    seconds < 5_400 ? "\((seconds + 59) / 60) min" : "\((seconds + 1_800) / 3_600) h"
  }
}
