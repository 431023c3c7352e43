import Screen
import Testing

@testable import CursesTerminal

/// What is believed of a window's size in pixels.
struct CellSizeTests {
  @Test(arguments: [
    ((800, 480), (80, 24), (10, 20)), ((2000, 1500), (200, 60), (10, 25)),
    // A margin of the window counted in.
    ((804, 484), (80, 24), (10, 20)), ((240, 144), (80, 24), (3, 6)),
  ])
  func `A cell is the window's part`(
    window: (Int, Int), cells: (Int, Int), cell: (Int, Int)
  ) {
    #expect(
      CellSize.of(
        window: Size(width: window.0, height: window.1),
        cells: Size(width: cells.0, height: cells.1)) == Size(width: cell.0, height: cell.1))
  }

  @Test(arguments: [
    ((0, 0), (80, 24)), ((80, 24), (80, 24)), ((65_535, 65_535), (80, 24)),
    ((800, 65_535), (80, 24)), ((1600, 240), (80, 24)), ((800, 800), (80, 20)),
    ((800, 480), (0, 0)),
  ])
  func `What no font has is not believed`(window: (Int, Int), cells: (Int, Int)) {
    #expect(
      CellSize.of(
        window: Size(width: window.0, height: window.1),
        cells: Size(width: cells.0, height: cells.1)) == nil)
  }
}
