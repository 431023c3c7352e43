"""Tiny Tiny RSS, from Debian's package, with MariaDB.

The package is unpacked into a folder, and nothing of it is changed but the file of settings that an
administrator writes. It fetches from ports 80 and 443 of other hosts only.
"""

import json
import os
import shutil
import urllib.request
from pathlib import Path

from process import Process, run

# What is unpacked; PHP and MariaDB have to be there.
PACKAGES = ["tt-rss", "php-php-gettext", "php-psr-log", "phpqrcode"]
SETTINGS = """<?php
  define('DB_TYPE', 'mysql');
  define('DB_HOST', 'localhost');
  define('DB_PORT', '');
  define('DB_USER', 'root');
  define('DB_NAME', 'ttrss');
  define('DB_PASS', '');
  define('MYSQL_CHARSET', 'UTF8');
  define('SELF_URL_PATH', '{site}/');
  define('SINGLE_USER_MODE', false);
  define('SIMPLE_UPDATE_MODE', false);
  define('PHP_EXECUTABLE', '/usr/bin/php');
  define('LOCK_DIRECTORY', '{folder}/lock');
  define('CACHE_DIR', '{folder}/cache');
  define('ICONS_DIR', '{folder}/icons');
  define('ICONS_URL', 'feed-icons');
  define('AUTH_AUTO_CREATE', false);
  define('AUTH_AUTO_LOGIN', false);
  define('FORCE_ARTICLE_PURGE', 0);
  define('ENABLE_REGISTRATION', false);
  define('REG_NOTIFY_ADDRESS', 'root@localhost');
  define('REG_MAX_USERS', 1);
  define('SESSION_COOKIE_LIFETIME', 86400);
  define('SMTP_FROM_NAME', 'Tiny Tiny RSS');
  define('SMTP_FROM_ADDRESS', 'root@localhost');
  define('DIGEST_SUBJECT', 'News');
  define('CHECK_FOR_UPDATES', false);
  define('ENABLE_GZIP_OUTPUT', false);
  define('PLUGINS', 'auth_internal, note');
  define('LOG_DESTINATION', '');
  define('CONFIG_VERSION', 26);
"""


