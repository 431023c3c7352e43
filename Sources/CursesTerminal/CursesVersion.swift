internal import CNcurses

package enum CursesVersion {
  /// Its name with the version that runs, as in `ncurses 6.4.20221231`.
  package static var text: String { String(cString: curses_version()) }
}
