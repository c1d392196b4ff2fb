-- Videos are made by jobs that outlive every connection and process. A job's row is written, with its hold, before any upstream is
-- called; workers move it, one step at a time, and its end, its charge and its webhook are one transaction.

CREATE TABLE video_jobs (
  id            uuid PRIMARY KEY,          -- the generation's id; shown as vjob_…
  wallet_id     uuid NOT NULL,
  model         text NOT NULL,
  task          jsonb NOT NULL,            -- what is to be made
  candidates    jsonb NOT NULL,            -- who may be asked, in order, each with the price it would be charged at
  asker         jsonb NOT NULL,            -- what its generation will say of who asked: key, member, team, app
  held_nano     bigint NOT NULL,
  windows       jsonb NOT NULL,            -- the spend windows of its hold
  progress      jsonb NOT NULL,            -- where it stands; moved by the machine alone
  claim         bigint NOT NULL DEFAULT 0, -- counts claims: whoever has lost the last one can not write any more
  state         text NOT NULL CHECK (state IN ('accepted', 'submitting', 'unknown', 'running', 'storing', 'completed', 'failed')),
  cost_nano     bigint,                    -- once it is over
  own_url       text NOT NULL,             -- where its caller reached us, for links
  callback_url  text,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the next step is due. A worker that takes a step moves it on first, so that a step whose worker died is due again.
  due_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline_at   timestamptz NOT NULL,
  completed_at  timestamptz,
  stored_until  timestamptz                -- until when its videos can be fetched
);
CREATE INDEX video_jobs_due ON video_jobs (due_at) WHERE state NOT IN ('completed', 'failed');
CREATE INDEX video_jobs_stored ON video_jobs (stored_until) WHERE stored_until IS NOT NULL;

-- Calls to the addresses that submitters named, at least once each; the log of a delivery is its row.
CREATE TABLE webhook_deliveries (
  id            uuid PRIMARY KEY,          -- X-Webhook-Id
  job_id        uuid NOT NULL,
  wallet_id     uuid NOT NULL,
  url           text NOT NULL,
  body          text NOT NULL,
  attempts      integer NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at        timestamptz DEFAULT clock_timestamp(), -- null: delivered, or given up
  delivered_at  timestamptz,
  last_status   integer,
  last_error    text,
  UNIQUE (job_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
