"""Commands to a club that are refused. The sentences are shown to the organiser and to players."""

from __future__ import annotations

from firmware_host.cribbage.rule_errors import Refusal


class UnknownMember(Refusal, LookupError):
    """No member has this number or name."""

    kind = "unknown_member"
    sentence = "{name} is not a member of the club."


class SeveralMembers(Refusal):
    """Several members could be meant by a name without accents."""

    kind = "several_members"
    sentence = "Which one: {name}?"


class MemberExists(Refusal):
    """Another member has this name."""

    kind = "member_exists"
    sentence = "{name} is a member of the club already. Another person needs another name, such as {name} 2."


class MemberAgain(Refusal):
    """A list has the name of a member."""

    kind = "member_again"
    sentence = "{name} is a member already: the same person?"


class TwiceInList(Refusal):
    """A list has the same name twice."""

    kind = "twice_in_list"
    sentence = "{name} is in the list twice: the same person?"


class NotAMemberCell(Refusal, ValueError):
    """A cell of a list says neither that somebody is a guest nor a handicap."""

    kind = "not_a_member_cell"
    sentence = "“{name}” is neither “guest” nor a handicap from 0 to {number}."


class BadQuotes(Refusal, ValueError):
    """A cell of a list begins with a quotation mark and does not end with one."""

    kind = "bad_quotes"
    sentence = "A cell that begins with a quotation mark ends with one."


class UnknownHeading(Refusal, LookupError):
    """A column of a list has a heading that says neither a name, nor guest, nor handicap."""

    kind = "unknown_heading"
    sentence = "The heading “{name}” is not known: name, first name, last name, guest or handicap."


class NotAListFile(Refusal, ValueError):
    """The file or text with a list of members is no text in an encoding that is read."""

    kind = "not_a_list_file"
    sentence = "This is no list in UTF-8, UTF-16 or the code page of Windows. Save it as a CSV file in UTF-8."


class NotAName(Refusal, ValueError):
    """The name is empty, too long, a number, or has characters that cannot be printed."""

    kind = "not_a_member_name"
    sentence = "A name has 1 to {number} letters, and is not a number."


class StillPlaying(Refusal):
    """A member who plays tonight cannot be removed."""

    kind = "still_playing"
    sentence = "{name} still plays tonight."


class NoNight(Refusal, LookupError):
    """There is no club night of that number."""

    kind = "no_night"
    sentence = "There is no such club night."


class NightIsOn(Refusal):
    """The latest night is not over, and nobody said that it may end."""

    kind = "night_is_on"
    sentence = "Club night {number} is still on. Close it to begin another one."


class AlreadyEntered(Refusal):
    """The member plays already."""

    kind = "already_entered"
    sentence = "{name} plays tonight already."


class NotEntered(Refusal):
    """The member does not play tonight, or has left."""

    kind = "not_entered"
    sentence = "{name} does not play tonight."


class TooFewPlayers(Refusal):
    """A round needs two players."""

    kind = "too_few_players"
    sentence = "Two players are needed at least."


class AllPaired(Refusal):
    """Every round of the night is paired."""

    kind = "all_paired"
    sentence = "All rounds are paired."


class TablesOpen(Refusal):
    """Tables are open, and nobody said that the next round may be drawn all the same."""

    kind = "tables_open"
    sentence = "{number} table is still open. Draw round {round} all the same?"
    sentence_of_many = "{number} tables are still open. Draw round {round} all the same?"


class RoundNotPaired(Refusal, LookupError):
    """The round has no pairing."""

    kind = "round_not_paired"
    sentence = "Round {number} is not paired."


class RoundHasResults(Refusal):
    """A round with results stays as it is paired."""

    kind = "round_has_results"
    sentence = "Round {number} has results already."


class GameHasScores(Refusal):
    """A game with scores keeps its players and its table."""

    kind = "game_has_scores"
    sentence = "The game at table {number} has a result already."


class SamePlayer(Refusal):
    """Nobody plays against himself."""

    kind = "same_player"
    sentence = "Choose two different players."


class SameTable(Refusal):
    """A table cannot be exchanged with itself."""

    kind = "same_table"
    sentence = "Choose two different tables."


class PairedAlready(Refusal):
    """The two play each other in this round."""

    kind = "paired_already"
    sentence = "{name} play each other at table {number} already."


class HasBye(Refusal):
    """The player has a bye in this round."""

    kind = "has_bye"
    sentence = "{name} has a bye already."


class MetBefore(Refusal):
    """A change by hand pairs two who have met tonight, and nobody said that they may meet again."""

    kind = "met_before"
    sentence = "{name} have met already, in round {number}. Let them meet again?"


class HadBye(Refusal):
    """A change by hand gives a player a second bye, and nobody said that it may."""

    kind = "had_bye"
    sentence = "{name} had a bye already, in round {number}. Another one?"


