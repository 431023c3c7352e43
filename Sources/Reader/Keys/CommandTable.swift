internal import Screen

extension Command {
  static let number = Command("number")
  static let open = Command("open")
  static let back = Command("back")
  static let leave = Command("leave")
  static let nextFocus = Command("next-focus")
  static let previousFocus = Command("previous-focus")
  static let detailsDown = Command("details-down")
  static let detailsUp = Command("details-up")
  static let jump = Command("go-to")
  static let parent = Command("parent")
  static let jumpBack = Command("jump-back")
  static let fold = Command("fold")
  static let foldAll = Command("fold-all")
  static let zoom = Command("zoom")
  static let growPane = Command("grow-pane")
  static let shrinkPane = Command("shrink-pane")
  static let width = Command("width")

  static let next = Command("next")
  static let previous = Command("previous")
  static let nextArticle = Command("next-article")
  static let previousArticle = Command("previous-article")
  static let nextUnreadFeed = Command("next-unread-feed")
  static let previousUnreadFeed = Command("previous-unread-feed")
  static let randomUnread = Command("random-unread")
  static let nextStarred = Command("next-starred")
  static let previousStarred = Command("previous-starred")
  static let today = Command("today")
  static let toggleRead = Command("toggle-read")
  static let markRead = Command("mark-read")
  static let markUnread = Command("mark-unread")
  static let toggleStar = Command("toggle-star")
  static let later = Command("later")
  static let tag = Command("tag")
  static let select = Command("select")
  static let selectRange = Command("select-range")
  static let remove = Command("remove")
  static let undo = Command("undo")
  static let redo = Command("redo")
  static let markAllRead = Command("mark-all-read")
  static let markAllFeedsRead = Command("mark-all-feeds-read")
  static let markAboveRead = Command("mark-above-read")
  static let markBelowRead = Command("mark-below-read")
  static let markOlderRead = Command("mark-older-read")
  static let hideRead = Command("hide-read")
  static let sort = Command("sort")
  static let group = Command("group")
  static let openInBrowser = Command("open-in-browser")
  static let openInBackground = Command("open-in-background")
  static let openAndMarkRead = Command("open-in-browser-and-mark-read")
  static let openAllLinks = Command("open-all-links")
  static let linkHints = Command("link-hints")
  static let showAddresses = Command("show-addresses")
  static let copyAddress = Command("copy-address")
  static let copyLink = Command("copy-link")
  static let fullText = Command("full-text")
  static let changes = Command("changes")
  static let comments = Command("comments")
  static let cards = Command("cards")
  static let play = Command("play")
  static let queueFile = Command("queue-file")
  static let download = Command("download")
  static let save = Command("save")
  static let pipe = Command("pipe")
  static let readAloud = Command("read-aloud")
  static let showPicture = Command("show-picture")
  static let togglePictures = Command("pictures")
  static let addComment = Command("add-comment")

  static let find = Command("find")
  static let search = Command("search")
  static let findWord = Command("find-word")
  static let filter = Command("filter")
  static let clearFilter = Command("clear-filter")
  static let keepQuery = Command("smart-feed")

  static let refresh = Command("refresh")
  static let refreshAll = Command("refresh-all")
  static let add = Command("add")
  static let addFolder = Command("add-folder")
  static let change = Command("change")
  static let rename = Command("rename")
  static let moveToFolder = Command("move-to-folder")
  static let addRule = Command("add-rule")
  static let signIn = Command("sign-in")
  static let importFeeds = Command("import")
  static let followAdvice = Command("follow-advice")
  static let more = Command("more")
  static let less = Command("less")

  static let health = Command("health")
  static let statistics = Command("statistics")
  static let outbox = Command("outbox")
  static let transfers = Command("transfers")
  static let queue = Command("queue")
  static let clearQueue = Command("clear-queue")
  static let trip = Command("trip")
  static let settings = Command("settings")
  static let commandLine = Command("command-line")
  static let palette = Command("palette")
  static let help = Command("help")
  static let redraw = Command("redraw")
  static let theme = Command("theme")
  static let suspend = Command("suspend")
  static let offline = Command("offline")
  static let quit = Command("quit")

