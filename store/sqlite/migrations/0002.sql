-- What each step of a run writes lies side by side in the file, of however many runs the steps of a commit are.

-- How far runs have got, apart from what seldom changes.
CREATE TABLE progress (
  run      INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  last     INTEGER NOT NULL, -- the run's last event; 0: none
  updated  INTEGER NOT NULL
) STRICT;

-- Events in the order of time. Each names the one before it of its run; every 64th can be looked up, so that no walk to an event is long.
ALTER TABLE events RENAME TO clustered;
CREATE TABLE events (
  n        INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  prev     INTEGER NOT NULL, -- the run's event before; of the first that is there it says nothing
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

INSERT INTO progress (run, revision, last, updated)
  SELECT runs.n, revision, ifnull(tip.n, 0), updated FROM runs LEFT JOIN (SELECT run, max(n) AS n FROM events GROUP BY run) AS tip ON tip.run = runs.n;
ALTER TABLE runs DROP COLUMN revision;
ALTER TABLE runs DROP COLUMN updated;
