internal import Foundation
internal import News
internal import Reader
internal import TelexKit

/// Copies addresses by the terminal or tmux, and by the command of the settings.
struct CopyingPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func copy(_ text: String) {
    guard TmuxBuffer.isThere(ProcessInfo.processInfo.environment) else {
      return finish(text, isTaken: context.program.copy(text))
    }
    let hasCommand = place.copyCommand != nil
    if hasCommand { finish(text, isTaken: true) }
    scheduler.start(nil) {
      let isTaken = await TmuxBuffer.take(text)
      await copyBehindTmux(text, isTaken: isTaken, isTold: !hasCommand)
    }
  }

  private func copyBehindTmux(_ text: String, isTaken: Bool, isTold: Bool) {
    let isHandedOn = isTaken || context.program.copy(text)
    guard isTold else { return }
    guard isHandedOn else { return finish(text, isTaken: false) }
    inbox.send(.opening(.copied(text, by: isTaken ? .tmux : .terminalBehindTmux)))
  }

  /// - Parameter isTaken: whether the terminal has the text.
  private func finish(_ text: String, isTaken: Bool) {
    guard let words = place.copyCommand else {
      guard !isTaken else { return inbox.send(.opening(.copied(text))) }
      return inbox.send(
        .failed(
          SourceError(
            .program, stage: .config, subject: "", message: "this terminal cannot copy",
            next: "name a program with screen.copy_command in the settings")))
    }
    start {
      let end = await ChildProgram(words[0], words).run(input: Array(text.utf8)) { _ in }
      guard end != .exited(0) else { return .opening(.copied(text)) }
      throw SourceError(
        .program, stage: .config, subject: words[0], message: "it could not copy the address",
        next: "check screen.copy_command in the settings")
    }
  }
}
