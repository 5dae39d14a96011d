"""The proof of a deal on the command line."""

from __future__ import annotations

from firmware_host.cli.jsonl import Record
from firmware_host.stats.deal_proofs import DealProof


def proof_in_words(proof: DealProof) -> str:
    """One line."""
    if not proof.is_kept:
        said = f"the pack has another fingerprint: {proof.pack.commitment}"
    elif not proof.is_followed:
        said = "the cards were not those of the pack"
    else:
        said = "as committed"
    return f"deal {proof.deal}: {proof.commitment}  {said}"


def proof_record(game: int, proof: DealProof) -> Record:
    """One JSON object."""
    return {
        "game": game,
        "deal": proof.deal,
        "dealer": proof.dealer,
        "commitment": proof.commitment,
        "order": list(map(str, proof.pack.order)),
        "nonce": proof.pack.nonce,
        "is_kept": proof.is_kept,
        "is_followed": proof.is_followed,
    }
