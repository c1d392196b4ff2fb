-- Every reader that follows generations by position has consumed all positions below this one.
CREATE OR REPLACE FUNCTION read_below() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN least((SELECT least(s.rolled_up_below, s.earned_below) FROM rollup_state s), (SELECT min(e.sent_below) FROM event_sinks e));
END $$;
