"""Players of hold'em: the opponents of the dissertation, and saner ones."""
