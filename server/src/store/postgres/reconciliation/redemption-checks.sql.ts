import { dayOfId, sqlCheck } from './check.ts'

const credits = `SELECT coalesce(r.wallet_id, t.wallet_id) AS wallet_id, coalesce(r.id, t.id) AS id, r.amount_nano AS expected, t.amount_nano AS found
    FROM (SELECT r.id, r.wallet_id, c.amount_nano FROM redemptions r JOIN redemption_campaigns c ON c.id = r.campaign_id) AS r
    FULL JOIN (SELECT id, wallet_id, amount_nano FROM ledger_transfers WHERE kind = 'redemption') AS t ON t.id = r.id
    WHERE r.amount_nano IS DISTINCT FROM t.amount_nano OR r.wallet_id IS DISTINCT FROM t.wallet_id`
const campaigns = `SELECT c.id, c.redemptions_max - c.redemptions_left AS counted, count(r.id) AS redeemed
    FROM redemption_campaigns c LEFT JOIN redemptions r ON r.campaign_id = c.id GROUP BY c.id
    HAVING c.redemptions_max - c.redemptions_left <> count(r.id)`
const codes = `SELECT k.code_hash, c.uses_per_code - k.uses_left AS counted, count(r.id) AS redeemed
    FROM redemption_codes k JOIN redemption_campaigns c ON c.id = k.campaign_id LEFT JOIN redemptions r ON r.code_hash = k.code_hash
    GROUP BY k.code_hash, c.uses_per_code HAVING c.uses_per_code - k.uses_left <> count(r.id)`

/** Each redemption is credited with its campaign's amount, and codes and campaigns count all redemptions. */
export const checkRedemptions = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'a redemption must be credited once, with its campaign''s amount' AS what, 'ledger_transfers' AS table,
      ${dayOfId('id')}::text AS day, id::text AS subject,
      coalesce(expected::text, 'no redemption') AS expected, coalesce(found::text, 'no credit') AS found FROM (${credits}) AS credits
    UNION ALL SELECT NULL, 'the redemption count of a campaign must match', 'redemption_campaigns', NULL, id::text, redeemed::text, counted::text
      FROM (${campaigns}) AS campaigns
    UNION ALL SELECT NULL, 'the redemption count of a code must match', 'redemption_codes', NULL, encode(code_hash, 'hex'), redeemed::text, counted::text
      FROM (${codes}) AS codes
    ORDER BY 2, 5`,
  values: () => [],
  rowsText: `SELECT id::text, campaign_id::text, wallet_id::text, user_id::text, redeemed_at::text FROM redemptions
    WHERE $1 IN (id::text, campaign_id::text, encode(code_hash, 'hex')) ORDER BY 1`,
  rowsValues: ({ subject }) => [subject],
})
