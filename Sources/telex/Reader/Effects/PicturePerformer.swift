internal import CursesTerminal
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

/// Loads pictures of articles, and icons of feeds.
@MainActor
final class PicturePerformer: EffectPerformer {
  nonisolated let context: EffectContext
  let pictures: ArticlePictures
  /// Nil until the terminal is known.
  var style: PictureStyle?
  private var tmuxQuestion: Task<Bool, Never>?

  init(_ context: EffectContext) {
    self.context = context
    pictures = ArticlePictures(context.composition)
  }

  /// - Parameter look: nil to show pictures as words.
  func show(_ look: PictureLook?) -> PictureShow {
    PictureShow(pictures: pictures, style: style, look: look, subscriptions: subscriptions)
  }

  func perform(_ effect: Effect.Pictures, _ look: PictureLook?) {
    let (id, pictures) = (effect.id, pictures)
    switch effect {
    case .load(let wish):
      start(id, { .pictures(.failed(wish, reason: $0.message)) }) { [self] in
        let support = await pixelSupport()
        let picture = try await show(look).picture(wish, support)
        return picture.map { .pictures(.arrived(wish, $0)) }
      }
    case .loadIcon(let feed, let mayFetch):
      let icons = FeedIcons(composition, pictures)
      start(id) { [self] in
        guard let support = await pixelSupport() else {
          return .pictures(.iconsOutdated(canShow: false))
        }
        // A missing icon is no failure.
        let icon = try? await show(look).icon(of: feed, icons, mayFetch: mayFetch, support)
        return icon.map { .pictures(.iconArrived(feed, $0)) }
      }
    case .keep(let feed, let urls):
      scheduler.start(id) { try? await pictures.keep(urls, of: feed) }
    }
  }

  private func pixelSupport() async -> PixelSupport? {
    await context.program.pixelSupport(isThroughTmux: passesTmux())
  }

  /// Whether tmux passes pictures. It is asked once; the task is shared by pictures.
  private func passesTmux() async -> Bool {
    guard [.auto, .kitty].contains(composition.settings.pictures.drawing) else { return false }
    if let tmuxQuestion { return await tmuxQuestion.value }
    let question = Task {
      await TmuxAnswer.get(ProcessInfo.processInfo.environment)?.passesPictures == true
    }
    tmuxQuestion = question
    return await question.value
  }
}
