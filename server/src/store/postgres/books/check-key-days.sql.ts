import { sqlCheck } from './check.ts'

/** What limits of keys are counted from agrees with the generations, as far as they are kept. */
export const checkKeyDays = sqlCheck({
  text: `SELECT coalesce(u.wallet_id, k.wallet_id) AS "walletId", 'a key spent in a day what its generations cost' AS what,
      'key_usage_days' AS table, coalesce(d.day, u.day)::text AS day, coalesce(d.key_id, u.key_id)::text AS subject,
      coalesce(u.spent, 0)::text AS expected, coalesce(d.spent_nano::text, 'no day') AS found
    FROM (SELECT * FROM key_usage_days WHERE day >= $2) AS d
    FULL JOIN (SELECT key_id, (started_at AT TIME ZONE 'UTC')::date AS day, sum(cost_nano) AS spent, min(wallet_id::text)::uuid AS wallet_id
               FROM generations WHERE id >= $1 AND (started_at AT TIME ZONE 'UTC')::date >= $2 GROUP BY 1, 2) AS u
      ON u.key_id = d.key_id AND u.day = d.day
    LEFT JOIN api_keys k ON k.id = d.key_id
    WHERE coalesce(u.spent, 0) IS DISTINCT FROM d.spent_nano ORDER BY 1, 4, 5`,
  values: ({ firstKeptId, retainedFrom }) => [firstKeptId, retainedFrom],
  rowsText: `SELECT id, wallet_id, cost_nano, model, started_at::text FROM generations
    WHERE id >= $1 AND key_id = $2 AND (started_at AT TIME ZONE 'UTC')::date = $3 ORDER BY id`,
  rowsValues: ({ subject, day }, { firstKeptId }) => [firstKeptId, subject, day],
})
