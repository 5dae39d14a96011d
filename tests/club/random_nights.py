"""Random club nights: late arrivals, leavers and their return, withdrawn pairings, changes by hand, reports,
confirmations and corrections.

`play_night` gives the commands to `decide`, keeps its own plain record of what it did, and compares the program with
`oracle` after each round. Nothing of the program's state is used to compute what is expected.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from msgspec import Struct, field

from firmware_host.club import decide as d
from firmware_host.club.by_hand import swap_match_tables
from firmware_host.club.events import BracketKind, Event, Pair, PlayerLeft, RoundPaired
from firmware_host.club.evolve import evolve
from firmware_host.club.members import ORGANISER, MemberId, NightSettings
from firmware_host.club.standings import standings
from firmware_host.club.state import Club, Night
from tests.club import changes_by_hand as by_hand
from tests.club import oracle

Games = dict[tuple[int, int], tuple[int, int]]
"""Round and table -> the two players."""


class PlayedNight(Struct):
    """What happened, as the driver remembers it. `differences` should stay empty."""

    random: Random
    settings: NightSettings
    club: Club = field(default_factory=Club)
    events: list[Event] = field(default_factory=list)
    present: list[int] = field(default_factory=list)
    entrants: list[int] = field(default_factory=list)
    games: Games = field(default_factory=dict)
    scores: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """Official results only."""
    byes: list[tuple[int, int]] = field(default_factory=list)
    """(round, player)"""
    departures: dict[int, tuple[Games, list[int]]] = field(default_factory=dict)
    """Who has left -> games and rounds of byes that were lost by it."""
    before: dict[int, list[tuple[Games, list[tuple[int, int]]]]] = field(default_factory=dict)
    """Round -> its games and byes before each change by hand that can be undone."""
    differences: list[str] = field(default_factory=list)

    @property
    def night(self) -> Night:
        return self.club.nights[-1]

    def apply(self, event: Event) -> None:
        self.events.append(event)
        self.club = evolve(self.club, event)

    def enter(self) -> None:
        member = d.add_member(self.club, f"Player {len(self.club.members) + 1}", handicap=self.random.randrange(20))
        self.apply(member)
        by_hand.arrive(self, member.member)
        self.entrants.append(member.member)

    def leave(self) -> None:
        """Somebody goes away; open games become byes of the opponents."""
        member = self.random.choice(self.present)
        event = d.leave(self.club, self.night, MemberId(member))
        assert isinstance(event, PlayerLeft)
        self.apply(event)
        self.present.remove(member)
        begun = max((number for number, _ in self.reported), default=0)
        lost = {place: pair for place, pair in self.games.items() if member in pair and place not in self.reported}
        byes = [number for number, player in self.byes if player == member and number > begun]
        self.departures[member] = lost, byes
        for number in (*byes, *(number for number, _ in lost)):
            self.before.pop(number, None)
        self.byes = [(number, player) for number, player in self.byes if player != member or number <= begun]
        for place, pair in lost.items():
            del self.games[place]
            self.byes.append((place[0], pair[1 - pair.index(member)]))

    reported: set[tuple[int, int]] = field(default_factory=set)

    def pair(self) -> int:
        """The next round, compared with the best of all."""
        met = Counter(map(frozenset, self.games.values()))
        had_bye = Counter(player for _, player in self.byes)
        event = d.pair_round(self.club, self.night)
        self.differences += [
            f"round {event.round}: {fault}"
            for fault in oracle.faults_of_round(self.present, event.games, event.byes, met, had_bye)
        ]
        self.apply(event)
        self.remember(event)
        return event.round

    def remember(self, event: RoundPaired) -> None:
        for table, pair in enumerate(event.games, start=1):
            self.games[event.round, table] = pair[0], pair[1]
        self.byes += [(event.round, player) for player in event.byes]

    def unpair(self) -> None:
        round = len(self.night.rounds)
        self.apply(d.unpair_round(self.night, "somebody came late"))
        self.games = {place: pair for place, pair in self.games.items() if place[0] != round}
        self.byes = [(number, player) for number, player in self.byes if number != round]
        self.before.pop(round, None)

    def random_scores(self) -> tuple[int, int]:
        low = self.random.choice((self.random.randrange(121), 90, 91, 120, 60))
        return (121, low) if self.random.random() < 0.5 else (low, 121)

    def play_game(self, place: tuple[int, int]) -> None:
        """Reports a game in one of the ways that make it official."""
        pair, scores, way = Pair(*map(MemberId, self.games[place])), self.random_scores(), self.random.randrange(5)
        self.reported.add(place)
        if way == 0:
            self.apply(d.correct_result(self.night, *place, scores, "the card says so"))
        elif way == 1:  # the organiser reports, both confirm
            self.apply(d.report_result(self.club, self.night, *place, scores, ORGANISER))
            for member in pair:
                self.apply(d.confirm_result(self.club, self.night, *place, member))
        else:
            if way == 2:  # a slip, which the opponent does not confirm
                slip = scores[1], scores[0]
                self.apply(d.report_result(self.club, self.night, *place, slip, pair.first))
            self.apply(d.report_result(self.club, self.night, *place, scores, pair.second))
            self.apply(d.report_result(self.club, self.night, *place, scores, pair.first))
        if way == 3:
            scores = self.random_scores()
            self.apply(d.correct_result(self.night, *place, scores, "winner and loser were exchanged"))
        self.scores[place] = scores

    def compare_standings(self) -> None:
        results = [(*self.games[place], *scores) for place, scores in self.scores.items()]
        byes = [player for _, player in self.byes]
        points, spread = self.settings.bye_points, self.settings.bye_spread
        table = oracle.table_of(self.entrants, results, byes, points, spread, skunk_below=91)
        rows = standings(self.night)
        shown = {row.member: (*row.sums.rank_key[:3], row.sums.plus) for row in rows}
        if shown != table:
            self.differences.append(f"standings: {shown}, expected {table}")
        if {row.member: row.place for row in rows} != oracle.places_of(table):
            self.differences.append("places differ")
        if [row.place for row in rows] != sorted(row.place for row in rows):
            self.differences.append("places are not in order")

    def play_bracket(self, kind: BracketKind) -> None:
        """Draws the bracket and plays it to its end, the winners by a rule of the driver's own."""
        event = d.draw_bracket(self.club, self.night, kind, self.random.choice((3, 5)))
        self.apply(event)
        seeds = [int(member) for member in event.seeds]
        places = {row.member: row.place for row in standings(self.night)}
        if [places[MemberId(seed)] for seed in seeds] != sorted(places[MemberId(seed)] for seed in seeds):
            self.differences.append(f"{kind}: seeds out of order")
        if kind is BracketKind.MAIN:
            here = min(len(self.present), oracle.qualifiers_of(len(self.entrants), self.settings.qualify_one_in))
            if len(seeds) != here:
                self.differences.append(f"{len(seeds)} qualifiers, expected {here}")
        luck = self.random.randrange(1, 1000)

        def wins(one: int, two: int) -> int:
            return one if (one * 7919 + two * 7919 + luck + min(one, two)) % 2 == (one < two) else two

        matches, champion, byes = oracle.knock_out(seeds, wins)
        played = set[frozenset[int]]()
        needed = event.best_of // 2 + 1
        for number, size in enumerate(len(each) for each in self.night.brackets[kind].rounds):
            for place in range(size):
                match = self.night.brackets[kind].rounds[number][place]
                if match.is_bye:
                    continue
                one, two = match.players
                assert one is not None and two is not None
                played.add(frozenset((one, two)))
                lost = self.random.randrange(needed)
                result = (needed, lost) if wins(one, two) == one else (lost, needed)
                if self.random.random() < 0.5:
                    self.play_match(kind, one, two, result)
                else:
                    self.apply(d.report_match(self.night, kind, number + 1, place + 1, result))
                if self.night.brackets[kind].rounds[number][place].wins != result:
                    self.differences.append(f"{kind}: match {number + 1}-{place + 1} is not {result}")
        bracket = self.night.brackets[kind]
        if (played, bracket.champion, bracket.byes) != (matches, champion, byes):
            self.differences.append(f"{kind}: {bracket.champion} won after {played}, expected {champion} and {matches}")

    def play_match(self, kind: BracketKind, one: MemberId, two: MemberId, result: tuple[int, int]) -> None:
        """The games of a match one by one, each entered by both players; the winner of the match wins the last one."""
        winner = result.index(max(result))
        games = [1 - winner] * min(result) + [winner] * (max(result) - 1)
        self.random.shuffle(games)
        for won_by in (*games, winner):
            self.swap_match_tables()
            (game,) = (each for each in self.night.open_match_games if {*each.players} == {one, two})
            low = self.random.randrange(121)
            scores = (121, low) if won_by == 0 else (low, 121)
            if any(other.table == game.table for other in self.night.open_match_games if other != game):
                self.differences.append(f"{kind}: two matches at table {game.table}")
            for player in (one, two):
                self.apply(d.report_result(self.club, self.night, game.round, game.table, scores, player))

    def swap_match_tables(self) -> None:
        """One match or two get another table, now and then. No two matches are at one table, and no game that was set
        up has the name of another one."""
        open_games = self.night.open_match_games
        one, two = self.random.choice(open_games).table, self.random.randrange(1, len(self.entrants) + 1)
        if one == two or self.random.random() < 0.7:
            return
        self.apply(swap_match_tables(self.night, one, two))
        after = {game.players: game.table for game in self.night.open_match_games}
        expected = {game.players: {one: two, two: one}.get(game.table, game.table) for game in open_games}
        names = [(game.round, game.table) for game in self.night.fixtures]
        if after != expected or len({*names}) < len(names):
            self.differences.append(f"after tables {one} and {two} were exchanged: {after}, expected {expected}")


