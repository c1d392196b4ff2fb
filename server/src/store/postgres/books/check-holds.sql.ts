import { type Check, sqlCheck } from './check.ts'

/** Holds end when their request is settled or their lease is over. `overdueMs` is how late the sweeper may be. */
export function checkHolds(overdueMs: number): Check {
  // Leases are judged as of now(), when the books were opened: that they were renewed since can not be seen in them.
  return sqlCheck({
    text: `SELECT h.wallet_id AS "walletId", 'a settled request holds nothing' AS what, 'holds' AS table, NULL AS day,
        h.id::text AS subject, '0' AS expected, h.amount_nano::text AS found
      FROM holds h JOIN generations g ON g.id = h.id
      UNION ALL SELECT h.wallet_id, 'a hold ends with its lease', 'holds', NULL, h.id::text, '<= ' || $1::text || ' ms',
        floor(extract(epoch FROM now() - h.lease_until) * 1000)::text || ' ms'
      FROM holds h WHERE h.lease_until < now() - $1::integer * interval '1 millisecond'
      ORDER BY 1, 2, 5`,
    values: () => [overdueMs],
    rowsText: `SELECT h.id, h.key_id, h.amount_nano, h.placed_at::text, h.lease_until::text, g.settled_at::text
      FROM holds h LEFT JOIN generations g ON g.id = h.id WHERE h.id = $1`,
    rowsValues: ({ subject }) => [subject],
  })
}
