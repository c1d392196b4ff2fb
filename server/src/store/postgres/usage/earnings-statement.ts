/**
 * Adds the generations with positions from $1 and below $2 to the days on which they were settled, so that a past day
 * does not change, and returns how many there were. A
 * generation without a provider cost of its own cost exactly what was charged and absorbed.
 */
export const earningsStatement = `WITH batch AS MATERIALIZED (
    SELECT (settled_at AT TIME ZONE 'UTC')::date AS day, wallet_id, model, coalesce(provider, '') AS provider,
      count(*) AS requests, sum(cost_nano)::bigint AS charged_nano, sum(absorbed_nano)::bigint AS absorbed_nano,
      sum(coalesce(provider_cost_nano, cost_nano + absorbed_nano))::bigint AS provider_cost_nano
    FROM generations WHERE settled_position >= $1 AND settled_position < $2
    GROUP BY 1, 2, 3, 4
  ), added AS (
    INSERT INTO earning_days AS d
      (day, wallet_id, model, provider, requests, charged_nano, absorbed_nano, provider_cost_nano)
    SELECT day, wallet_id, model, provider, requests, charged_nano, absorbed_nano, provider_cost_nano
    FROM batch ORDER BY 1, 2, 3, 4
    ON CONFLICT (day, wallet_id, model, provider) DO UPDATE SET
      requests = d.requests + excluded.requests, charged_nano = d.charged_nano + excluded.charged_nano,
      absorbed_nano = d.absorbed_nano + excluded.absorbed_nano,
      provider_cost_nano = d.provider_cost_nano + excluded.provider_cost_nano
  )
  SELECT coalesce(sum(requests), 0) AS rolled_up FROM batch`
