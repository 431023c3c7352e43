internal import GRDB

/// A consistent look at the store, valid inside the closure that received it.
package struct StoreView {
  let db: Database
}