  /// A command with its help, and its keys in each set.
  struct Declaration {
    let command: Command
    let topic: KeyTopic
    let help: String
    private let keys: [String]

    init(
      _ command: Command, _ topic: KeyTopic, _ help: String, _ vi: String, _ emacs: String,
      _ newsboat: String
    ) {
      self.command = command
      self.topic = topic
      self.help = help
      keys = [vi, emacs, newsboat]
    }

    /// - Parameter set: one of `KeyScheme.sets`; another one stands for the first.
    func keys(of set: String) -> [KeySequence] {
      keys[KeyScheme.sets.firstIndex(of: set) ?? 0].split(separator: " ").compactMap {
        KeyMap.key(named: String($0)).map { KeySequence($0) }
      }
    }
  }

  /// All commands in the order of the help. In a set no key belongs to two, whatever the page.
  static let table: [Declaration] = [
    Declaration(Command(.down), .move, "Down", "j Down", "Ctrl-n Down", "j Down"),
    Declaration(
      Command(.up), .move, "Up; past the top, twice: refresh", "k Up", "Ctrl-p Up", "k Up"),
    Declaration(
      Command(.pageDown), .move, "Page down", "Space PgDn Ctrl-f", "Space PgDn Ctrl-v", "Space PgDn"
    ),
    Declaration(Command(.pageUp), .move, "Page up", "b PgUp Ctrl-b", "PgUp Backspace", "PgUp b"),
    Declaration(Command(.halfDown), .move, "Half a page down", "Ctrl-d", "", "Ctrl-d"),
    Declaration(Command(.halfUp), .move, "Half a page up", "Ctrl-u", "", "Ctrl-u"),
    Declaration(Command(.first), .move, "To the top", "g Home", "< Home", "Home"),
    Declaration(Command(.last), .move, "To the end", "G End", "> End", "End"),
    Declaration(
      .number, .move, "Repeat the next motion; in an article, open a link", "1 2 3 4 5 6 7 8 9",
      "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9"),
    Declaration(.open, .move, "Open", "Enter l Right", "Enter Right Ctrl-f", "Enter Right"),
    Declaration(.back, .move, "Back", "Esc h Left", "Esc Left Ctrl-b Ctrl-g", "Esc h Left"),
    Declaration(.leave, .move, "Close this page; from the sidebar: quit", "q", "q", "q"),
    Declaration(.nextFocus, .move, "Next pane, link or field", "Tab", "Tab", "Tab"),
    Declaration(
      .previousFocus, .move, "Previous pane, link or field", "Shift-Tab", "Shift-Tab", "Shift-Tab"),
    Declaration(.detailsDown, .move, "Scroll the details down", "Ctrl-e", "Ctrl-e", "Ctrl-v"),
    Declaration(.detailsUp, .move, "Scroll the details up", "Ctrl-y", "Ctrl-y", "Ctrl-y"),
    Declaration(.jump, .move, "Go to a feed or folder by letters", "; F3", "; F3", "t ; F3"),
    Declaration(.parent, .move, "Go to the feed of this article", "i", "i", "i"),
    Declaration(
      .jumpBack, .move, "Back from a link within the article", "Backspace", "l",
      "Backspace"),
    Declaration(.fold, .move, "Fold or unfold", "z", "z", "z"),
    Declaration(.foldAll, .move, "Fold or unfold all", "Z", "Z", ""),
    Declaration(.zoom, .move, "Hide or show the other panes", "`", "`", "`"),
    Declaration(.growPane, .move, "Enlarge this pane", ">", "}", ">"),
    Declaration(.shrinkPane, .move, "Shrink this pane", "<", "{", "<"),
    Declaration(.width, .move, "Change the width of the lines", "%", "%", "%"),
    Declaration(.next, .read, "Next unread article, or next hit", "n", "n", "n"),
    Declaration(.previous, .read, "Previous unread article, or previous hit", "N", "P", "p"),
    Declaration(.nextArticle, .read, "Next article", "J ]", "N", "J"),
    Declaration(.previousArticle, .read, "Previous article", "K [", "p", "K"),
    Declaration(.nextUnreadFeed, .read, "Next feed with unread articles", ")", ")", ") Ctrl-n"),
    Declaration(
      .previousUnreadFeed, .read, "Previous feed with unread articles", "(", "(", "( Ctrl-p"),
    Declaration(.randomUnread, .read, "Random unread article", "~", "~", "~ Ctrl-k"),
    Declaration(.nextStarred, .read, "Next starred article", "'", "'", "'"),
    Declaration(.previousStarred, .read, "Previous starred article", "\"", "\"", "\""),
    Declaration(.today, .read, "Show today’s articles", "@", "@", "@"),
    Declaration(.toggleRead, .read, "Mark as read or unread", "m", "u", "N"),
    Declaration(.markRead, .read, "Mark as read", "", "", ""),
    Declaration(.markUnread, .read, "Mark as unread", "", "", ""),
    Declaration(.toggleStar, .read, "Star or unstar", "s", "m", "Ctrl-s"),
    Declaration(.later, .read, "Add to Later, or remove from Later", "B", "B", "Ctrl-b"),
    Declaration(.tag, .read, "Change the tags", "t", "+", "Ctrl-e"),
    Declaration(.select, .read, "Select or deselect", "v", "v", "v"),
    Declaration(.selectRange, .read, "Select up to here", "V", "V", "V"),
    Declaration(.remove, .read, "Remove", "d Del", "d Del", "D Del"),
    Declaration(.undo, .read, "Undo", "u", "U Ctrl-_", "U"),
    Declaration(.redo, .read, "Redo", "Ctrl-r", "Ctrl-r", "Z"),
    Declaration(.markAllRead, .read, "Mark all as read", "A", "A", "A"),
    Declaration(.markAllFeedsRead, .read, "Mark all feeds as read", "", "", "C"),
    Declaration(.markAboveRead, .read, "Mark the articles above as read", "{", "[", "{"),
    Declaration(.markBelowRead, .read, "Mark the articles below as read", "}", "]", "}"),
    Declaration(.markOlderRead, .read, "Mark articles older than … as read", "_", "_", "_"),
    Declaration(.hideRead, .read, "Hide or show read articles", "U", "s", "l"),
    Declaration(.sort, .read, "Sort", ",", ",", "g G"),
    Declaration(.group, .read, "Group by day, by feed, or not at all", ".", ".", "."),
    Declaration(.openInBrowser, .read, "Open in the browser", "o", "b", "o"),
    Declaration(.openInBackground, .read, "Open in the browser, in the background", "w", "w", "w"),
    Declaration(.openAndMarkRead, .read, "Open in the browser, mark as read", "", "", "O"),
    Declaration(
      .openAllLinks, .read, "Open all links in the background", "Ctrl-o", "Ctrl-o", "Ctrl-o"),
    Declaration(.linkHints, .read, "Open a link by letters", "f", "f", "f #"),
    Declaration(.showAddresses, .read, "List the addresses", "Ctrl-a", "Ctrl-a", "u"),
    Declaration(.copyAddress, .read, "Copy the address", "y", "y", "y"),
    Declaration(.copyLink, .read, "Copy the address of a link", "Y", "Y", "Y"),
    Declaration(.fullText, .read, "Full text, or the feed’s text", "F", "F", "M"),
    Declaration(.changes, .read, "Changes since you opened the article", "W", "W", "W"),
    Declaration(.comments, .read, "Comments", "C", "C", "c"),
    Declaration(.cards, .read, "Unread articles as cards", "P", "K", "P"),
    Declaration(.play, .read, "Play or open the attachment", "p F9", "F9", "F9"),
    Declaration(.queueFile, .read, "Add the episode to the queue, or remove it", "e", "e", "+"),
    Declaration(.download, .read, "Download the attachment", "D", "D", "e"),
    Declaration(.save, .read, "Save to a file: text, page or book", "Ctrl-s", "Ctrl-x", "s"),
    Declaration(.pipe, .read, "Pipe the text into a program", "|", "|", "|"),
    Declaration(.readAloud, .read, "Read aloud, or stop", "!", "!", "!"),
    Declaration(.showPicture, .read, "Show a picture full screen", "", "", ""),
    Declaration(.togglePictures, .read, "Show pictures, or their descriptions", "", "", ""),
    Declaration(.addComment, .read, "Write a comment on the article", "", "", ""),
    Declaration(.find, .find, "Find", "/", "/ Ctrl-s", "/"),
    Declaration(.search, .find, "Find in all articles", "\\", "\\", "\\"),
    Declaration(.findWord, .find, "Find this word", "*", "*", "*"),
    Declaration(.filter, .find, "Filter this list", "&", "&", "& F"),
    Declaration(.clearFilter, .find, "Clear the filter", "", "", "Ctrl-f"),
    Declaration(.keepQuery, .find, "Save as a smart feed", "=", "=", "="),
    Declaration(.refresh, .feeds, "Refresh this list", "r F5", "g F5", "r F5"),
    Declaration(.refreshAll, .feeds, "Refresh all feeds", "R", "G", "R"),
    Declaration(.add, .feeds, "Subscribe to a feed", "a", "a", "a"),
    Declaration(.addFolder, .feeds, "Create a folder", "", "", ""),
    Declaration(.change, .feeds, "Feed or folder settings", "c", "c", "E"),
    Declaration(.rename, .feeds, "Rename the feed or smart feed", "", "", ""),
    Declaration(.moveToFolder, .feeds, "Move to a folder", "M", "M", "m"),
    Declaration(.addRule, .feeds, "Add a rule for new articles", "X", "X", "X"),
    Declaration(.signIn, .feeds, "Sign in to a server", "L", "L", "L"),
    Declaration(.importFeeds, .feeds, "Import from another reader", "I", "I", "I"),
    Declaration(.followAdvice, .feeds, "Follow the advice", "x", "x", "x"),
    Declaration(.more, .feeds, "More, longer or earlier", "+", "J", "]"),
    Declaration(.less, .feeds, "Less, shorter or later", "-", "-", "["),
    Declaration(.health, .pages, "Feed health", "H", "H", "H"),
    Declaration(.statistics, .pages, "Statistics", "S", "S", "S"),
    Declaration(.outbox, .pages, "Outbox: changes waiting to be sent", "O", "o", "Ctrl-w"),
    Declaration(.transfers, .pages, "Downloads", "T", "T", "T"),
    Declaration(.queue, .pages, "Queue of episodes", "E", "E", "Ctrl-a"),
    Declaration(.clearQueue, .pages, "Empty the queue", "", "", ""),
    Declaration(.trip, .pages, "Pack for a trip", "Ctrl-t", "Ctrl-t", "B"),
    Declaration(.settings, .pages, "Settings", "$", "$", "$"),
    Declaration(.commandLine, .pages, "Run a command by name", ":", ":", ":"),
    Declaration(.palette, .pages, "All commands of this page", "Ctrl-p F2", "F2", "F2"),
    Declaration(.help, .pages, "Help", "? F1", "? h F1", "? F1"),
    Declaration(.offline, .pages, "Go offline, or online again", "", "", ""),
    Declaration(.redraw, .pages, "Redraw the screen", "Ctrl-l", "Ctrl-l", "Ctrl-l"),
    Declaration(.theme, .pages, "Choose a theme", "", "", ""),
    Declaration(.suspend, .pages, "Suspend; fg resumes", "Ctrl-z", "Ctrl-z", "Ctrl-z"),
    Declaration(.quit, .pages, "Quit", "Q Ctrl-c", "Q Ctrl-c", "Q Ctrl-c"),
  ]

