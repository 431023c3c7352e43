internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The screen of what waits to be played.
@Suite struct QueueTests {
  static let files = (1...3).map { number in
    QueuedFile(
      id: Int64(number), article: ArticleID(Int64(number)), title: "Episode \(number)",
      feedTitle: "Daily",
      file: Enclosure(url: "https://e.org/\(number).mp3", type: "audio/mpeg", duration: 600),
      playback: number == 2 ? Playback(seconds: 125) : nil)
  }

  private func session(width: Int = 100, files: [QueuedFile] = files) -> Session {
    var session = Session(Sample.rows(1...3), width: width, height: 24)
    #expect(session.send(keys: "E") == [.queue(.observe)])
    _ = session.state.reduce(.queue(.arrived(files)))
    return session
  }

  @Test func `It shows the files in their order, how far they were played, and how long all is`() {
    let session = session()
    let lines = session.lines
    #expect(lines[0].contains("Queue · 3") && lines[0].contains("27:55"))
    #expect(lines[1].contains("Episode 1") && lines[1].contains("10:00"))
    #expect(lines[2].contains("Episode 2") && lines[2].contains("2:05 of 10:00"))
    #expect(lines.contains { $0.contains("https://e.org/1.mp3") })
    for width in [40, 12, 1] { _ = self.session(width: width).state.render() }
  }

  @Test func `Its commands play what is selected and what follows, move it, and take it out`() {
    var session = session()
    #expect(session.send(keys: "j<Enter>") == [.queue(.play([2, 3]))])
    #expect(session.send(keys: "+") == [.queue(.change(.up([2])))])
    #expect(session.send(keys: "-") == [.queue(.change(.down([2])))])
    #expect(session.send(keys: "d") == [.queue(.change(.remove([2])))])
    // The selection stays with the file, wherever it is.
    _ = session.state.reduce(.queue(.arrived([Self.files[1], Self.files[0], Self.files[2]])))
    #expect(session.send(keys: "p") == [.queue(.play([2, 1, 3]))])
    #expect(
      session.send(keys: ":clear-queue<Enter>") == [.preferences(.keepCommand("clear-queue"))])
    #expect(session.lines.last?.contains("Empty the queue of 3 episodes") == true)
    #expect(session.send(keys: "y") == [.queue(.change(.clear))])
    #expect(session.send(keys: "q") == [.cancel(.queue)])
  }

  @Test func `Selected episodes are moved, removed and played together, and no others`() {
    var session = session()
    session.send(keys: "vjv")
    #expect(session.lines[0].contains("Queue · 3, 2 selected"))
    #expect(session.send(keys: "+") == [.queue(.change(.up([1, 3])))])
    #expect(session.send(keys: "-") == [.queue(.change(.down([1, 3])))])
    #expect(session.send(keys: "d") == [.queue(.change(.remove([1, 3])))])
    #expect(session.send(keys: "p") == [.queue(.play([1, 3]))])
    #expect(!session.lines[0].contains("selected"))
  }

  @Test func `It says when it is empty, and how a file comes there`() {
    var session = session(files: [])
    #expect(session.lines.contains { $0.contains("The queue is empty.") })
    #expect(session.lines.contains { $0.contains("e on an article adds its episode.") })
    #expect(
      !session.send(keys: "p").contains { if case .queue(.play) = $0 { true } else { false } })
    session.send(keys: "q")
    #expect(session.state.stack.topPage == nil)
  }

  @Test func `A key puts the file of an article there, and where it has several asks which`() {
    var session = Session(Sample.rows(1...3))
    #expect(session.send(keys: "e") == [.queue(.toggle(ArticleID(3), file: nil))])
    _ = session.state.reduce(
      .opening(
        .filesFound(
          ArticleID(3), title: "Three", Self.files.map(\.file), for: .queue)))
    #expect(session.send(keys: "j<Enter>") == [.queue(.toggle(ArticleID(3), file: 1))])
    _ = session.state.reduce(.queue(.changed(isAdded: true, count: 2)))
    #expect(
      session.lines.last?.contains(
        "Added the episode to the queue, now 2 episodes. E shows the queue.") == true)
    _ = session.state.reduce(.queue(.changed(isAdded: false, count: 1)))
    #expect(
      session.lines.last?.contains("Removed the episode from the queue, now 1 episode.") == true)
  }
}
