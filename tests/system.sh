#!/bin/sh
# Brings what the tests need beside Python: a browser, a PostgreSQL server, a mail server and a
# font.
# Installs what is missing where it may; elsewhere says what to install, and in CI that is an error.
set -u

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
ls /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf >/dev/null 2>&1 || missing="$missing fonts-dejavu-core"
# A web server starts by itself once it is installed: on a machine of somebody's own that is theirs to do.
[ "${CI:-}" != true ] || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
{ [ -x /usr/sbin/dovecot ] && [ -x /usr/lib/dovecot/imap ]; } || missing="$missing dovecot-imapd"
[ -n "$missing" ] || exit 0

root=""
[ "$(id -u)" = 0 ] || root="sudo -n"

if command -v apt-get >/dev/null 2>&1 && $root true 2>/dev/null; then
  echo "Installing for the tests:$missing"
  $root apt-get update -qq
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends $missing >/dev/null && exit 0
fi

echo "The tests also need:$missing. On Debian: sudo apt-get install$missing" >&2
[ "${CI:-}" != true ] || exit 1
echo "The tests that need them are skipped." >&2
