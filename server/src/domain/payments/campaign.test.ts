import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { type CampaignTerms, judgeCampaign } from './campaign.ts'

const nowMs = 1_000

const terms: CampaignTerms = {
  name: 'spring',
  amount: parseUsd('5'),
  codes: 10,
  usesPerCode: 3,
  redemptionsMax: 30,
  perPersonMax: 1,
  perWalletMax: 1,
  endsAtMs: null,
  creditExpiresAtMs: null,
}

const judge = (changes: Partial<CampaignTerms>) => judgeCampaign({ ...terms, ...changes }, nowMs)

describe('a campaign', () => {
  it.each<Partial<CampaignTerms>>([
    {},
    { name: 'x' },
    { name: 'x'.repeat(200) },
    { amount: nanoUsd(1n) },
    { amount: parseUsd('1000000') },
    { codes: 1, redemptionsMax: 3 },
    { codes: 10_000 },
    { usesPerCode: 1, redemptionsMax: 10 },
    { usesPerCode: 100_000 },
    { redemptionsMax: 1 },
    { redemptionsMax: 30 },
    { perPersonMax: null, perWalletMax: null },
    { perPersonMax: 1_000_000_000, perWalletMax: 1_000_000_000 },
    { endsAtMs: nowMs + 1, creditExpiresAtMs: nowMs + 1 },
  ])('can be made with %o', (changes) => {
    expect(judge(changes)).toEqual({ allowed: true })
  })

  it.each<[Partial<CampaignTerms>, string]>([
    [{ name: '' }, 'The name must be 1 to 200 characters.'],
    [{ name: '  ' }, 'The name must be 1 to 200 characters.'],
    [{ name: 'x'.repeat(201) }, 'The name must be 1 to 200 characters.'],
    [{ amount: nanoUsd(0n) }, 'The amount must be greater than zero and at most 1000000 USD.'],
    [{ amount: nanoUsd(-1n) }, 'The amount must be greater than zero and at most 1000000 USD.'],
    [{ amount: parseUsd('1000000.000000001') }, 'The amount must be greater than zero and at most 1000000 USD.'],
    [{ codes: 0 }, 'The number of codes must be from 1 to 10000.'],
    [{ codes: 1.5 }, 'The number of codes must be from 1 to 10000.'],
    [{ codes: 10_001 }, 'The number of codes must be from 1 to 10000.'],
    [{ usesPerCode: 0 }, 'The uses per code must be from 1 to 100000.'],
    [{ usesPerCode: 100_001 }, 'The uses per code must be from 1 to 100000.'],
    [{ redemptionsMax: 0 }, 'The total number of redemptions must be from 1 to 30, the uses of all codes together.'],
    [{ redemptionsMax: 31 }, 'The total number of redemptions must be from 1 to 30, the uses of all codes together.'],
    [{ perPersonMax: 0 }, 'The limit per user must be a positive integer or null.'],
    [{ perPersonMax: 1_000_000_001 }, 'The limit per user must be a positive integer or null.'],
    [{ perWalletMax: 0.5 }, 'The limit per wallet must be a positive integer or null.'],
    [{ endsAtMs: nowMs }, 'The end date must be in the future.'],
    [{ creditExpiresAtMs: nowMs }, 'The expiry of the credit must be in the future.'],
  ])('cannot be made with %o', (changes, message) => {
    expect(judge(changes)).toEqual({ allowed: false, message })
  })
})
