-- How far each sink of events has come: generations with smaller marks have been sent to it. A sink follows the fold, so what
-- lies between its cursor and rollup_state.folded_below is complete and waits.
CREATE TABLE event_sinks (
  name           text PRIMARY KEY,
  sent_below     bigint NOT NULL,
  sent_at        timestamptz,
  last_error     text,
  failing_since  timestamptz,  -- null while it takes what it is sent
  due_at         timestamptz   -- not tried before; null: at once
);
