// Question: does the engine answer?
// Params: none
// Rows: one: alive
RETURN true AS alive
