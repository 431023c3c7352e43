import Screen
import Testing

@testable import CursesTerminal

struct PaletteTests {
  @Test(
    arguments: [
      // Foreground and background as asked, then as shown with eight colours.
      (1, nil, 1, -1), (9, nil, 1, -1), (196, nil, 1, -1), (208, nil, 3, -1), (21, 17, 4, 0),
      (8, nil, 7, -1), (240, nil, 7, -1), (0, nil, 0, -1), (nil, 236, -1, 0), (nil, 254, -1, 7),
      (231, 254, 0, 7), (240, 236, 7, 0), (1, 1, 1, 1),
    ] as [(UInt8?, UInt8?, Int32, Int32)])
  func `Eight colours stand for 256`(
    foreground: UInt8?, background: UInt8?, shownForeground: Int32, shownBackground: Int32
  ) {
    let style = Style(
      foreground.map(Color.palette) ?? .standard, on: background.map(Color.palette) ?? .standard)
    let pair = ColorPair(style, colors: 8)
    #expect(pair.foreground == shownForeground)
    #expect(pair.background == shownBackground)
  }

  @Test(
    arguments: [
      (1, nil, 1, -1), (9, 4, 9, 4), (196, nil, 9, -1), (255, nil, 7, -1), (21, 17, 4, 0),
      (245, nil, 8, -1), (nil, 236, -1, 0), (nil, 254, -1, 7), (231, 15, 0, 15), (16, 0, 15, 0),
    ] as [(UInt8?, UInt8?, Int32, Int32)])
  func `Sixteen colours stand for 256`(
    foreground: UInt8?, background: UInt8?, shownForeground: Int32, shownBackground: Int32
  ) {
    let style = Style(
      foreground.map(Color.palette) ?? .standard, on: background.map(Color.palette) ?? .standard)
    let pair = ColorPair(style, colors: 16)
    #expect(pair.foreground == shownForeground)
    #expect(pair.background == shownBackground)
  }

  @Test(arguments: [8, 16]) func `Colours that differ stay apart`(_ colors: Int) {
    for foreground in UInt8.min...UInt8.max {
      for background in UInt8.min...UInt8.max where background != foreground {
        let style = Style(.palette(foreground), on: .palette(background))
        let pair = ColorPair(style, colors: colors)
        guard pair.foreground != pair.background else {
          Issue.record("\(foreground) on \(background) is not readable")
          return
        }
      }
    }
  }
}
