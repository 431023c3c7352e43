internal import Screen
internal import Testing

@testable import Reader

struct ThemeTests {
  @Test(arguments: Scene.all)
  func `Without colours no cell has one`(_ scene: Scene) throws {
    for size in scene.sizes {
      let frame = try scene.state(at: size, theme: .none).render()
      #expect(
        frame.cells.allSatisfy {
          $0.style.foreground == .standard && $0.style.background == .standard
        })
    }
  }

  @Test(arguments: [Theme.none, .dark, .light])
  func `What is selected, unread or a link looks different from plain text`(_ theme: Theme) {
    let styles = [theme.text, theme.dim, theme.unread, theme.selected, theme.selectedElsewhere]
    #expect(Set(styles).count == styles.count)
    #expect(theme.link != theme.text && theme.status != theme.text && theme.error != theme.text)
  }

  @Test(arguments: Scene.all)
  func `A theme changes no text`(_ scene: Scene) throws {
    for size in scene.sizes {
      let plain = try scene.state(at: size).render().text
      #expect(try scene.state(at: size, theme: .dark).render().text == plain)
      #expect(try scene.state(at: size, theme: .light).render().text == plain)
    }
  }
}
