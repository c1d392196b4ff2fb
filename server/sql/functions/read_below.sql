-- Every reader that follows generations in the order of their positions has consumed those below this one.
CREATE OR REPLACE FUNCTION read_below() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN least((SELECT s.rolled_up_below FROM rollup_state s), (SELECT min(e.sent_below) FROM event_sinks e));
END $$;
