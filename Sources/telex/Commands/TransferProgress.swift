internal import ArgumentParser
internal import Foundation
internal import News
internal import Synchronization
internal import TelexKit

extension OutputOptions {
  /// Shows the progress of a transfer until it is done; Ctrl-C pauses it.
  func wait(for asked: Transfer, in transfers: Transfers) async throws -> Transfer {
    let isQuiet = json
    let word = asked.isUpload ? "upload" : "download"
    let ended: Transfer?
    do {
      ended = try await untilInterrupted {
        let lines = DownloadLines(isQuiet: isQuiet)
        defer { lines.end() }
        return try await transfers.follow(asked.id) { lines.show($0) }
      }
    } catch let code as ExitCode {
      try? transfers.change([asked.id], .pause)
      if !isQuiet {
        Output.complain("Paused; telex transfers --resume \(asked.id) continues it.")
      }
      throw code
    }
    guard let ended else {
      throw SourceError(
        .cancelled, stage: .fetch, subject: asked.address, message: "the \(word) was dropped")
    }
    if [.done, .failed].contains(ended.state) { try transfers.noteReported(ended.id) }
    guard ended.state == .done else { throw ended.error ?? stopped(ended, word) }
    return ended
  }

  private func stopped(_ transfer: Transfer, _ word: String) -> SourceError {
    SourceError(
      .cancelled, stage: .fetch, subject: transfer.address,
      message: transfer.state == .paused ? "the \(word) is paused" : "the \(word) is waiting",
      next: "telex transfers --resume \(transfer.id) continues it")
  }
}

/// Progress on standard error: one line that is redrawn on a terminal, else a line every few
/// seconds.
private final class DownloadLines: Sendable {
  /// Between two lines without a terminal.
  private static let interval: Duration = .seconds(5)

  private let isQuiet: Bool
  private let last = Mutex<ContinuousClock.Instant?>(nil)
  private let turn = Mutex(0)

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func show(_ transfer: Transfer) {
    guard !isQuiet, transfer.state.isOpen else { return }
    if Output.showsProgress {
      let number = turn.withLock { number in
        number += 1
        return number
      }
      return Output.progress(TransferLine.progress(of: transfer, turn: number))
    }
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      if transfer.state != .running || last.map({ now - $0 < Self.interval }) ?? false {
        return false
      }
      last = now
      return true
    }
    if isDue { Output.complain("\(transfer.name): \(TransferLine.words(of: transfer))") }
  }

  func end() { if !isQuiet { Output.endProgress() } }
}

/// The progress of a transfer in one line.
enum TransferLine {
  /// Share, bytes, rate and time left, as far as they are known.
  static func words(of transfer: Transfer) -> String {
    var words: [String] = []
    if let percent = transfer.percent, transfer.state != .done { words.append("\(percent) %") }
    words.append(TransferWords.progress(of: transfer))
    if transfer.state == .running {
      if let rate = transfer.rate { words.append("\(TransferWords.bytes(Int64(rate)))/s") }
      if let left = transfer.secondsLeft { words.append("\(TransferWords.seconds(left)) left") }
    }
    return words.joined(separator: " · ")
  }

  /// With a bar, or a spinner where the size is unknown, at most as wide as the terminal.
  static func progress(of transfer: Transfer, turn: Int) -> String {
    var line: String
    if let share = transfer.share {
      line = Output.bar(filled: Int(share * 16), of: 16)
    } else {
      let signs: [Character] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
      line = String(signs[turn % signs.count])
    }
    line += " " + words(of: transfer)
    if let next = transfer.nextAttempt {
      line += " · again in \(max(1, Int(next.timeIntervalSinceNow.rounded(.up)))) s"
    }
    return String(line.prefix(Output.errorWidth - 1))
  }
}
