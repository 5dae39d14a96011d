"""Settings, board plans, languages, card tags and the calibrated wiring."""
