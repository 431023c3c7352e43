;; Feeds of a test, in files of elfeed-org.
(require 'elfeed)
(setq elfeed-db-directory "~/.elfeed")
(use-package elfeed-org
  :config
  (elfeed-org)
  (setq rmh-elfeed-org-files
        (list "~/org/feeds.org"
              (expand-file-name "more.org" user-emacs-directory)
              "~/org/gone.org"
              (format "%s.org" "other"))))
