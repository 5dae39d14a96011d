-- Each game belongs to the board that sent its first result: a result of it from another board is refused.
-- depends: 0001.ledger

CREATE TABLE game (
    id TEXT NOT NULL PRIMARY KEY,
    board TEXT NOT NULL
);

INSERT INTO game (id, board)
    SELECT id, board FROM result WHERE NOT EXISTS (
        SELECT 1 FROM result AS earlier WHERE earlier.id = result.id AND earlier.revision < result.revision
    );

CREATE INDEX result_of_board ON result (board);

-- How many messages of each board were refused, and why.
CREATE TABLE refusal (
    board TEXT NOT NULL,
    reason TEXT NOT NULL,
    number INTEGER NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (board, reason)
);
