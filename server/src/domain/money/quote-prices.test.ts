import { expect, it } from 'vitest'
import { parsePrice } from './state-price.ts'
import { quotePrices } from './quote-prices.ts'

it('quotes tokens by the million and everything else by the piece, exactly', () => {
  const price = parsePrice({
    id: 'p',
    units: { completion: '0.000014', prompt: '0.00000175', per_request: '0.01', web_search: '0.005' },
    tiers: [{ abovePromptTokens: 200_000, units: { prompt: '0.0000035' } }],
    rules: [{ unit: 'per_second_output', usd: '0.4', when: { resolution: '1080p', audio: 'true' } }],
  })
  expect(quotePrices(price)).toEqual([
    { unit: 'prompt', usd: '1.75', isPerMillion: true, when: '' },
    { unit: 'completion', usd: '14', isPerMillion: true, when: '' },
    { unit: 'per_request', usd: '0.01', isPerMillion: false, when: '' },
    { unit: 'web_search', usd: '0.005', isPerMillion: false, when: '' },
    { unit: 'prompt', usd: '3.5', isPerMillion: true, when: 'prompt above 200000 tokens' },
    { unit: 'per_second_output', usd: '0.4', isPerMillion: false, when: 'resolution 1080p, audio true' },
  ])
})
