// Is the engine there? Rows: one, `alive`.
RETURN true AS alive
