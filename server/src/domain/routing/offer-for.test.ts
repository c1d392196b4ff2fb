import { describe, expect, it } from 'vitest'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import { offerFor } from './offer-for.ts'

const plainModel = testModel('test/echo')
assert(plainModel !== undefined, 'the echo model is built in')
const offer = (provider: string, variant: string) => ({
  provider,
  variant,
  upstreamModel: `${provider} ${variant}`,
  contextLength: null,
  maxCompletionTokens: null,
  quantization: null,
  price: null,
})
const model = {
  ...plainModel,
  offers: [
    offer('other', ''),
    offer('host', 'us'),
    offer('host', 'eu'),
    offer('host', ''),
    offer('host', 'flex'),
    offer('split', 'us'),
    offer('split', 'eu'),
    ...['us', 'us-gov', 'eu', 'eu-west-1', 'apac', 'jp', 'global'].map((region) => offer('cloud', region)),
  ],
}

function chosen(vendor: string, baseUrl: string | null, variant?: string): string | undefined {
  const account = { id: 'a', name: 'a', vendor, baseUrl, credential: null, keepsPrompts: true, weight: 1 }
  return offerFor(model, variant === undefined ? account : { ...account, variant })?.upstreamModel
}

describe('the offer that holds for an account', () => {
  it('is the one of its own variant, whatever its address says', () => {
    expect(chosen('host', 'https://eu.host.test', 'us')).toBe('host us')
    expect(chosen('host', null, 'flex')).toBe('host flex')
  })

  it('is the one of the region in its address', () => {
    expect(chosen('host', 'https://runtime.eu-central-1.host.test/v1')).toBe('host eu')
    expect(chosen('host', 'https://host.test/us/v1')).toBe('host us')
    expect(chosen('host', 'https://host.test/eu')).toBe('host eu')
    expect(chosen('host', 'https://eu.host.test', '')).toBe('host eu')
    expect(chosen('host', 'https://neu.host.test/euro')).toBe('host ')
  })

  it('is the one of the narrowest area that its address lies in', () => {
    const at = (region: string) => chosen('cloud', `https://runtime.${region}.cloud.test`)
    expect(at('us-east-1')).toBe('cloud us')
    expect(at('us-gov-west-1')).toBe('cloud us-gov')
    expect(at('eu-west-1')).toBe('cloud eu-west-1')
    expect(at('eu-central-1')).toBe('cloud eu')
    expect(at('ap-south-1')).toBe('cloud apac')
    expect(at('ap-northeast-1')).toBe('cloud jp')
    expect(chosen('cloud', 'https://runtime.ap-northeast-1.cloud.test', 'global')).toBe('cloud global')
  })

  it('is else the one without a region, and the first where there is none', () => {
    expect(chosen('host', null)).toBe('host ')
    expect(chosen('host', null, 'mars')).toBe('host ')
    expect(chosen('split', null)).toBe('split us')
    expect(chosen('nobody', null)).toBeUndefined()
  })
})
