import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An offer of credit by codes. */
export interface Campaign extends CampaignTerms {
  readonly id: Uuid
  /** Redemptions so far. */
  readonly redemptions: number
  /** Whether its codes can be redeemed; an operator may switch it off and on. */
  readonly enabled: boolean
  readonly createdAtMs: number
}

/** What an operator decides when a campaign is made. */
export interface CampaignTerms {
  readonly name: string
  /** The credit of one redemption. */
  readonly amount: NanoUsd
  /** How many codes there are. */
  readonly codes: number
  readonly usesPerCode: number
  /** Redemptions in all. */
  readonly redemptionsMax: number
  /** Null: no limit. */
  readonly perPersonMax: number | null
  readonly perWalletMax: number | null
  /** Null: it goes on until its codes are used up. */
  readonly endsAtMs: number | null
  /** When what is unused of the credit goes back; codes are not taken after it. Null: the credit does not expire. */
  readonly creditExpiresAtMs: number | null
}

type CampaignVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const nameLengthMax = 200
const codesMax = 10_000
const usesMax = 100_000
// One million dollars for one redemption is a mistyped amount.
const amountMax = 1_000_000_000_000_000n

/** Whether a campaign can be made like this. */
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
