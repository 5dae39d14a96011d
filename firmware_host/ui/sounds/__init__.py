"""The tunes of the piezo."""
