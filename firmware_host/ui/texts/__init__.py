"""Sentences and words: messages, errors, faults, scores in cadence, words for the voice."""
