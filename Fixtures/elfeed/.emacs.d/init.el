;; Feeds of a test.
(require 'elfeed)
(setq elfeed-db-directory "~/.elfeed")
(setq elfeed-feeds
      '("http://127.0.0.1:61234/ids.xml"   ; no tags
        ("http://127.0.0.1:61234/links.xml" news tech)
        ("http://127.0.0.1:61234/titles.xml" news)
        ("http://127.0.0.1:61234/dateless.xml" . (slow))
        ("http://127.0.0.1:61234/pods.xml" pod)
        "http://127.0.0.1:61234/atom.xml"))
(add-to-list 'elfeed-feeds '("http://127.0.0.1:61234/more.xml" late))
