internal import News
internal import Text

enum PromptStrings {
  static let searchesAll = "All articles are already being searched."
  static func mistake(in setting: String, _ mistake: String) -> String { "\(setting): \(mistake)." }
  static func queryMistake(_ mistake: String) -> String { "The query has a mistake: \(mistake)." }
  static func foundAsWords(_ mistake: String) -> String {
    "\(queryMistake(mistake)) The list shows articles with its words."
  }
  static func markAllRead(_ count: Int, in list: String) -> String {
    "Mark \(quantity(count, "article")) in \(list) as read"
  }
  static func label(
    of purpose: Prompt.Purpose, isNarrow: Bool, naming name: (Timeline) -> String
  ) -> String {
    switch purpose {
    case .addFeed(nil): "Subscribe to: "
    case .addFeed(let account?): "Subscribe in \(account.displayName) to: "
    case .signInAddress: isNarrow ? "Sign in to: " : "Sign in to (or file:FOLDER): "
    case .signInName(let address): "User name at \(WebAddress.host(of: address) ?? address): "
    case .signInPassword: "Password: "
    case .search(let search):
      search.scope.map { "Find in \(name($0)): " }
        ?? (isNarrow ? "Find: " : "Find in all articles: ")
    case .limit(nil): "Filter: "
    case .limit(_?): "Query: "
    case .newSmartName, .smartName: isNarrow ? "Name: " : "Name of the smart feed: "
    case .find: isNarrow ? "Find: " : "Find in this article: "
    case .link: "Open link: "
    case .count: "Count: "
    case .feedAddress: "Address: "
    case .feedTitle: "Title: "
    case .feedSetting(_, let setting): "\(setting.rawValue): "
    case .setting(let declaration): "\(isNarrow ? declaration.key : declaration.name): "
    case .settingFilter: isNarrow ? "Find: " : "Find settings: "
    case .foldersOfSeveral(let ids): "Folders of \(quantity(ids.count, "feed")): "
    case .folderPath: "Move the folder to: "
    case .newFolder: "New folder: "
    case .tags: "Tags: "
    case .tagsOfSeveral where isNarrow: "Tags (-: remove): "
    case .tagsOfSeveral(let ids): "Tags of \(quantity(ids.count, "article")) (-TAG removes one): "
    case .pipe: "Pipe into: "
    case .save: isNarrow ? "Save to: " : "Save to (Tab: another format): "
    case .copyLink: "Copy link: "
    case .feedFolders(_, nil): "Folders: "
    case .feedFolders(_, let account?): "Folders in \(account.displayName): "
    case .question, .markAllRead: ""
    }
  }
}
