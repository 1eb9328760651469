#!/bin/sh
# Brings what the tests need beside Python: a browser, a PostgreSQL server, mail servers with a mail
# program, and a font.
# Installs what is missing where it may; elsewhere says what to install, and in CI that is an error.
set -u

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
ls /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf >/dev/null 2>&1 || missing="$missing fonts-dejavu-core"
# A web server starts by itself once it is installed: on a machine of somebody's own that is theirs to do.
[ "${CI:-}" != true ] || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
{ [ -x /usr/sbin/dovecot ] && [ -x /usr/lib/dovecot/imap ]; } || missing="$missing dovecot-imapd"
# A mail server too, and it takes the place of another.
if [ "${CI:-}" = true ] || { [ ! -d /run/systemd/system ] && ! command -v sendmail >/dev/null 2>&1; }; then
  [ -x /usr/sbin/postfix ] || missing="$missing postfix"
  [ -x /usr/lib/dovecot/lmtp ] || missing="$missing dovecot-lmtpd"
  [ -e /usr/lib/dovecot/modules/lib90_sieve_plugin.so ] || missing="$missing dovecot-sieve"
  [ -x /usr/bin/mutt ] || missing="$missing mutt"
  [ -x /usr/bin/script ] || missing="$missing bsdutils"
fi
[ -n "$missing" ] || exit 0

root=""
[ "$(id -u)" = 0 ] || root="sudo -n"

if command -v apt-get >/dev/null 2>&1 && $root true 2>/dev/null; then
  echo "Installing for the tests:$missing"
  $root apt-get update -qq
  # Postfix without a configuration of its own starts nothing.
  echo "postfix postfix/main_mailer_type select No configuration" | $root debconf-set-selections
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends $missing >/dev/null && exit 0
fi

echo "The tests also need:$missing. On Debian: sudo apt-get install$missing" >&2
[ "${CI:-}" != true ] || exit 1
echo "The tests that need them are skipped." >&2
