/**
 * $1: the stated prices as one JSON list; $2: now. Adds those that differ from the newest stored version. A version is
 * always later than the one before it, even when a clock went backwards in between.
 */
export const insertChangedPrices = `
  INSERT INTO prices (id, model_id, provider, variant, units, tiers, rules, valid_from)
  SELECT stated.id, stated."modelId", stated.provider, stated.variant, stated.units, stated.tiers, coalesce(stated.rules, '[]'),
         greatest($2::timestamptz, current.valid_from + interval '1 microsecond')
    FROM json_to_recordset($1::json) AS stated
         (id uuid, "modelId" text, provider text, variant text, units jsonb, tiers jsonb, rules jsonb)
    LEFT JOIN (
      SELECT DISTINCT ON (model_id, provider, variant) *
        FROM prices
       ORDER BY model_id, provider, variant, valid_from DESC
    ) AS current
      ON current.model_id = stated."modelId"
     AND current.provider = stated.provider
     AND current.variant = stated.variant
   WHERE current.id IS NULL OR (current.units, current.tiers, current.rules)
      IS DISTINCT FROM (stated.units, stated.tiers, coalesce(stated.rules, '[]'))`
