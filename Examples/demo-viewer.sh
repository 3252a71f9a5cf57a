#!/usr/bin/env bash
# `make demo-viewer`: the viewer, on whose map a replayed drive moves while its log lines appear. It runs until Ctrl-C.
#
# Usage: Examples/demo-viewer.sh [PORT]
set -euo pipefail
cd "$(dirname "$0")/.."

port=${1:-8787}
swift build --enable-all-traits --product taffrail
taffrail=$PWD/.build/debug/taffrail
work=$(mktemp -d)
running=
clean_up() {
    for process in $running; do kill "$process" 2>/dev/null && wait "$process" || true; done
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 0' INT TERM

# A drive of half an hour that ends where it has begun.
awk 'BEGIN {
    print "<gpx version=\"1.1\" creator=\"demo\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
    for (second = 0; second <= 1800; second++) {
        turn = second * 2 * 3.14159265358979 / 1800
        printf "<trkpt lat=\"%.6f\" lon=\"%.6f\"><time>2026-01-05T14:%02d:%02dZ</time></trkpt>\n",
            55.69 + 0.02 * sin(2 * turn) + 0.004 * sin(7 * turn), 12.62 + 0.05 * sin(turn),
            second / 60 % 60, second % 60
    }
    print "</trkseg></trk></gpx>"
}' >"$work/drive.gpx"

# The parts of `taffrail serve`, and a drive that is replayed with the current time.
cat >"$work/taffrail.yaml" <<YAML
plugins:
  receiver:
    bind: 127.0.0.1:$port
    log_store: $work/records.sqlite
    location_store: $work/track.sqlite
  log-store: { path: $work/records.sqlite, device: ferry }
  location-store: { path: $work/track.sqlite, device: ferry }
  file: { path: $work/demo.log, format: json }
  geo-replay: { file: $work/drive.gpx, time: now, loop: true }
YAML
"$taffrail" run --config "$work/taffrail.yaml" 2>"$work/errors" &
running=$!
until grep -q "listens on" "$work/errors"; do
    kill -0 "$running" 2>/dev/null || { cat "$work/errors" >&2; exit 1; }
    sleep 0.05
done
[ -e /usr/share/javascript/leaflet/leaflet.esm.min.js ] || echo "For the map: apt-get install libjs-leaflet"
echo
echo "  http://127.0.0.1:$port"
echo
echo "Ctrl-C ends it. POST /logs adds lines, for instance:"
echo "  curl -d '{\"level\":\"warning\",\"message\":\"hello\"}' http://127.0.0.1:$port/logs"

# What a program on board would log.
levels=(info info info debug info notice info warning info error)
lines=("engine: oil 4.1 bar" "net.http: GET /status 200" "passengers: 87 on board" "engine: 1450 rpm" "bridge: course 047"
    "net.http: uplink is back" "bridge: wind 6 m/s" "net.http: timeout after 5 s" "passengers: gate closed" "net.http: no route")
number=0
while kill -0 "$running" 2>/dev/null; do
    text=${lines[number % ${#lines[@]}]}
    # The response, and a failure after the program has ended, are ignored.
    curl -s -o /dev/null "http://127.0.0.1:$port/logs" --data-binary @- <<JSON || true
{"level":"${levels[number % ${#levels[@]}]}","logger":"${text%%: *}","message":"${text#*: }","attributes":{"number":$number,"device.id":"ferry"}}
JSON
    number=$((number + 1))
    sleep 0.7
done
