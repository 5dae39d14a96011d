-- The ledger of results. Only what SQLite and PostgreSQL both know: times are ISO 8601 texts in UTC, of one length.
-- depends:

CREATE TABLE board (
    name TEXT NOT NULL PRIMARY KEY,
    club TEXT NOT NULL,
    password_hash TEXT NOT NULL
);

CREATE TABLE result (
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    board TEXT NOT NULL,
    is_final BOOLEAN NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    variant TEXT NOT NULL,
    target INTEGER NOT NULL,
    digest TEXT NOT NULL,
    received_at TEXT NOT NULL,
    PRIMARY KEY (id, revision)
);

CREATE TABLE player_result (
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    side INTEGER NOT NULL,
    place INTEGER NOT NULL,
    player TEXT NOT NULL,
    name TEXT NOT NULL,
    score INTEGER NOT NULL,
    is_won BOOLEAN NOT NULL,
    points INTEGER NOT NULL,
    spread INTEGER NOT NULL,
    PRIMARY KEY (id, revision, side, place),
    FOREIGN KEY (id, revision) REFERENCES result (id, revision)
);

-- The results that count: the highest revision of each game, unless it withdraws the result or waits for a
-- side to confirm it: then it is not final.
CREATE VIEW counted_result AS
    SELECT result.* FROM result
    WHERE is_final AND NOT EXISTS (
        SELECT 1 FROM result AS later WHERE later.id = result.id AND later.revision > result.revision
    );
