import type { Pool, PoolClient } from 'pg'
import type { Campaign, CampaignTerms } from '#domain/payments/campaign.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CampaignQuery, NewRedemption } from '#ports/redemptions.ts'
import { readNano } from '../column-values.ts'

interface Row {
  id: string
  name: string
  amount_nano: string
  codes: number
  uses_per_code: number
  redemptions_max: number
  redemptions_left: number
  per_person_max: number | null
  per_wallet_max: number | null
  ends_at: Date | null
  credit_expires_at: Date | null
  enabled: boolean
  created_at: Date
}

const columns = `id, name, amount_nano, codes, uses_per_code, redemptions_max, redemptions_left, per_person_max, per_wallet_max,
  ends_at, credit_expires_at, enabled, created_at`

function campaignOf(row: Row): Campaign {
  return {
    id: row.id,
    name: row.name,
    amount: readNano(row.amount_nano),
    codes: row.codes,
    usesPerCode: row.uses_per_code,
    redemptionsMax: row.redemptions_max,
    redemptions: row.redemptions_max - row.redemptions_left,
    perPersonMax: row.per_person_max,
    perWalletMax: row.per_wallet_max,
    endsAtMs: row.ends_at?.getTime() ?? null,
    creditExpiresAtMs: row.credit_expires_at?.getTime() ?? null,
    enabled: row.enabled,
    createdAtMs: row.created_at.getTime(),
  }
}

async function findOne(
  connection: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Campaign | null> {
  const { rows } = await connection.query<Row>(text, [...values])
  const [row] = rows
  return row === undefined ? null : campaignOf(row)
}

export async function insertCampaign(client: PoolClient, id: Uuid, terms: CampaignTerms): Promise<Campaign> {
  const text = `INSERT INTO redemption_campaigns (id, name, amount_nano, codes, uses_per_code, redemptions_max, redemptions_left,
      per_person_max, per_wallet_max, ends_at, credit_expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, to_timestamp($9::float8 / 1000), to_timestamp($10::float8 / 1000)) RETURNING ${columns}`
  const values = [
    id,
    terms.name,
    terms.amount,
    terms.codes,
    terms.usesPerCode,
    terms.redemptionsMax,
    terms.perPersonMax,
    terms.perWalletMax,
    terms.endsAtMs,
    terms.creditExpiresAtMs,
  ]
  const campaign = await findOne(client, text, values)
  assert(campaign !== null, 'an inserted row is returned')
  return campaign
}

export async function insertCodes(
  client: PoolClient,
  { id, usesPerCode }: Pick<Campaign, 'id' | 'usesPerCode'>,
  hashes: readonly Buffer[],
): Promise<void> {
  const text = `INSERT INTO redemption_codes (code_hash, campaign_id, uses_left) SELECT unnest($1::bytea[]), $2, $3`
  await client.query(text, [hashes, id, usesPerCode])
}

export async function listCampaigns(pool: Pool, { before, limit }: CampaignQuery): Promise<Campaign[]> {
  const text = `SELECT ${columns} FROM redemption_campaigns WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`
  const { rows } = await pool.query<Row>(text, [before, limit])
  return rows.map(campaignOf)
}

export function findCampaign(pool: Pool, id: Uuid): Promise<Campaign | null> {
  return findOne(pool, `SELECT ${columns} FROM redemption_campaigns WHERE id = $1`, [id])
}

export function lockCampaign(client: PoolClient, id: Uuid): Promise<Campaign | null> {
  return findOne(client, `SELECT ${columns} FROM redemption_campaigns WHERE id = $1 FOR NO KEY UPDATE`, [id])
}

/** Requires the campaign's lock. */
export function switchCampaign(client: PoolClient, id: Uuid, enabled: boolean): Promise<Campaign | null> {
  const text = `UPDATE redemption_campaigns SET enabled = $2 WHERE id = $1 RETURNING ${columns}`
  return findOne(client, text, [id, enabled])
}

/** Takes one use and locks the code until the transaction ends. Null if there is no such code or it is used up. */
export async function takeCode(client: PoolClient, codeHash: Buffer): Promise<Uuid | null> {
  const text = `UPDATE redemption_codes SET uses_left = uses_left - 1 WHERE code_hash = $1 AND uses_left > 0 RETURNING campaign_id`
  const { rows } = await client.query<{ campaign_id: string }>(text, [codeHash])
  return rows[0]?.campaign_id ?? null
}

/** Takes one redemption and locks the campaign. Null if none is left, or the campaign has ended or is disabled. */
export function takeRedemption(client: PoolClient, campaignId: Uuid): Promise<Campaign | null> {
  const text = `UPDATE redemption_campaigns SET redemptions_left = redemptions_left - 1
    WHERE id = $1 AND redemptions_left > 0 AND enabled AND (ends_at IS NULL OR ends_at > clock_timestamp())
      AND (credit_expires_at IS NULL OR credit_expires_at > clock_timestamp())
    RETURNING ${columns}`
  return findOne(client, text, [campaignId])
}

/** How often the person and the wallet have redeemed codes of a campaign. Exact under the campaign's lock. */
export async function countRedemptions(
  client: PoolClient,
  campaignId: Uuid,
  { userId, walletId, addressHash }: Pick<NewRedemption, 'userId' | 'walletId'> & { addressHash: Buffer },
): Promise<{ byPerson: number; byWallet: number }> {
  const text = `SELECT (SELECT count(*)::integer FROM redemptions WHERE campaign_id = $1 AND (user_id = $2 OR address_hash = $4)) AS person,
    (SELECT count(*)::integer FROM redemptions WHERE campaign_id = $1 AND wallet_id = $3) AS wallet`
  const values = [campaignId, userId, walletId, addressHash]
  const { rows } = await client.query<{ person: number; wallet: number }>(text, values)
  return { byPerson: rows[0]?.person ?? 0, byWallet: rows[0]?.wallet ?? 0 }
}

export async function insertRedemption(
  client: PoolClient,
  campaignId: Uuid,
  { id, codeHash, walletId, userId, addressHash }: NewRedemption & { addressHash: Buffer },
): Promise<void> {
  const text = `INSERT INTO redemptions (id, campaign_id, code_hash, wallet_id, user_id, address_hash) VALUES ($1, $2, $3, $4, $5, $6)`
  await client.query(text, [id, campaignId, codeHash, walletId, userId, addressHash])
}

export async function readRedeemer(client: PoolClient, userId: Uuid): Promise<{ email: string; isProven: boolean }> {
  const text = 'SELECT email, email_verified AS proven FROM users WHERE id = $1'
  const { rows } = await client.query<{ email: string; proven: boolean }>(text, [userId])
  const [row] = rows
  assert(row !== undefined, 'only people redeem codes')
  return { email: row.email, isProven: row.proven }
}
