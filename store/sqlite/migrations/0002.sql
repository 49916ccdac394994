-- Events in the order of time: those of a commit lie side by side, of however many runs they are. A run knows its last event, and each
-- event the one before it; every 64th can be looked up, so that no walk to an event is long.
ALTER TABLE runs ADD COLUMN last INTEGER NOT NULL DEFAULT 0; -- its last event; 0: none

ALTER TABLE events RENAME TO clustered;
CREATE TABLE events (
  n        INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  prev     INTEGER NOT NULL, -- the run's event before; of the first one that was not pruned it says nothing
  fence    INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  data     BLOB NOT NULL
) STRICT;
INSERT INTO events (n, run, revision, prev, fence, at, data)
  SELECT n, run, revision, iif(before = run, n - 1, 0), fence, at, data
  FROM (SELECT run, revision, row_number() OVER ordered AS n, lag(run) OVER ordered AS before FROM clustered WINDOW ordered AS (ORDER BY run, revision))
  JOIN clustered USING (run, revision)
  ORDER BY n;
DROP TABLE clustered;
CREATE INDEX events_marked ON events (run, revision) WHERE revision % 64 = 0;
UPDATE runs SET last = tip.n FROM (SELECT run, max(n) AS n FROM events GROUP BY run) AS tip WHERE tip.run = runs.n;
