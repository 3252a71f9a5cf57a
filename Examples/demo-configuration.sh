#!/usr/bin/env bash
# The second part of `make demo`: one configuration for several sinks, changed while it works. It ends by itself.
#
# Usage: Examples/demo-configuration.sh DIRECTORY-WITH-taffrail
set -euo pipefail
products=$(realpath "${1:?usage: demo-configuration.sh DIRECTORY}")
cd "$(dirname "$0")/.."

taffrail=$products/taffrail
work=$(mktemp -d)
journald=
running=
clean_up() {
    for process in $running $journald; do kill "$process" 2>/dev/null && wait "$process" || true; done
    if [ -n "$journald" ]; then
        rm -rf "/etc/systemd/journald@$namespace.conf" "/run/systemd/journal.$namespace" \
            "/var/log/journal/$(cat /etc/machine-id).$namespace"
    fi
    rm -rf "$work"
}
trap clean_up EXIT

report() { printf '\n\033[1m%s\033[0m\n' "$*"; }

report "One configuration: taffrail run logs into a file, the console and journald at once, and changes while it runs."
namespace=taffrail-demo-$$
journal=
if [ "$(id -u)" -eq 0 ] && [ -x /lib/systemd/systemd-journald ] && [ -s /etc/machine-id ]; then
    # Without the retention it would end after 30 s without a client.
    printf '[Journal]\nStorage=persistent\nReadKMsg=no\nAudit=no\nForwardToWall=no\nMaxRetentionSec=1day\n' \
        >"/etc/systemd/journald@$namespace.conf"
    /lib/systemd/systemd-journald "$namespace" 2>"$work/journald.errors" &
    journald=$!
    until [ -S "/run/systemd/journal.$namespace/socket" ]; do
        kill -0 "$journald" 2>/dev/null || { cat "$work/journald.errors"; exit 1; }
        sleep 0.05
    done
    journal="journald: { identifier: demo, socket: /run/systemd/journal.$namespace/socket }"
else
    echo "(Without journald: a private one needs root, systemd-journald and /etc/machine-id.)"
fi
configure() {
    cat >"$work/new.yaml" <<YAML
level: $1
plugins:
  simulated:
    points: [{ latitude: 55.6761, longitude: 12.5683 }, { latitude: 55.7058, longitude: 12.5902 }]
    interval: 200ms
    loop: true
  file: { path: $work/run/app.log, format: json }
  console:
  $journal
  ${2:-}
YAML
    mv "$work/new.yaml" "$work/taffrail.yaml"
}
count() { cat "$1" 2>/dev/null | grep -c . || true; }
configure info
"$taffrail" check "$work/taffrail.yaml"
"$taffrail" run --config "$work/taffrail.yaml" 2> >(tee "$work/console" >&2) &
running=$!
await() { until eval "$1"; do kill -0 "$running" || exit 1; sleep 0.05; done; }
await '[ "$(count "$work/run/app.log")" -ge 5 ]'
report "Its configuration gets a typing mistake: rejected. Then another level and one more file: in use, without a restart."
configure info 'consoel:'
await 'grep -q "keeping the current configuration" "$work/console"'
configure warning "audit: { type: file, path: $work/run/audit.log }"
await 'grep -q "taffrail.yaml is in use" "$work/console"'
"$taffrail" status "$work/run"
kill -TERM "$running"
wait "$running"
running=
lines=$(count "$work/run/app.log")
printf 'records: %s in the file' "$lines"
if [ -n "$journald" ]; then
    journalctl --namespace="$namespace" --sync
    entries=$(journalctl --namespace="$namespace" --quiet --output=cat SYSLOG_IDENTIFIER=demo | grep -c .)
    printf ', %s in journald' "$entries"
    [ "$entries" -eq "$lines" ]
fi
echo
