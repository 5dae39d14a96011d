"""The count coach: hands to count, the check of answers, and what a learner misses. Pure."""
