"""The page of performance figures, generated from the last full run of the benchmarks.

python -m tests.bench.performance_page > firmware_host/PERFORMANCE.md
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.variants import VARIANTS
from tests.bench import latency_budget as budget
from tests.bench import pi_times
from tests.bench.recording import read_measurement

BENCHMARKS = (
    *("advice", "attack", "board_plan", "durable_turn", "engine", "first_visit", "games", "history", "https"),
    *("idle", "memory", "mqtt", "oled", "page_load", "peg_drag", "peg_tracking"),
    *("processing", "response", "resume", "scoring_hands", "scoring_play", "sensing_board", "speech"),
    *("speech_cost", "speech_events", "start_time", "stream", "stream_load", "work"),
)

HEADING = """\
# Performance

Generated from the last full run of the benchmarks: `make performance` measures everything anew and writes this page, so
do not edit it here. `make bench` measures and prints, and `make bench-small` only shows that every benchmark runs.
"""

READING = """\
Machines are noisy, so compare a figure with its floor or with another package: both were measured in the same run. A
floor is the least that this machine needs for the same work. The benchmarks alone make a load average of 1 to 2; a
higher one means that other programs slowed them. A Raspberry Pi is several times slower; no figure here was measured
on one.
"""

VOICE_READING = """\
The sound shall begin within 150 ms on a computer at a tenth of this one's speed: 15 ms here. A sentence that was
rendered before does. A new one usually does, but not always: its engine is started anew, which a tenth of this speed
makes 200 ms for the longest. A Raspberry Pi Zero 2 W was not measured; one core of it at a tenth of this one's speed is
enough for what was rendered before. `aplay` has to open the device besides.
"""

BUDGET_INTRODUCTION = """\
## Latency budget

The least time from a peg or a key to what people see, for the circuit board with the {lights} lights of the classic
board. Scan and picture are measured in the cycles of an emulated chip and do not depend on the machine; the rest is
arithmetic: bytes, clock rates and default settings. The last column is what the program adds on the machine above; on a
Raspberry Pi it is several times as much. Nobody has timed a real board yet; [`hardware/BENCH.md`](../hardware/BENCH.md)
describes how to do it.
"""

BOARD_READING = """\
`.venv/bin/pytest -m bench -s tests/bench/test_sensing_board_times.py` measures these: the longest of 80 pictures with
the eight tints of a game. It needs the tools of [`hardware/firmware`](../hardware/firmware/README.md).
"""

BUDGET_REMARKS = """\
What changes the floors:

- A display at the default 100 kHz of a Raspberry Pi takes 99 ms a page. The line `i2c_arm_baudrate=400000` in
  `config.txt` saves 74 ms.
