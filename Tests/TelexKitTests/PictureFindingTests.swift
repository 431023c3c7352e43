import Pictures
import Testing

@testable import TelexKit

struct PictureFindingTests {
  @Test func `The doctor names what is shown, and the packages of the rest`() {
    let all = PictureFinding.finding { _ in true }
    #expect(all.text == "JPEG, PNG, GIF, WebP, AVIF" && all.details.isEmpty)
    let some = PictureFinding.finding { $0 != .avif && $0 != .chafa }
    #expect(some.text == "JPEG, PNG, GIF, WebP")
    #expect(
      some.details == [
        "AVIF as words: install libheif1 (Homebrew: libheif)",
        "cells are half blocks: install libchafa0 (Homebrew: chafa)",
      ])
    #expect(PictureFinding.finding { _ in false }.text == "their descriptions alone")
  }
}
