-- Whether a hold with these windows is paid from a customer's balance. The wallet has put this money aside already, so
-- such a hold takes nothing more of it.
CREATE OR REPLACE FUNCTION is_prepaid(kinds text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce('customer_balance' = ANY (kinds), false);
