"""Everything a maker needs, drawn from the plan of a board: templates, solids, lists, pictures. Text in, text out."""
