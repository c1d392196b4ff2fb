import { randomBytes } from 'node:crypto'
import { formatUsd, usdJson } from '#domain/money/nano-usd.ts'
import { type Campaign, type CampaignTerms, judgeCampaign } from '#domain/payments/campaign.ts'
import { codeBytes, formatRedemptionCode, hashRedemptionCode } from '#domain/payments/redemption-code.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Redemptions } from '#ports/redemptions.ts'
import { platformEntry } from '../operators/platform-entry.ts'

export interface MadeCampaign {
  readonly campaign: Campaign
  /** Returned only once. */
  readonly codes: readonly string[]
}

/** Creates a campaign with its codes. Only the hashes of the codes are stored. */
export async function createCampaign(
  redemptions: Redemptions,
  { terms, request }: { terms: CampaignTerms; request: IdempotentRequest | null },
  author: ChangeAuthor,
): Promise<MadeCampaign> {
  const { nowMs } = author
  const verdict = judgeCampaign(terms, nowMs)
  if (!verdict.allowed) throw malformed(verdict.message)
  const id = newUuid(nowMs)
  const secrets = Array.from({ length: terms.codes }, () => randomBytes(codeBytes))
  const created = await redemptions.create({
    id,
    terms,
    codeHashes: secrets.map(hashRedemptionCode),
    entry: platformEntry(author, {
      action: 'campaign.create',
      target: { kind: 'campaign', id },
      details: describeTerms(terms),
    }),
    nowMs,
    request,
  })
  switch (created.outcome) {
    case 'created':
      return { campaign: created.campaign, codes: secrets.map(formatRedemptionCode) }
    case 'created before':
      throw new GatewayError('conflict', {
        message: `An earlier request with this Idempotency-Key created the campaign ${created.campaignId}. Its codes were only in that response and can't be shown again. If you lost them, disable that campaign and create another one with a new Idempotency-Key.`,
      })
    case 'other request':
      throw new GatewayError('conflict', {
        message: 'This Idempotency-Key was already used for a different campaign. Nothing was created.',
      })
  }
}

function describeTerms({ amount, endsAtMs, creditExpiresAtMs, ...terms }: CampaignTerms): JsonObject {
  return { ...terms, amount: usdJson(amount), endsAt: isoOf(endsAtMs), creditExpiresAt: isoOf(creditExpiresAtMs) }
}

function isoOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}

/** A string that identifies the terms of a campaign request. */
export function campaignFingerprint(terms: CampaignTerms): string {
  return JSON.stringify({ ...describeTerms(terms), amount: formatUsd(terms.amount) })
}