class TinyTinyRSS:
    name = "tt-rss"
    kind = "tiny-tiny-rss"
    # The schema brings this one.
    user = "admin"
    password = "password"
    site = "http://127.0.0.1:8933"
    news = ("10.77.0.2", 80)

    @staticmethod
    def install(folder):
        if (folder / "root").exists():
            return
        for program in ("php", "mariadbd", "mariadb-install-db", "mariadb", "dpkg", "apt-get"):
            if not shutil.which(program):
                raise SystemExit(f"{program} is missing: apt-get install --no-install-recommends php-cli"
                                 " php-mysql php-mbstring php-xml php-intl php-curl mariadb-server-core"
                                 " mariadb-client-core")
        packages = folder / "packages"
        packages.mkdir(parents=True, exist_ok=True)
        run(["apt-get", "download", *PACKAGES], cwd=packages)
        made = folder / "new"
        shutil.rmtree(made, ignore_errors=True)
        for package in sorted(packages.glob("*.deb")):
            run(["dpkg", "-x", package, made])
        made.rename(folder / "root")

    def __init__(self, installed, folder):
        self.folder = folder
        self.program = folder / "program"
        shutil.copytree(installed / "root/usr/share", self.program, symlinks=True)
        self.web = self.program / "tt-rss/www"
        for name in ("lock", "cache", "icons"):
            (folder / name).mkdir()
        for name in ("export", "feeds", "images", "upload", "simplepie"):
            (folder / "cache" / name).mkdir()
        (self.web / "config.php").unlink()
        (self.web / "config.php").write_text(SETTINGS.format(site=self.site, folder=folder))
        (self.web / "feed-icons").unlink(missing_ok=True)
        self.socket = folder / "database.sock"
        # It starts PHP by itself, too. It is older than PHP 8.2, which speaks up where it is not pleased.
        (folder / "php").mkdir()
        (folder / "php/tests.ini").write_text(
            f"pdo_mysql.default_socket={self.socket}\nmysqli.default_socket={self.socket}\n"
            "display_errors=0\nlog_errors=0\n")
        self.environment = dict(
            os.environ, PHP_INI_SCAN_DIR=f":{folder}/php", PHP_CLI_SERVER_WORKERS="4")
        self.session = None
        self.process = None
        run(["mariadb-install-db", "--no-defaults", "--auth-root-authentication-method=normal",
             f"--datadir={folder}/database", "--skip-test-db"])
        self.database = Process(
            ["mariadbd", "--no-defaults", f"--datadir={folder}/database",
             f"--socket={self.socket}", "--skip-networking", f"--pid-file={folder}/database.pid"],
            folder / "database.log")
        self.database.wait_for(self.answers)
        self.query("CREATE DATABASE ttrss CHARACTER SET utf8mb4", database="")
        self.query((self.program / "tt-rss/schema/ttrss_schema_mysql.sql").read_text())
        self.query("REPLACE INTO ttrss_user_prefs (owner_uid, pref_name, value)"
                   " VALUES (1, 'ENABLE_API_ACCESS', 'true')")

    def answers(self):
        try:
            self.query("SELECT 1", database="")
            return True
        except SystemExit:
            return False

    def query(self, text, database="ttrss"):
        return run(["mariadb", "--no-defaults", f"--socket={self.socket}", "-uroot", "-N", "-B",
                    *([database] if database else [])], input=text)

    def start(self):
        self.process = Process(["php", "-S", "127.0.0.1:8933", "-t", self.web],
                               self.folder / "server.log", self.environment, port=8933,
                               folder=self.web)

    def kill(self):
        self.process.kill()

    def stop(self):
        self.process.kill()
        self.database.end()

    def ask(self, operation, **parameters):
        """A call of its API, signed in where that is needed."""
        for _ in range(2):
            if operation != "login" and not self.session:
                answer = self.ask("login", user=self.user, password=self.password)
                self.session = answer["session_id"]
            body = json.dumps(dict(parameters, op=operation, sid=self.session)).encode()
            request = urllib.request.Request(
                f"{self.site}/api/", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = json.load(response)
            if answer["status"] == 0:
                return answer["content"]
            self.session = None
        raise SystemExit(f"tt-rss: {operation}: {answer}")

    def subscribe(self, addresses):
        for address in addresses:
            outcome = self.ask("subscribeToFeed", feed_url=address)
            assert outcome["status"]["code"] in (0, 1), outcome
        self.fetch()

    def fetch(self):
        self.query("UPDATE ttrss_feeds SET last_updated = NULL, last_update_started = NULL")
        for document in (self.folder / "cache/feeds").glob("*.xml"):
            document.unlink()
        # Those without a date are what it is about to fetch; it ends with 0 whatever comes of them.
        run(["php", "update.php", "--feeds", "--quiet"], cwd=self.web, env=self.environment)
        if errors := self.query("SELECT last_error FROM ttrss_feeds WHERE last_error != ''"):
            raise SystemExit(f"tt-rss cannot fetch: {errors}")

    def headlines(self):
        found, skip = [], 0
        while page := self.ask("getHeadlines", feed_id=-4, limit=200, skip=skip, view_mode="all_articles"):
            found += page
            skip += len(page)
        return found

    def states(self):
        return {line["title"]: (not line["unread"], bool(line["marked"])) for line in self.headlines()}

    def mark(self, titles, member, value):
        ids = {line["title"]: line["id"] for line in self.headlines()}
        field, mode = (2, 0 if value else 1) if member == 0 else (0, 1 if value else 0)
        self.ask("updateArticle", article_ids=",".join(str(ids[title]) for title in titles),
                 field=field, mode=mode)
