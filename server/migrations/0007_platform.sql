-- What every process keeps in memory carries a revision here. Processes read this small table every second and load
-- again what has moved, so a change is everywhere within seconds even when Redis is away.

CREATE TABLE revisions (
  topic     text PRIMARY KEY,
  revision  bigint NOT NULL DEFAULT 0
);
INSERT INTO revisions (topic) VALUES ('catalogue'), ('routing'), ('brake');

-- The global spend brake: while it is on, nothing is dispatched.
CREATE TABLE brake (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  engaged         boolean NOT NULL DEFAULT false,
  retry_after_s   integer NOT NULL DEFAULT 300 CHECK (retry_after_s IN (30, 300)),
  reason          text,
  changed_at      timestamptz NOT NULL DEFAULT now()
);
INSERT INTO brake DEFAULT VALUES;
