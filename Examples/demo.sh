#!/usr/bin/env bash
# The main job, on real input: `make demo`. It works in a temporary directory and ends by itself.
#
# Usage: Examples/demo.sh DIRECTORY-WITH-taffrail-AND-HelloLog
set -euo pipefail
products=$(realpath "${1:?usage: demo.sh DIRECTORY}")
cd "$(dirname "$0")/.."

taffrail=$products/taffrail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

report() { printf '\n\033[1m%s\033[0m\n' "$*"; }

report "A shell pipe logs into a rotating file, and is killed with SIGKILL three times in the middle."
lines=200000
for round in 1 2 3; do
    # Each line is echoed once it is durable: that is what counts as acknowledged.
    seq -f "round $round line %.0f" $lines |
        "$taffrail" log info --stdin --tee --file "$work/app.log" --rotate-size 1MiB --keep 1000 \
            >"$work/acknowledged.$round" 2>"$work/errors.$round" &
    pipe=$!
    until [ -s "$work/acknowledged.$round" ]; do
        kill -0 "$pipe" 2>/dev/null || { cat "$work/errors.$round"; exit 1; }
    done
    while [ "$(wc -l <"$work/acknowledged.$round")" -lt $((round * 3000)) ]; do :; done
    kill -KILL "$pipe"
    wait "$pipe" 2>/dev/null || true
    printf 'round %s: %s lines acknowledged when it was killed\n' \
        "$round" "$(wc -l <"$work/acknowledged.$round")"
done
"$taffrail" recover "$work"

report "Every acknowledged line is there once."
# A torn last echo has fewer digits, which is an earlier line's number: acknowledged all the same.
cat "$work"/acknowledged.[123] | grep -xE 'round [123] line [0-9]+' | sort -u >"$work/acknowledged"
find "$work" -name 'app*.log' -exec cat {} + | grep -oE 'round [0-9] line [0-9]+$' | sort >"$work/logged"
acknowledged=$(wc -l <"$work/acknowledged")
missing=$(comm -23 "$work/acknowledged" "$work/logged" | wc -l)
doubled=$(uniq -d "$work/logged" | wc -l)
files=$(find "$work" -name 'app*.log' | wc -l)
printf 'acknowledged %s, in the log %s in %s files, missing %s, doubled %s\n' \
    "$acknowledged" "$(wc -l <"$work/logged")" "$files" "$missing" "$doubled"
[ "$missing" -eq 0 ] && [ "$doubled" -eq 0 ]

report "A drive is recorded from a real gpsd, and replayed at 10x into a second one (Examples/RecordAndReplay)."
Examples/RecordAndReplay/check "$taffrail"

report "A Swift program logs with no set-up (Examples/HelloLog)."
mkdir "$work/hello"
TAFFRAIL_FILE=$work/hello/app.log "$products/HelloLog"
cat "$work/hello/app.log"

report "A receiver's log goes through a real gpsd, and a configuration with geo-recorder records it (Examples/RecordAndReplay)."
log=${TAFFRAIL_RECEIVER_LOG:-../shared/testdata/nmea/haicom-305N.log}
[ -r "$log" ] || log=Examples/RecordAndReplay/ferry.nmea
echo "$log"
TAFFRAIL=$taffrail Examples/RecordAndReplay/record "$log" "$work/drives"
"$taffrail" recordings list --directory "$work/drives"
