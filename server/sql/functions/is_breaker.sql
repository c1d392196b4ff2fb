-- Whether a window belongs to a spend breaker. Breakers count a hold by its estimate, all other windows by its amount.
CREATE OR REPLACE FUNCTION is_breaker(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN kind LIKE '%\_minute' OR kind LIKE '%\_hour';
