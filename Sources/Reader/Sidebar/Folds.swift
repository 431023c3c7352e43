package import News

/// Folders, and the tags, that are closed in the sidebar.
package struct Folds: Hashable, Sendable {
  package var folders: Set<FolderID>
  package var areTagsClosed: Bool

  package init(folders: Set<FolderID> = [], areTagsClosed: Bool = false) {
    self.folders = folders
    self.areTagsClosed = areTagsClosed
  }
}

extension ReaderState {
  package var folds: Folds {
    get { Folds(folders: sidebar.closedFolders, areTagsClosed: sidebar.areTagsClosed) }
    set {
      (sidebar.closedFolders, sidebar.areTagsClosed) = (newValue.folders, newValue.areTagsClosed)
    }
  }
}
