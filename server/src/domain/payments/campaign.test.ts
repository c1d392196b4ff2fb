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
    [{ name: '' }, 'A name has 1 to 200 characters.'],
    [{ name: '  ' }, 'A name has 1 to 200 characters.'],
    [{ name: 'x'.repeat(201) }, 'A name has 1 to 200 characters.'],
    [{ amount: nanoUsd(0n) }, 'The amount must be above zero and at most 1000000 USD.'],
    [{ amount: nanoUsd(-1n) }, 'The amount must be above zero and at most 1000000 USD.'],
    [{ amount: parseUsd('1000000.000000001') }, 'The amount must be above zero and at most 1000000 USD.'],
    [{ codes: 0 }, 'There are 1 to 10000 codes.'],
    [{ codes: 1.5 }, 'There are 1 to 10000 codes.'],
    [{ codes: 10_001 }, 'There are 1 to 10000 codes.'],
    [{ usesPerCode: 0 }, 'A code has 1 to 100000 uses.'],
    [{ usesPerCode: 100_001 }, 'A code has 1 to 100000 uses.'],
    [{ redemptionsMax: 0 }, 'There are 1 to 30 redemptions in all: as many as the codes have uses.'],
    [{ redemptionsMax: 31 }, 'There are 1 to 30 redemptions in all: as many as the codes have uses.'],
    [{ perPersonMax: 0 }, 'The limit for a person is a whole number above zero, or none.'],
    [{ perPersonMax: 1_000_000_001 }, 'The limit for a person is a whole number above zero, or none.'],
    [{ perWalletMax: 0.5 }, 'The limit for a wallet is a whole number above zero, or none.'],
    [{ endsAtMs: nowMs }, 'The end must be in the future.'],
    [{ creditExpiresAtMs: nowMs }, 'The end of the credit must be in the future.'],
  ])('cannot be made with %o', (changes, message) => {
    expect(judge(changes)).toEqual({ allowed: false, message })
  })
})
