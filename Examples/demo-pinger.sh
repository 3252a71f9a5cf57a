#!/usr/bin/env bash
# `make demo-pinger`: a day is replayed through the policy of the sink pinger into `taffrail serve`, while both programs are
# killed alternately. At the end the receiver has exactly the pings that an implementation in another language computes. It ends by
# itself.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --enable-all-traits --product taffrail
taffrail=$PWD/.build/debug/taffrail
reference=$PWD/Tests/Reference/ping-policy.py
work=$(mktemp -d)
replay='' program='' receiver=''
clean_up() {
    for process in $replay $program $receiver; do kill -KILL "$process" 2>/dev/null && wait "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT

report() { printf '\n\033[1m%s\033[0m\n' "$*"; }

report "A day: a night at home, a walk, a drive, hours at work, and the drive back, as a receiver of positions writes it."
python3 - "$work/day.nmea" <<'PY'
import datetime, math, random, sys
random.seed(7)
place, time = [55.6761, 12.5683], datetime.datetime(2026, 3, 28, 4, 0)
legs = [(3 * 3600, 0, 0, 60), (900, 1.4, 80, 3), (1200, 16, 30, 2), (900, 24, 345, 2), (4 * 3600, 0, 0, 60),
        (1800, 1.6, 120, 5), (2 * 3600, 0, 0, 60), (900, 24, 165, 2), (1500, 14, 208, 2), (4 * 3600, 0, 0, 60)]
def degrees(value, digits, signs):
    whole = int(abs(value))
    return f"{whole:0{digits}d}{(abs(value) - whole) * 60:08.5f},{signs[value < 0]}"
with open(sys.argv[1], "w") as file:
    for seconds, speed, bearing, interval in legs:
        for _ in range(0, seconds, interval):
            turn = math.radians(bearing)
            place[0] += speed * interval * math.cos(turn) / 111_000
            place[1] += speed * interval * math.sin(turn) / 111_000 / math.cos(math.radians(place[0]))
            lat, lon = (value + random.gauss(0, 2e-5) for value in place)
            clock, at = time.strftime("%H%M%S.00"), degrees(lat, 2, "NS") + "," + degrees(lon, 3, "EW")
            knots = max(0, speed + random.gauss(0, 0.1)) * 3600 / 1852
            for body in (f"GPRMC,{clock},A,{at},{knots:.2f},{bearing:.1f},{time:%d%m%y},,,A",
                         f"GPGGA,{clock},{at},1,08,0.5,10.0,M,40.0,M,,"):
                sum = 0
                for byte in body.encode(): sum ^= byte
                file.write(f"${body}*{sum:02X}\r\n")
            time += datetime.timedelta(seconds=interval)
PY
grep -c GPGGA "$work/day.nmea" | sed 's/$/ positions/'

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
start_receiver() {
    "$taffrail" serve --bind "127.0.0.1:$endpoint_port" --data "$work/received" 2>"$work/receiver-errors" &
    receiver=$!
    until grep -q 'receiver listens' "$work/receiver-errors"; do kill -0 "$receiver"; sleep 0.05; done
}
endpoint_port=$(free_port)
start_receiver
cat >"$work/taffrail.yaml" <<YAML
plugins:
  nmea: { source: "tcp://127.0.0.1:$port", silence: 1h }
  file: { path: $work/log/app.log, format: json }
  pinger:
    endpoint: http://127.0.0.1:$endpoint_port/ping
    device_id: demo
    home: { latitude: 55.6761, longitude: 12.5683 }
    night: { time_zone: Europe/Berlin }
    longest_retry: 1s
    spool: { directory: $work/spool }
YAML
start_program() {
    "$taffrail" run --config "$work/taffrail.yaml" 2>>"$work/errors" &
    program=$!
}
fixes() { cat "$work/log/app.log" 2>/dev/null | grep -c '"geo.location"' || true; }
await() { until [ "$(fixes)" -ge "$1" ]; do kill -0 "$program"; kill -0 "$replay" 2>/dev/null || return 0; sleep 0.1; done; }

report "It is replayed at 3000 x. The program and the receiver are killed alternately."
"$taffrail" replay "$work/day.nmea" --rate 3000 --to "nmea-tcp://127.0.0.1:$port" -q &
replay=$!
start_program
for target in 300 700 1100 1500 1900; do
    await "$target"
    if [ $((target / 100 % 8)) -eq 3 ]; then
        kill -KILL "$receiver"; wait "$receiver" 2>/dev/null || true
        echo "the receiver was killed after $(fixes) positions"
    fi
    kill -KILL "$program"; wait "$program" 2>/dev/null || true
    echo "the program was killed after $(fixes) positions"
    start_program
    kill -0 "$receiver" 2>/dev/null || start_receiver
done
wait "$replay" || true
replay=''
"$taffrail" pinger status --explain --config "$work/taffrail.yaml"
kill -TERM "$program"; wait "$program" || true
# The next run sends the pings that are still in the spool.
start_program
until "$taffrail" spool list --config "$work/taffrail.yaml" | grep -q 'waiting  *0 records'; do sleep 0.2; done
kill -TERM "$program"; wait "$program" || true
program=''

report "The pings of the receiver, compared with those that Tests/Reference/ping-policy.py computes from the logged positions."
python3 - "$work/log/app.log" "$work/received/received.log" "$reference" <<'PY'
import datetime, json, subprocess, sys
log, received, reference = sys.argv[1:]
def nanoseconds(text):
    whole, _, rest = text.rstrip("Z").partition(".")
    seconds = datetime.datetime.fromisoformat(whole + "+00:00").timestamp()
    return int(seconds) * 10**9 + int((rest + "000000000")[:9])
settings = {"zone": "Europe/Berlin", "moving_speed": 1.5, "stopped_speed": 0.7, "stopped_after": 60, "home_radius": 100,
            "home_hysteresis": 20, "simulated": True, "moving": [15, 25], "stationaryDay": [300, 50],
            "homeOrNight": [1800, 100], "night": [1320, 360], "home": [55.6761, 12.5683]}
lines = [json.dumps(settings)]
for line in open(log):
    record = json.loads(line)
    if record.get("event") != "geo.location":
        continue
    values = record["attributes"]
    lines.append(json.dumps({
        "t": nanoseconds(values["taffrail.geo.time"]), "lat": values["geo.location.lat"], "lon": values["geo.location.lon"],
        "acc": values.get("taffrail.geo.horizontal_accuracy"), "speed": values.get("taffrail.geo.speed"),
        "simulated": values.get("taffrail.geo.simulated", False)}))
output = subprocess.run([sys.executable, reference], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
expected = [(int(words[2]), words[0]) for words in map(str.split, output.stdout.splitlines()) if words[2] != "-"]
got, repeated = [], 0
for line in open(received):
    record = json.loads(line)
    if record.get("event") != "geo.location":
        continue
    values = record["attributes"]
    ping = (nanoseconds(values["taffrail.geo.time"]), values["taffrail.ping.mode"])
    # Requests in progress when the receiver was killed are repeated unchanged.
    if got and got[-1] == ping:
        repeated += 1
    else:
        got.append(ping)
attempts = [json.loads(line) for line in open(log) if '"ping.attempt"' in line]
refused = sum(attempt["level"] == "warning" for attempt in attempts)
print(f"{len(lines) - 1} positions, {len(expected)} pings expected, {len(got)} received; "
      f"{len(attempts)} attempts logged, {refused} of them not accepted")
for mode in ("moving", "stationaryDay", "homeOrNight"):
    print(f"  {mode}: {sum(one[1] == mode for one in got)}")
missing, more = len(set(expected) - set(got)), len(set(got) - set(expected))
print(f"{missing} missing, {more} unexpected, {len(got) - len(set(got))} duplicates; "
      f"{repeated} that were in progress when the receiver was killed are in its log twice")
sys.exit(0 if got == expected else "the pings differ")
PY