- A picture of sixteen tints is longer on the wire: [the firmware](../hardware/firmware/README.md#the-sensing-board) has
  the worst case.

**Two holes change in any order.** The columns of a board are read one after the other. So the hole that a peg left and
the hole that it reached may change in either order, and both may be empty meanwhile. The peg tracker accepts all that.
"""

BOARD_GOALS = (("classic", "`classic-61`", 15), ("largest", "`continuous-121-4`", 50))
"""The boards whose times are measured: key of the figures, name, and the wanted time to a light in ms."""
SCAN_GOAL_MS = 5


class Target(NamedTuple):
    """A wanted figure and the measured one. `compared_with`: a floor or another package, from the same run."""

    what: str
    wanted: str
    measured: str
    compared_with: str
    is_met: bool


def page() -> str:
    """The whole page as Markdown. Raises FileNotFoundError or KeyError where figures are missing."""
    sections = (
        HEADING,
        measured_on(),
        READING,
        *targets_section(),
        *budget_section(),
        *pi_section(),
        *details_section(),
    )
    return "\n".join(sections)


def figures_of(name: str) -> Mapping[str, float]:
    return read_measurement(name).figures


def number(value: float) -> str:
    """With commas, and without a needless `.0`."""
    return f"{value:,.10g}"


def milliseconds(value: float) -> str:
    """Three digits from 100 on, two below."""
    return f"{value:.0f} ms" if value >= 100 else f"{value:.2g} ms"


def millions(value: float) -> str:
    return f"{value / 1e6:.1f} M"


def thousands(value: float) -> str:
    return f"{value / 1e3:.0f} k"


def table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table that ends with an empty line."""
    lines = (heading, ("---",) * len(heading), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def measured_on() -> str:
    """A line for each machine and day; usually there is one."""
    runs = defaultdict[str, list[str]](list)
    for name in BENCHMARKS:
        runs[f"{read_measurement(name).date}: {read_measurement(name).machine}"].append(name)
    if len(runs) == 1:
        return f"Measured on {next(iter(runs))}. {load_during(BENCHMARKS)}.\n"
    lines = (f"- {run}. {load_during(names)} ({', '.join(names)}).\n" for run, names in runs.items())
    return f"Measured on\n\n{''.join(lines)}"


def load_during(names: Iterable[str]) -> str:
    loads = [read_measurement(name).load for name in names]
    least, most = f"{min(loads):.1f}", f"{max(loads):.1f}"
    return f"The load average was {least}" + (f" to {most}" if most != least else "")


# Targets.


def targets_section() -> Iterator[str]:
    yield "## Targets\n"
    targets = (*host_targets(), *journal_targets(), *history_targets(), *scoring_targets(), *page_targets())
    rows = ((t.what, t.wanted, t.measured if t.is_met else f"**{t.measured}**", t.compared_with) for t in targets)
    yield table(("what", "wanted", "measured", "floor or other package"), rows)
    missed = [f"- {t.what}: wanted {t.wanted}, measured {t.measured}.\n" for t in targets if not t.is_met]
    yield f"Missed:\n\n{''.join(missed)}" if missed else "All targets are met.\n"


def host_targets() -> Iterator[Target]:
    response, idle = figures_of("response"), figures_of("idle")
    light_ms, phone_ms = response["peg_to_light_99_percent_ms"], response["settled_to_phone_worst_ms"]
    scan_ms = budget.LOOK.worst_ms
    yield Target(
        "from a peg set down to the light beside it, 99 of 100",
        "one scan and 2 ms",
        f"{number(light_ms)} ms",
        f"{number(scan_ms)} ms, one scan",
        light_ms <= scan_ms + 2,
    )
    yield Target(
        "from a settled leap to a waiting phone, made durable on the way",
        "25 ms",
        f"{milliseconds(phone_ms)} at worst, {milliseconds(response['settled_to_phone_median_ms'])} usually",
        f"{milliseconds(figures_of('durable_turn')['sync_median_ms'])} usually, 4 KiB appended and synced",
        phone_ms <= 25,
    )
    waking = f"{idle['waking_only_percent']:.1f} %, a thread that only wakes fifty times a second"
    for plan, limit, compared_with in (
        ("classic-61", 2.5, waking),
        ("continuous-121-4", 5, "the same: an unchanged frame costs nothing more"),
    ):
        percent = idle[f"{plan.replace('-', '_')}_percent"]
        holes, scans = load_plan(plan).sensor_count, number(budget.SETTINGS.scan_hz)
        what = f"processor use while nothing happens, {holes} holes at {scans} Hz"
        wanted = f"{number(limit)} % of a core"
        yield Target(what, wanted, f"{percent:.1f} %", compared_with, percent <= limit)
    yield from process_targets()
    yield from stream_targets()


def process_targets() -> Iterator[Target]:
    start, memory = figures_of("start_time"), figures_of("memory")
    for what, wanted, key, floor in (
        ("start, until the display shows its first page", 1.6, "display", "libraries"),
        ("start, until the panel can be opened", 2, "ready", "libraries"),
        ("the first page of the panel, its templates compiled by an earlier start", 0.2, "first_page", "libraries"),
        ("`cribboard count`", 1.5, "count", "click"),
    ):
        times, floor_s = start[f"{key}_times_the_import"], start[f"import_of_{floor}_s"]
        yield Target(
            f"{what} (processor time)",
            f"{number(wanted)} times the import of {'the ' if floor == 'libraries' else ''}{floor}",
            f"{times:.2g} times: {start[f'{key}_s']:.2g} s",
            f"{floor_s:.2f} s, a process that imports {'the libraries' if floor == 'libraries' else 'click'}",
            times <= wanted,
        )
    yield Target(
        "memory, a game and ten phones watching",
        "46 MiB",
        f"{number(memory['ten_phones_mib'])} MiB; {number(memory['idle_mib'])} MiB before the game",
        f"{number(memory['libraries_mib'])} MiB, a process that imports the libraries",
        memory["ten_phones_mib"] <= 46,
    )


def stream_targets() -> Iterator[Target]:
    load, alone_ms = figures_of("stream_load"), figures_of("stream")["1_phones_median_ms"]
    half_ms, most_ms, mib = load["last_phone_median_ms"], load["last_phone_99_percent_ms"], load["memory_mib"]
    phones = "200 phones at 50 commands a second"
    yield Target(
        f"from a command to the last of {phones}",
        "60 ms for half, 150 ms for 99 of 100",
        f"{milliseconds(half_ms)} and {milliseconds(most_ms)}",
        f"{milliseconds(alone_ms)}, one phone and one command at a time",
        half_ms <= 60 and most_ms <= 150,
    )
    yield Target(f"memory, {phones}", "60 MiB", f"{mib:.1f} MiB", "", mib <= 60)


def journal_targets() -> Iterator[Target]:
    resume = figures_of("resume")
    times = resume["times_one_game"]
    yield Target(
        f"opening the journal at a start, {number(resume['games'])} games in it",
        "at most 1.1 times as long as with one game",
        f"{times:.2f} times: {milliseconds(resume['many_games_ms'])}",
        f"{milliseconds(resume['one_game_ms'])}, a journal of one game",
        times <= 1.1,
    )


def history_targets() -> Iterator[Target]:
    history = figures_of("history")
    many_ms, few_ms = history["history_many_games_ms"], history["history_few_games_ms"]
    yield Target(
        f"processor time of the first visit to past games after a start, {thousands(history['many_games'])} games",
        "100 ms",
        milliseconds(many_ms),
        f"{milliseconds(few_ms)}, the same with {number(history['few_games'])} games",
        many_ms <= 100,
    )


def scoring_targets() -> Iterator[Target]:
    hands, play = figures_of("scoring_hands"), figures_of("scoring_play")
    totals, parts, points = hands["show_total_per_s"], hands["count_show_per_s"], play["points_for_per_s"]
    peer_hands, peer_play = hands["cribbage_scorer_per_s"], play["cribbage_scorer_per_s"]
    look_ups, counts = millions(hands["table_look_up_per_s"]), millions(play["count_of_per_s"])
    yield Target(
        "totals of hands at the show, one hand a call",
        "3 M a second, 0.8 of the floor",
        f"{millions(totals)}, {totals / hands['table_look_up_per_s']:.2f} of the floor, "
        f"{totals / peer_hands:.0f} times `cribbage-scorer`",
        f"{look_ups}, five look-ups and a call; {thousands(peer_hands)}, `cribbage-scorer`",
        totals >= 3e6 and totals >= 0.8 * hands["table_look_up_per_s"],
    )
    yield Target(
        "hands counted with all parts and their cards",
        "200 k a second",
        f"{thousands(parts)}, {parts / peer_hands:.1f} times `cribbage-scorer`",
        f"{thousands(peer_hands)}, `cribbage-scorer`, totals only",
        parts >= 200e3,
    )
    yield Target(
        "points of a card in play",
        "1 M a second",
        f"{millions(points)}, {points / peer_play:.1f} times `cribbage-scorer`",
        f"{counts}, adding up the count; {thousands(peer_play)}, `cribbage-scorer`",
        points >= 1e6,
    )


def page_targets() -> Iterator[Target]:
    visit, drag = figures_of("first_visit"), figures_of("peg_drag")
    most_kb = max(visit["first_screen_kb"], visit["game_kb"])
    slowest_ms = max(visit["first_screen_slow_4g_median_ms"], visit["game_slow_4g_median_ms"])
    shift = max(visit["first_screen_layout_shift"], visit["game_layout_shift"])
    yield Target(
        "first visit, compressed",
        "100 kB",
        f"{visit['first_screen_kb']:.0f} kB without a game, {visit['game_kb']:.0f} kB with one",
        "",
        most_kb <= 100,
    )
    devtools_ms = milliseconds(visit["game_slow_4g_of_devtools_median_ms"])
    yield Target(
        "first visit on slow 4G (150 ms, 1.6 Mbit/s), until the page can be used",
        "1.5 s",
        f"{milliseconds(slowest_ms)} usually",
        f"{devtools_ms} with 562 ms a request, as the network panel of Chromium has it",
        slowest_ms <= 1500,
    )
    yield Target("layout shift of a first visit", "0.05", f"{shift:.3f}", "", shift <= 0.05)
    busy_ms = drag["main_thread_ms_per_frame"]
    yield Target(
        "a frame while a peg is dragged: processor time of the page's thread",
        "16.7 ms, for 60 frames a second",
        f"{busy_ms:.1f} ms, {drag['script_ms_per_frame']:.1f} ms of it scripts",
        "drawn without a graphics processor, so frames a second mean nothing here",
        busy_ms <= 1000 / 60,
    )


# The latency budget.


def budget_section() -> Iterator[str]:
    yield BUDGET_INTRODUCTION.format(lights=load_plan("classic-61").led_count)
    yield table(("stage", "floor, mean", "floor, worst", "added by the program"), budget_rows())
    yield table(("the circuit board, on an emulated chip", "measured", "wanted"), board_rows())
    yield BOARD_READING
    yield BUDGET_REMARKS


def board_rows() -> Iterator[tuple[str, ...]]:
    figures = figures_of("sensing_board")
    for key, name, goal_ms in BOARD_GOALS:
        yield f"{name}: a scan of all holes", f"{figures[f'{key}_scan_ms']:.1f} ms", f"{SCAN_GOAL_MS} ms"
        lit = f"{figures[f'{key}_lit_ms']:.1f} ms"
        yield f"{name}: light after a scan, from the first byte of a picture to its last light", lit, f"{goal_ms} ms"
        floor = budget.peg_to_light(figures[f"{key}_scan_ms"], figures[f"{key}_lit_ms"])
        yield f"{name}: from a peg set down to the light beside it, at worst", f"{floor.worst_ms:.0f} ms", ""


def budget_rows() -> Iterator[tuple[str, ...]]:
    processing, fsync = figures_of("processing"), figures_of("durable_turn")["median_ms"]
    holes_ms = figures_of("board_plan")["frame_to_holes_us"] / 1e3
    board = figures_of("sensing_board")
    scan_ms, lit_ms = board["classic_scan_ms"], board["classic_lit_ms"]
    light, page, key = (processing[f"{path}_ms"] for path in ("frame_to_light", "settled_to_page", "key_to_page"))
    yield f"{budget.EQUAL_SCANS} scans that agree, {budget.SCAN_MS} ms apart", *floors(budget.SEEN), ""
    yield "the last of these scans", *floors(budget.always(scan_ms)), ""
    change = f"the change: {budget.CHANGE_BYTES} bytes at {budget.BAUD:,} baud, then one USB frame of 1 ms"
    yield change, *floors(budget.sent(budget.CHANGE_BYTES)), f"{holes_ms:.3f} ms, from the frame to holes"
    yield f"the next look of the host, `scan_hz = {budget.SETTINGS.scan_hz}`", *floors(budget.LOOK), ""
    yield "decision, from a frame to lights", "", "", milliseconds(light)
    yield "the picture, from its first byte on the wire to its last light", *floors(budget.always(lit_ms)), ""
    to_light = floors(budget.peg_to_light(scan_ms, lit_ms))
    yield bold("from a peg set down to the light beside it", *to_light, milliseconds(light))
    yield f"the peg holds still: `settle_s = {number(budget.SETTINGS.settle_s)}`", *floors(budget.SETTLED), ""
    yield "the same, for a leap by exactly the points that are due", *floors(budget.SETTLED_AS_OWED), ""
    yield "the turn is made durable", "one fsync", "the worst of the SD card", f"{milliseconds(fsync)} on a disk"
    drawing = f"{milliseconds(figures_of('oled')['page_ms'])} to draw it"
    yield "the display: a whole page, 1,024 bytes over I2C at 400 kHz", *floors(budget.DISPLAY), drawing
    yield bold(
        "from a peg set down to the score on the display, as due",
        *floors(budget.peg_to_display(scan_ms)),
        f"{milliseconds(page)} and the fsync",
    )
    yield "a key at the Pi: three equal scans, 10 ms apart", *floors(budget.KEY), ""
    yield bold("from a key at the Pi to its page on the display", *floors(budget.KEY_TO_DISPLAY), milliseconds(key))
    board_key = floors(budget.board_key_to_display(scan_ms))
    yield bold("from a key at the circuit board to its page on the display", *board_key, milliseconds(key))
    one_phone = figures_of("stream")["1_phones_median_ms"]
    yield "from a command to the state on a phone", "network and drawing", "", milliseconds(one_phone)


def floors(floor: budget.Floor) -> tuple[str, str]:
    mean, worst = (f"{ms:.1f} ms" if ms < 2 else f"{ms:.0f} ms" for ms in (floor.mean_ms, floor.worst_ms))
    return mean, worst


def bold(*cells: str) -> tuple[str, ...]:
    return tuple(f"**{cell}**" for cell in cells)


# A Raspberry Pi.


def pi_section() -> Iterator[str]:
    yield pi_times.introduction()
    yield table(pi_times.HEADING, pi_times.rows())


# Everything else.


def details_section() -> Iterator[str]:
    yield "## Other figures\n"
    yield table(
        ("game", "games a second", "commands a second", "played at random too", "floor", "share of the floor"),
        game_rows(),
    )
    yield game_reading()
    yield table(
        ("advice on a discard", "first of a process", "a new hand", "a hand seen before", "floor"), advice_rows()
    )
    yield "Processor time. The floor is the sums of products alone. The target is 2 ms for every new hand.\n"
    yield table(("the engine", "a discard", "the slowest", "a card of the play", "the slowest"), engine_rows())
    yield "Processor time of the expert. Aimed at: 5 ms for a discard, 30 ms for a card, 200 ms at worst.\n"
    yield table(("phones on the stream", "half within", "99 of 100 within", "memory for all"), stream_rows())
    yield "From the command until the phones have the new state, all phones on the same machine as the program.\n"
    yield table(("a phone's command", "half within", "99 of 100 within", "memory"), attack_rows())
    yield "Under attack: 20 processes with addresses of their own and every attack of `tests/web_panel/attackers.py`.\n"
    few, many = (number(figures_of("history")[key]) for key in ("few_games", "many_games"))
    yield table(("first visit after a start", f"{few} games", f"{many} games"), history_rows())
    stored_ms = milliseconds(figures_of("history")["stored_ms_per_game"])
    yield f"Processor time. An upgrade may store the figures of all games anew: {stored_ms} for each short game.\n"
    yield table(("HTTPS", "off", "on"), https_rows())
    yield table(("MQTT: from a peg to its light", "half within", "99 of 100 within"), mqtt_rows())
    yield table(("the voice: processor time from an event to its first sample", "usually", "at most"), voice_rows())
    yield VOICE_READING
    yield table(("the demonstration, with the voice", "off", "on"), voice_cost_rows())
    yield table(("work", "calls of own functions", "of them from another package"), work_rows())
    yield "Counted in all threads, not timed: about the same on every machine.\n"
    yield table(("what", "time"), other_rows())


def game_rows() -> Iterator[tuple[str, ...]]:
    games = figures_of("games")
    for variant in VARIANTS:
        refereed, floor = games[f"{variant}_games_per_s"], games[f"{variant}_floor_games_per_s"]
        commands, played = games[f"{variant}_commands_per_s"], games[f"{variant}_played_games_per_s"]
        yield f"`{variant}`", *map(number, (refereed, commands, played, floor)), f"{refereed / floor:.3f}"


def game_reading() -> str:
    """What the table of games shows, and the other package."""
    peer = number(figures_of("games")["six_card_cribbage_scorer_games_per_s"])
    return (
        "Whole games, refereed command by command without journal, pegs or display. The floor is the points alone:\n"
        "each card and hand of the same games is scored, nothing checked or kept. `cribbage-scorer` scores those of\n"
        f"{peer} games of `six_card` a second.\n"
    )


def advice_rows() -> Iterator[tuple[str, ...]]:
    advice = figures_of("advice")
    for game in VARIANTS:
        kinds = ("first_hand", "new_hand", "repeated_hand", "floor")
        yield f"`{game}`", *(f"{number(advice[f'{game}_{kind}_ms'])} ms" for kind in kinds)


def engine_rows() -> Iterator[tuple[str, ...]]:
    engine = figures_of("engine")
    for game in VARIANTS:
        kinds = ("discard", "slowest_discard", "card", "slowest_card")
        yield f"`{game}`", *(f"{number(engine[f'{game}_{kind}_ms'])} ms" for kind in kinds)


def stream_rows() -> Iterator[tuple[str, ...]]:
    stream = figures_of("stream")
    for phones in (1, 12, 50, 200):
        half, most, mib = (stream[f"{phones}_phones_{key}"] for key in ("median_ms", "99_percent_ms", "mib"))
        yield str(phones), milliseconds(half), milliseconds(most), f"{mib:.1f} MiB"


def attack_rows() -> Iterator[tuple[str, ...]]:
    attack = figures_of("attack")
    for title, key in (("usually", "calm"), ("under attack", "under_attack")):
        half, most = (milliseconds(attack[f"{key}_{share}_ms"]) for share in ("median", "99_percent"))
        yield title, half, most, "" if key == "calm" else f"{attack['more_mib']:.1f} MiB more"


def history_rows() -> Iterator[tuple[str, ...]]:
    history = figures_of("history")
    for title, key in (
        ("past games", "history"),
        ("a player", "player"),
        ("two opponents", "opponents"),
        ("scorecards, the latest of each player", "scorecards"),
        ("scorecards of one player", "cards_of_one"),
    ):
        few_ms, many_ms = (milliseconds(history[f"{key}_{games}_games_ms"]) for games in ("few", "many"))
        yield title, few_ms, many_ms


def https_rows() -> Iterator[tuple[str, ...]]:
    https = figures_of("https")
    first_s = f"{https['https_start_s']:.2f} s; {https['first_https_start_s']:.2f} s the first time"
    yield "processor time of a start, until the panel has an address", f"{https['clear_start_s']:.2f} s", first_s
    yield "memory before the first game", f"{https['clear_mib']:.1f} MiB", f"{https['https_mib']:.1f} MiB"
    whole_ms, resumed_ms = https["handshake_ms"], https["resumed_handshake_ms"]
    yield "processor time of a connection's handshake", "", f"{whole_ms:.2f} ms; {resumed_ms:.2f} ms if resumed"


def mqtt_rows() -> Iterator[tuple[str, ...]]:
    mqtt = figures_of("mqtt")
    for title, key in (
        ("off", "peg_to_light"),
        ("with a broker that accepts the board, and then neither reads nor answers", "peg_to_light_hanging"),
        ("the same, and the disk is full", "peg_to_light_full_disk"),
        ("the same, and the time of day jumps by years with each turn", "peg_to_light_clock"),
        ("with a broker that refuses the password", "peg_to_light_refused"),
        ("with a broker that cannot be reached, and nobody says so", "peg_to_light_out_of_reach"),
        ("with a name server that never answers", "peg_to_light_name_server"),
    ):
        yield title, milliseconds(mqtt[f"{key}_median_ms"]), milliseconds(mqtt[f"{key}_99_percent_ms"])


def voice_rows() -> Iterator[tuple[str, ...]]:
    events = figures_of("speech_events")
    for verbosity in ("full", "terse"):
        share = number(round(events[f"{verbosity}_cached_percent"]))
        for kind, what in (("cached", f"rendered before ({share} of 100 events)"), ("new", "new")):
            usual_ms, most_ms = events[f"{verbosity}_{kind}_median_ms"], events[f"{verbosity}_{kind}_most_ms"]
            yield f"{verbosity}, first sentence {what}", milliseconds(usual_ms), milliseconds(most_ms)


def voice_cost_rows() -> Iterator[tuple[str, ...]]:
    cost = figures_of("speech_cost")
    for what, key, unit in (
        ("memory of the program", "mib", "MiB"),
        ("its processor time", "ms_per_s", "ms a second"),
        ("processor time of espeak-ng and aplay", "engine_ms_per_s", "ms a second"),
    ):
        yield what, *(f"{cost[f'{name}_{key}']:.1f} {unit}" for name in ("off", "on"))


def other_rows() -> Iterator[tuple[str, ...]]:
    durable, resume, plan = figures_of("durable_turn"), figures_of("resume"), figures_of("board_plan")
    tracking, oled, speech = figures_of("peg_tracking"), figures_of("oled"), figures_of("speech")
    holes, file = load_plan("continuous-121-4").sensor_count, f"a journal of {number(resume['games'])} games"
    yield "from an event to the sound of a new sentence", usually(speech, "new_median_ms", "new_worst_ms", "at worst")
    yield "a turn made durable", usually(durable, "median_ms", "99_percent_ms", "or less for 99 of 100")
    fsync = usually(durable, "sync_median_ms", "sync_99_percent_ms", "or less for 99 of 100")
    yield "4 KiB appended to a file and synced", fsync
    yield f"the last 20 games, read from {file}", milliseconds(resume["list_20_games_ms"])
    yield f"`PRAGMA quick_check` of {file}, {number(resume['file_mb'])} MB", f"{number(resume['quick_check_s'])} s"
    yield "peg tracker, one changed frame of two tracks", f"{number(tracking['2_tracks_us_per_frame'])} µs"
    yield "peg tracker, one changed frame of four tracks", f"{number(tracking['4_tracks_us_per_frame'])} µs"
    yield f"a frame of {holes} sensors to sets of holes", f"{number(plan['frame_to_holes_us'])} µs"
    for what in ("parse", "audit", "draw"):
        yield f"plan of the board with {holes} holes: {what}", milliseconds(plan[f"{what}_ms"])
    yield "a page of the display: draw", milliseconds(oled["page_ms"])
    yield "a page of the display: encode as PNG", milliseconds(oled["png_ms"])
    yield from page_load_rows()


def work_rows() -> Iterator[tuple[str, ...]]:
    work = {name: number(figure) for name, figure in figures_of("work").items()}
    yield "a card by HTTP, from the request to its answer", work["card_calls"], work["card_switches"]
    yield "the state in its answer", work["answer_calls"], work["answer_switches"]
    yield "a key, from the scan to its page on the display", work["key_calls"], ""


def page_load_rows() -> Iterator[tuple[str, ...]]:
    load = figures_of("page_load")
    yield "first page in Chromium, until it can be used", usually(load, "median_ms", "worst_ms", "at worst")
    slow = usually(load, "quarter_speed_median_ms", "quarter_speed_worst_ms", "at worst")
    yield "the same with the processor at a quarter of its speed", slow


def usually(figures: Mapping[str, float], usual: str, most: str, what_most_is: str) -> str:
    return f"{milliseconds(figures[usual])} usually, {milliseconds(figures[most])} {what_most_is}"


if __name__ == "__main__":
    print(page(), end="")
