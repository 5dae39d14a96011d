"""Circuit boards of revision C: one board under all holes, with its controller. KiCad projects and their generator."""