class NothingToUndo(Refusal):
    """No change by hand can be taken back: there is none, or results and leaves came after it."""

    kind = "nothing_to_undo"
    sentence = "Nothing was changed by hand in this round that can be undone."


class HasNotLeft(Refusal):
    """Only who has left can come back by an undo."""

    kind = "has_not_left"
    sentence = "{name} has not left."


class NoSuchTable(Refusal, LookupError):
    """Nobody plays at this table in this round."""

    kind = "no_such_table"
    sentence = "There is no game at table {number}."


class NotAtTable(Refusal):
    """The member does not play at this table."""

    kind = "not_at_table"
    sentence = "{name} does not play at table {number}."


class AtOtherTable(NotAtTable):
    """The member plays at another table in this round."""

    kind = "at_other_table"
    sentence = "In round {round} {name} plays at table {other}, not at table {number}."


class NotAResult(Refusal, ValueError):
    """The scores are not those of a finished game."""

    kind = "not_a_result"
    sentence = "The winner has {number} holes, the loser fewer."


class ResultIsFinal(Refusal):
    """Both players confirmed the result, or the organiser corrected it."""

    kind = "result_is_final"
    sentence = "This result counts already. Only the organiser can correct it."


class MatchDecided(Refusal):
    """A game of a match that the organiser entered, that was decided without it, or after which the next one began."""

    kind = "match_decided"
    sentence = "This match is decided. Correct the match instead."


class NoResult(Refusal):
    """Nobody has reported this game."""

    kind = "no_result"
    sentence = "Nobody has entered a result for table {number}."


class ReasonMissing(Refusal):
    """A correction needs a reason."""

    kind = "reason_missing"
    sentence = "Give a reason for the correction."


class GamesOpen(Refusal):
    """Play-offs need the results of all games."""

    kind = "games_open"
    sentence = "{number} game has no confirmed result yet."
    sentence_of_many = "{number} games have no confirmed result yet."


class BracketHasResults(Refusal):
    """The bracket has results, so it is not drawn again."""

    kind = "bracket_has_results"
    sentence = "These play-offs have begun."


class NoBracket(Refusal, LookupError):
    """The play-offs were not drawn."""

    kind = "no_bracket"
    sentence = "These play-offs are not drawn yet."


class NoSuchMatch(Refusal, LookupError):
    """There is no match of that number, or its players are not known yet."""

    kind = "no_such_match"
    sentence = "This match cannot be played yet."


class NotAMatchResult(Refusal, ValueError):
    """The games won are not those of a finished match."""

    kind = "not_a_match_result"
    sentence = "The winner of a match has {number} games, the loser fewer."


class NextMatchPlayed(Refusal):
    """The winner has played the next match already."""

    kind = "next_match_played"
    sentence = "The next match has a result already. Correct that one first."


class NightExists(Refusal):
    """Somebody began this night already."""

    kind = "night_exists"
    sentence = "Club night {number} has begun already."


class RoundExists(Refusal):
    """Somebody drew this round already, or withdrew the one before."""

    kind = "round_exists"
    sentence = "The rounds have changed. Look at them again."


class NotAJoinCode(Refusal, ValueError):
    """The code is not one that a board or a player could type."""

    kind = "not_a_join_code"
    sentence = "The code has {number} digits."


class WrongJoinCode(Refusal):
    """The board or phone named another code than that of the room."""

    kind = "wrong_join_code"
    sentence = "This is not the code of the room."


class NotTheFullName(Refusal, LookupError):
    """A player of the night has a name like this one."""

    kind = "not_the_full_name"
    sentence = "Type your full name. Did you mean: {name}?"


class UnknownPlayer(Refusal, LookupError):
    """No player of the night has a name like this one."""

    kind = "unknown_player"
    sentence = "Nobody called {name} plays tonight. Type your full name, or ask the organiser."


class UnknownBoard(Refusal, LookupError):
    """No board of this name has joined."""

    kind = "unknown_board"
    sentence = "{name} has not joined this night."


class HasPhone(Refusal):
    """A player has one phone at a time."""

    kind = "has_phone"
    sentence = "{name} has joined with another phone. The organiser can release it."


class UnknownPhone(Refusal, LookupError):
    """The phone has not joined tonight, or was released."""

    kind = "unknown_phone"
    sentence = "This phone has not joined tonight. Type the code of the room."


class NoConflict(Refusal, LookupError):
    """No result of this name waits for the organiser."""

    kind = "no_conflict"
    sentence = "This has been settled already."


class TooManyUnmatched(Refusal):
    """A board sent too many results that belong to no game of the night."""

    kind = "too_many_unmatched"
    sentence = "{name} sent too many results that belong to no game."
