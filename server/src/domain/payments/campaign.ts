import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A campaign of redemption codes for credit. */
export interface Campaign extends CampaignTerms {
  readonly id: Uuid
  /** Redemptions so far. */
  readonly redemptions: number
  /** Whether its codes can be redeemed; an operator can change it. */
  readonly enabled: boolean
  readonly createdAtMs: number
}

/** The terms that an operator sets for a new campaign. */
export interface CampaignTerms {
  readonly name: string
  /** The credit of one redemption. */
  readonly amount: NanoUsd
  /** Number of codes. */
  readonly codes: number
  readonly usesPerCode: number
  /** Maximum total redemptions. */
  readonly redemptionsMax: number
  /** Null means no limit. */
  readonly perPersonMax: number | null
  readonly perWalletMax: number | null
  /** Null means that it continues until its codes are used up. */
  readonly endsAtMs: number | null
  /** When unused credit expires; codes are rejected afterwards. Null means that the credit does not expire. */
  readonly creditExpiresAtMs: number | null
}

type CampaignVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const nameLengthMax = 200
const codesMax = 10_000
const usesMax = 100_000
// One million dollars; a larger amount for one redemption is likely a typo.
const amountMax = 1_000_000_000_000_000n

/** Whether the terms of a campaign are valid. */
export function judgeCampaign(terms: CampaignTerms, nowMs: number): CampaignVerdict {
  const uses = terms.codes * terms.usesPerCode
  const faults: readonly [boolean, string][] = [
    [
      terms.name.trim() === '' || terms.name.length > nameLengthMax,
      `The name must be 1 to ${nameLengthMax} characters.`,
    ],
    [terms.amount <= 0n || terms.amount > amountMax, 'The amount must be greater than zero and at most 1000000 USD.'],
    [!isCount(terms.codes, codesMax), `The number of codes must be from 1 to ${codesMax}.`],
    [!isCount(terms.usesPerCode, usesMax), `The uses per code must be from 1 to ${usesMax}.`],
    [
      !isCount(terms.redemptionsMax, uses),
      `The total number of redemptions must be from 1 to ${uses}, the uses of all codes together.`,
    ],
    [!isLimit(terms.perPersonMax), 'The limit per user must be a positive integer or null.'],
    [!isLimit(terms.perWalletMax), 'The limit per wallet must be a positive integer or null.'],
    [terms.endsAtMs !== null && terms.endsAtMs <= nowMs, 'The end date must be in the future.'],
    [
      terms.creditExpiresAtMs !== null && terms.creditExpiresAtMs <= nowMs,
      'The expiry of the credit must be in the future.',
    ],
  ]
  const fault = faults.find(([isFault]) => isFault)
  return fault === undefined ? { allowed: true } : { allowed: false, message: fault[1] }
}

function isCount(count: number, max: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= max
}

function isLimit(limit: number | null): boolean {
  return limit === null || isCount(limit, codesMax * usesMax)
}
