import { sqlCheck } from './check.ts'

const holders = `(VALUES ('member', g.member_id), ('team', g.team_id), ('organization', g.organization_id)) AS o (kind, owner_id)`

/** What budgets of organizations are counted from agrees with the generations, as far as they are kept. */
export const checkSharedDays = sqlCheck({
  text: `SELECT h.wallet_id AS "walletId", 'a member, team or organization spent in a day what its generations cost' AS what,
      'spend_days' AS table, coalesce(d.day, h.day)::text AS day,
      concat_ws(' ', coalesce(d.kind, h.kind), coalesce(d.owner_id, h.owner_id)) AS subject,
      coalesce(h.spent, 0)::text AS expected, coalesce(d.spent_nano::text, 'no day') AS found
    FROM (SELECT * FROM spend_days WHERE day >= $2) AS d
    FULL JOIN (SELECT o.kind, o.owner_id, (g.started_at AT TIME ZONE 'UTC')::date AS day, sum(g.cost_nano) AS spent,
                 min(g.wallet_id::text)::uuid AS wallet_id
               FROM generations g CROSS JOIN LATERAL ${holders}
               WHERE g.id >= $1 AND g.organization_id IS NOT NULL AND o.owner_id IS NOT NULL
                 AND (g.started_at AT TIME ZONE 'UTC')::date >= $2 GROUP BY 1, 2, 3) AS h
      ON h.kind = d.kind AND h.owner_id = d.owner_id AND h.day = d.day
    WHERE coalesce(h.spent, 0) IS DISTINCT FROM d.spent_nano ORDER BY 1, 4, 5`,
  values: ({ firstKeptId, retainedFrom }) => [firstKeptId, retainedFrom],
  rowsText: `SELECT g.id, g.wallet_id, g.key_id, g.cost_nano, g.started_at::text FROM generations g CROSS JOIN LATERAL ${holders}
    WHERE g.id >= $1 AND concat_ws(' ', o.kind, o.owner_id) = $2 AND (g.started_at AT TIME ZONE 'UTC')::date = $3 ORDER BY g.id`,
  rowsValues: ({ subject, day }, { firstKeptId }) => [firstKeptId, subject, day],
})