def play_night(seed: int, most_players: int = 12) -> PlayedNight:
    """One random night with its play-offs."""
    random = Random(seed)
    settings = NightSettings(
        games=random.choice((9, 9, 9, random.randrange(1, 12))),
        bye_points=random.choice((0, 0, 2)),
        bye_spread=random.choice((0, 10)),
        head_start=random.random() < 0.3,
    )
    played = PlayedNight(random, settings)
    played.apply(d.create_night(played.club, "2026-03-14", settings))
    for _ in range(random.randrange(2, most_players + 1)):
        played.enter()
    churn = random.choice((0.0, 0.1, 0.4))
    while len(played.night.rounds) < settings.games:
        round = played.pair()
        if random.random() < churn and len(played.present) < most_players:
            played.enter()
            if random.random() < 0.5:
                played.unpair()
                continue
        play_tables(played, round, churn, most_players)
        played.compare_standings()
    for kind in BracketKind:
        if kind is BracketKind.MAIN or len(played.present) > len(played.night.brackets[BracketKind.MAIN].seeds):
            played.play_bracket(kind)
    return played


def play_tables(played: PlayedNight, round: int, churn: float, most_players: int) -> None:
    """Play every open game. When half of them are played, players leave and come back, and places change by hand."""
    for half in (True, False):
        open_games = [place for place in played.games if place not in played.reported]
        played.random.shuffle(open_games)
        for place in open_games[: len(open_games) // 2] if half else open_games:
            played.play_game(place)
        if not half:
            return
        if played.random.random() < churn and len(played.present) > 2:
            played.leave()
        for _ in range(3):
            if played.random.random() < churn and len(played.present) > 1:
                by_hand.change(played, round)
        if played.departures and played.random.random() < churn and len(played.present) < most_players:
            member = played.random.choice(sorted(played.departures))
            if played.random.random() < 0.7:
                by_hand.undo_leave(played, member)
            else:
                by_hand.arrive(played, member)
