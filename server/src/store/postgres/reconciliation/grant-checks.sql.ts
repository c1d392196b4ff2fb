import { dayOfId, sqlCheck } from './check.ts'

const given = `SELECT g.wallet_id, g.id, g.amount_nano AS expected, t.amount_nano AS found
    FROM wallet_grants g LEFT JOIN ledger_transfers t ON t.id = g.id AND t.wallet_id = g.wallet_id AND t.kind IN ('grant', 'redemption')
    WHERE t.amount_nano IS DISTINCT FROM g.amount_nano`
const returned = `SELECT coalesce(g.wallet_id, t.wallet_id) AS wallet_id, coalesce(g.returned, 0) AS expected, coalesce(t.returned, 0) AS found
    FROM (SELECT wallet_id, sum(returned_nano) AS returned FROM wallet_grants GROUP BY 1) AS g
    FULL JOIN (SELECT wallet_id, sum(amount_nano) AS returned FROM ledger_transfers WHERE kind = 'grant_expired' GROUP BY 1) AS t
      ON t.wallet_id = g.wallet_id
    WHERE coalesce(g.returned, 0) <> coalesce(t.returned, 0)`
const overdue = `SELECT wallet_id, id, expires_at, look_at FROM wallet_grants
    WHERE charged_until_nano IS NULL AND look_at < clock_timestamp() - interval '1 day'`

/** Expiring credit was granted, is returned as its rows state, and is checked when it ends. */
export const checkGrants = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'an expiring grant must have been credited' AS what, 'wallet_grants' AS table,
      ${dayOfId('id')}::text AS day, id::text AS subject, expected::text, coalesce(found::text, 'no credit') AS found FROM (${given}) AS given
    UNION ALL SELECT wallet_id, 'expired grant credit must equal the sum of its rows', 'ledger_transfers', NULL, NULL, expected::text, found::text
      FROM (${returned}) AS returned
    UNION ALL SELECT wallet_id, 'an expired grant must be processed within a day', 'wallet_grants', NULL, id::text,
      'since ' || expires_at::text, 'not since ' || look_at::text FROM (${overdue}) AS overdue
    ORDER BY 1, 2, 5`,
  values: () => [],
  rowsText: `SELECT id::text, amount_nano::text, returned_nano::text, due_nano::text, charged_from_nano::text, charged_until_nano::text,
      expires_at::text, look_at::text FROM wallet_grants WHERE wallet_id = $1 ORDER BY expires_at, id`,
  rowsValues: ({ walletId }) => [walletId],
})
