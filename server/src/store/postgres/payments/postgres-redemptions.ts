import type { Pool, PoolClient } from 'pg'
import { redemptionTransfers } from '#domain/ledger/transfer.ts'
import type { Campaign } from '#domain/payments/campaign.ts'
import { notProven, notRedeemable } from '#errors/not-redeemable.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type {
  CampaignChange,
  CreatedCampaign,
  NewCampaign,
  NewRedemption,
  Redeemed,
  Redemptions,
} from '#ports/redemptions.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { insertGrant } from '../wallets/grants.sql.ts'
import { creditWallet } from '../wallets/wallets.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  countRedemptions,
  findCampaign,
  insertCampaign,
  insertCodes,
  insertRedemption,
  listCampaigns,
  lockCampaign,
  readRedeemer,
  switchCampaign,
  takeCode,
  takeRedemption,
} from './campaigns.sql.ts'
import { takeIdempotencyKey } from '../idempotency/idempotency-keys.sql.ts'

/**
 * Campaigns and redemptions, on Postgres. Each method is one transaction. Clients get 503 while Postgres is
 * unavailable.
 */
export function createRedemptions(pool: Pool): Redemptions {
  const together = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    refuseWhenAway(inTransaction(pool, 'READ COMMITTED', work))
  return {
    create: (campaign) => together((client) => create(client, campaign)),
    list: (query) => refuseWhenAway(listCampaigns(pool, query)),
    find: (id) => refuseWhenAway(findCampaign(pool, id)),
    change: (id, change) => together((client) => changeCampaign(client, id, change)),
    redeem: (redemption) => together((client) => redeem(client, redemption)),
  }
}

async function create(
  client: PoolClient,
  { id, terms, codeHashes, ...campaign }: NewCampaign,
): Promise<CreatedCampaign> {
  if (campaign.request !== null) {
    const taken = await takeIdempotencyKey(client, campaign.request, id)
    if (taken.outcome === 'known') return { outcome: 'created before', campaignId: taken.resultId }
    if (taken.outcome === 'other request') return { outcome: 'other request' }
  }
  const created = await insertCampaign(client, id, terms)
  await insertCodes(client, created, codeHashes)
  await appendAudit(client, [campaign.entry], campaign.nowMs)
  return { outcome: 'created', campaign: created }
}

async function changeCampaign(client: PoolClient, id: Uuid, change: CampaignChange): Promise<Campaign | null> {
  const campaign = await lockCampaign(client, id)
  if (campaign === null || campaign.enabled === change.enabled) return campaign
  await appendAudit(client, [change.describe(campaign)], change.nowMs)
  return switchCampaign(client, id, change.enabled)
}

/** Locks the code, then the campaign, then the wallet. A rejection rolls back everything that was taken before it. */
async function redeem(client: PoolClient, redemption: NewRedemption): Promise<Redeemed> {
  const campaignId = await takeCode(client, redemption.codeHash)
  if (campaignId === null) throw notRedeemable('code unknown or used up')
  const campaign = await takeRedemption(client, campaignId)
  if (campaign === null) throw notRedeemable('campaign used up, ended or disabled')
  const { userId, identity } = redemption
  const { email, isProven } = await readRedeemer(client, userId)
  // Otherwise a person could redeem again with a new, unconfirmed address at no cost.
  if (campaign.perPersonMax !== null && identity.mustBeProven && !isProven) throw notProven()
  const known = { ...redemption, addressHash: identity.hashAddress(email) }
  const { byPerson, byWallet } = await countRedemptions(client, campaignId, known)
  if (byPerson >= (campaign.perPersonMax ?? Infinity)) throw notRedeemable('user has reached the redemption limit')
  if (byWallet >= (campaign.perWalletMax ?? Infinity)) throw notRedeemable('wallet has reached the redemption limit')
  await insertRedemption(client, campaignId, known)
  const { id, walletId } = redemption
  const { amount, creditExpiresAtMs: expiresAtMs } = campaign
  const balance = await creditWallet(client, { id, walletId, transfers: redemptionTransfers(amount), note: null })
  assert(balance !== null, 'a wallet that was opened exists')
  if (expiresAtMs !== null) await insertGrant(client, { id, walletId, amount, expiresAtMs })
  await appendAudit(client, [redemption.describe(campaign)], redemption.nowMs)
  return { campaign, balance }
}
