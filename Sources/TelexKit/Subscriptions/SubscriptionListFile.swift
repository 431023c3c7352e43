internal import Foundation
package import News
internal import Store
internal import Syndication
internal import Text

extension SubscriptionList {
  /// Reads a list from a text file.
  ///
  /// - Parameter file: its path; `-` is standard input.
  /// - Throws: `SubscriptionListMistakes`, `SourceError`.
  package init(file: String) throws {
    let name = file == "-" ? "standard input" : (file as NSString).lastPathComponent
    let (list, mistakes) = SubscriptionText.read(try InputDocument.bytes(of: file))
    guard mistakes.isEmpty else {
      throw SubscriptionListMistakes(
        errors: mistakes.map {
          SourceError(
            .decoding, stage: .parse, subject: "\(name):\($0.line):\($0.column)",
            message: $0.message)
        })
    }
    self = list
  }

  /// The list as text.
  ///
  /// - Parameter isForEditing: whether it has names beside addresses, and help above.
  package func text(isForEditing: Bool) -> String {
    let help = [
      "A feed is a line with its address; what is set for it stands below, indented:",
      "title, folder, proxy, \(FeedSetting.allCases.map(\.rawValue).joined(separator: ", ")).",
      "[News/World] puts the feeds below it into that folder. What is deleted is removed.",
    ]
    return SubscriptionText.write(
      self, comment: isForEditing ? help : ["Feeds for telex apply"], namesFeeds: isForEditing)
  }
}

/// Lines of a list that cannot be read, at least one.
package struct SubscriptionListMistakes: Error {
  /// The subject of each is the place: file, line and column.
  package let errors: [SourceError]

  /// The first of them, with the next step.
  package var summary: SourceError {
    var error = errors[0]
    error.next = errors.count == 1 ? "nothing has changed" : "nothing has changed; see above"
    return error
  }
}

extension Subscriptions {
  /// All subscriptions as a list of text. No name and no password is in it.
  package func list() throws -> SubscriptionList {
    let (feeds, outlines) = try composition.store.viewNow {
      (try $0.feeds.all(), try $0.outlines.ofFeeds())
    }
    let counts = Dictionary(grouping: feeds.filter { !$0.isOfServersList }, by: \.url)
    return SubscriptionList(
      feeds.map { feed in
        let isAlone = !feed.isOfServersList && (counts[feed.url]?.count ?? 0) < 2
        return SubscriptionList.Feed(
          feed, hasOwnTitle: outlines[feed.id]?.hasOwnTitle == true, namesAccount: !isAlone)
      })
  }
}

extension Feed {
  /// Whether the server of its account keeps the subscription.
  fileprivate var isOfServersList: Bool { account.capabilities.contains(.subscriptions) }
}

extension SubscriptionList.Feed {
  /// - Parameter namesAccount: whether it takes the account to tell which feed it is.
  fileprivate init(_ feed: News.Feed, hasOwnTitle: Bool, namesAccount: Bool) {
    var settings: [FeedSetting: String] = [:]
    for setting in FeedSetting.allCases {
      settings[setting] = setting.text(in: feed.settings).map(PlainText.sanitized)
    }
    let owner =
      namesAccount && feed.account.id != .local
      ? SubscriptionList.Owner(base: feed.account.base, user: feed.account.user) : nil
    self.init(
      owner: owner, url: WebAddress.withoutUser(feed.url), title: hasOwnTitle ? feed.title : nil,
      folders: feed.folders, settings: settings, proxy: feed.proxy, hasRecipe: feed.recipe != nil)
    otherURLs = feed.settings.otherURLs
    id = feed.id
    name = hasOwnTitle ? nil : feed.title
  }
}
