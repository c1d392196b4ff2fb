-- Every reader that follows generations in the order of their marks has consumed those below this one.
CREATE OR REPLACE FUNCTION read_below() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN least((SELECT s.folded_below FROM rollup_state s), (SELECT min(e.sent_below) FROM event_sinks e));
END $$;