  private static let declarations = Dictionary(
    uniqueKeysWithValues: table.map { ($0.command, $0) })

  /// Nil for a command of the user's own.
  var declaration: Declaration? { Self.declarations[self] }

  /// The present names of commands that once had others.
  static let renamed = [
    "add-feed": "add",
    "answer": "add",
    "article-alone": "zoom",
    "change-comment": "change",
    "change-feed-order": "sort",
    "change-order": "sort",
    "clear-limit": "clear-filter",
    "clear-transfers": "hide-read",
    "comment-link": "number",
    "count": "number",
    "decide": "open",
    "delete-article": "remove",
    "done-card": "toggle-read",
    "drop-change": "remove",
    "drop-comment": "remove",
    "drop-transfer": "remove",
    "edit-address": "change",
    "edit-field": "open",
    "feed-settings": "change",
    "fetch-comments": "refresh",
    "filter-help": "find",
    "fold-all-branches": "fold-all",
    "fold-branch": "fold",
    "go-to-feed": "parent",
    "jump": "go-to",
    "keep-card": "toggle-star",
    "keep-query": "smart-feed",
    "label-comment-links": "link-hints",
    "later-card": "later",
    "limit": "filter",
    "link-number": "number",
    "longer-time": "more",
    "longer-trip": "more",
    "move-feed": "follow-advice",
    "mute-card": "add-rule",
    "new-comment": "add-comment",
    "next-branch": "next-article",
    "next-card": "next",
    "next-comment-link": "next-focus",
    "next-field": "next-focus",
    "next-link": "next-focus",
    "next-new-comment": "next",
    "next-pane": "next-focus",
    "next-picture": "next",
    "next-theme": "theme",
    "next-unread": "next",
    "open-card": "open",
    "open-comments": "comments",
    "open-file": "play",
    "open-link": "open",
    "pack": "open",
    "pack-files": "download",
    "parent-comment": "parent",
    "pause-transfer": "play",
    "pick": "select",
    "pick-range": "select-range",
    "play-queued": "play",
    "previous-branch": "previous-article",
    "previous-card": "previous",
    "previous-comment-link": "previous-focus",
    "previous-field": "previous-focus",
    "previous-link": "previous-focus",
    "previous-new-comment": "previous",
    "previous-pane": "previous-focus",
    "previous-picture": "previous",
    "previous-unread": "previous",
    "queued-later": "less",
    "queued-sooner": "more",
    "recount": "refresh",
    "remove-feed": "remove",
    "rename-feed": "rename",
    "reset-field": "remove",
    "retry-transfer": "refresh",
    "save-for-later": "later",
    "save-link": "later",
    "send-all": "refresh",
    "shorter-time": "less",
    "shorter-trip": "less",
    "show-changes": "changes",
    "show-feed": "open",
    "skim": "cards",
    "take-advice": "follow-advice",
    "take-over": "import",
    "text-width": "width",
    "toggle-field": "open",
    "toggle-groups": "group",
    "toggle-pictures": "pictures",
    "toggle-unread-only": "hide-read",
    "transfer-later": "less",
    "transfer-sooner": "more",
    "try-failing": "refresh-all",
    "try-feed": "refresh",
    "unfold-story": "fold",
    "unqueue": "remove",
    "widen-picture": "width",
  ]
}

struct KeyTopic: Hashable, Sendable {
  let title: String

  init(_ title: String) { self.title = title }

  static let move = KeyTopic("Move")
  static let read = KeyTopic("Read")
  static let find = KeyTopic("Find")
  static let feeds = KeyTopic("Feeds")
  static let pages = KeyTopic("Telex")
  static let own = KeyTopic("Your own")
}
