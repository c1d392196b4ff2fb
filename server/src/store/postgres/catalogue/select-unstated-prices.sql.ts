/** $1: ids of the imported models; $2: their prices as one JSON list. Prices in force that the list does not have. */
export const selectUnstatedPrices = `
  SELECT model_id, provider, variant
    FROM (
      SELECT DISTINCT ON (model_id, provider, variant) model_id, provider, variant, units, rules
        FROM prices
       WHERE model_id = ANY ($1::text[])
       ORDER BY model_id, provider, variant, valid_from DESC
    ) AS current
   WHERE (units <> '{}' OR rules <> '[]')
     AND (model_id, provider, variant) NOT IN (
       SELECT "modelId", provider, variant
         FROM json_to_recordset($2::json) AS stated ("modelId" text, provider text, variant text))`

export interface UnstatedPrice {
  model_id: string
  provider: string
  variant: string
}
