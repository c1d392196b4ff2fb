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

export type CampaignVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const nameLengthMax = 200
const codesMax = 10_000
const usesMax = 100_000
// One million dollars for one redemption is a mistyped amount.
const amountMax = 1_000_000_000_000_000n

/** Whether a campaign can be made like this. */
export function judgeCampaign(terms: CampaignTerms, nowMs: number): CampaignVerdict {
  const uses = terms.codes * terms.usesPerCode
  const faults: readonly [boolean, string][] = [
    [terms.name.trim() === '' || terms.name.length > nameLengthMax, `A name has 1 to ${nameLengthMax} characters.`],
    [terms.amount <= 0n || terms.amount > amountMax, 'The amount must be above zero and at most 1000000 USD.'],
    [!isCount(terms.codes, codesMax), `There are 1 to ${codesMax} codes.`],
    [!isCount(terms.usesPerCode, usesMax), `A code has 1 to ${usesMax} uses.`],
    [
      !isCount(terms.redemptionsMax, uses),
      `There are 1 to ${uses} redemptions in all: as many as the codes have uses.`,
    ],
    [!isLimit(terms.perPersonMax), 'The limit for a person is a whole number above zero, or none.'],
    [!isLimit(terms.perWalletMax), 'The limit for a wallet is a whole number above zero, or none.'],
    [terms.endsAtMs !== null && terms.endsAtMs <= nowMs, 'The end must be in the future.'],
    [
      terms.creditExpiresAtMs !== null && terms.creditExpiresAtMs <= nowMs,
      'The end of the credit must be in the future.',
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
