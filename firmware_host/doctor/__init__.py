"""The doctor: looks at the computer, the wires, the parts and the journal, and says what it found and what mends it."""
