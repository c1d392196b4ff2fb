/** $1: ids of the imported models; $2: their offers as one JSON list. Whatever else is sold of these models is not any more. */
export const deactivateOffers = `
  UPDATE offers
     SET active = false
   WHERE active
     AND model_id = ANY ($1::text[])
     AND (model_id, provider, variant) NOT IN (
       SELECT "modelId", provider, variant
         FROM json_to_recordset($2::json) AS stated ("modelId" text, provider text, variant text))`
