-- Times are microseconds since 1970, in UTC; 0 is none.
CREATE TABLE runs (
  n             INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  content       TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  pruned        INTEGER NOT NULL,
  status        TEXT NOT NULL,
  wake_at       INTEGER NOT NULL,
  deployment    TEXT NOT NULL,
  kernel        INTEGER NOT NULL,
  labels        TEXT NOT NULL, -- a JSON object
  fence         INTEGER NOT NULL,
  owner         TEXT NOT NULL,
  lease_until   INTEGER NOT NULL,
  created       INTEGER NOT NULL,
  updated       INTEGER NOT NULL,
  pending       INTEGER NOT NULL,
  first_message INTEGER NOT NULL, -- when the first pending message came
  ready         INTEGER           -- when it becomes claimable by itself; NULL: never
) STRICT;
CREATE INDEX runs_by_age ON runs (created, id);
CREATE INDEX runs_by_status ON runs (status, created, id);
CREATE INDEX runs_by_ready ON runs (ready, id) WHERE ready IS NOT NULL;

CREATE TABLE events (
  run      INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  fence    INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (run, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
  run      INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (run, revision)
) STRICT;

CREATE TABLE messages (
  n    INTEGER PRIMARY KEY AUTOINCREMENT,
  run  INTEGER NOT NULL,
  id   TEXT NOT NULL,
  kind TEXT NOT NULL,
  at   INTEGER NOT NULL,
  data BLOB, -- NULL: it was consumed; its id is kept, so that it is not taken twice
  UNIQUE (run, id)
) STRICT;

CREATE TABLE records (
  kind     TEXT NOT NULL,
  key      TEXT NOT NULL,
  revision INTEGER NOT NULL,
  updated  INTEGER NOT NULL,
  value    BLOB, -- NULL: it was deleted; its revision is kept
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
  n      INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  size   INTEGER NOT NULL
) STRICT;
CREATE TABLE blob_parts (
  blob INTEGER NOT NULL,
  part INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (blob, part)
) STRICT;
