import { describe, expect, it } from 'vitest'
import type { Model, ModelKind, Offer } from '#domain/catalogue/model.ts'
import { type PricedKind, parseUnitPrices } from '#domain/money/price-list.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { findCandidates } from './candidates.ts'
import { unmeasured } from './measurements.ts'
import { orderCandidates } from './order-candidates.ts'
import { parsePreferences } from './parse-preferences.ts'
import { emptyRoutingTable } from './routing-table.ts'

const template = testTicket().plan.candidates[0] ?? never()
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const { account } = template

function modelOf(kind: ModelKind, lists: Record<string, Record<string, string>>, id = 'acme/maker'): Model {
  const offers = Object.entries(lists).map(
    ([provider, units]): Offer => ({
      provider,
      variant: '',
      upstreamModel: 'maker',
      contextLength: null,
      maxCompletionTokens: null,
      quantization: null,
      price: { id: provider, base: parseUnitPrices(units), tiers: [] },
    }),
  )
  return { ...template.model, id, kind, defaultProvider: null, price: null, offers }
}

function find(model: Model, purpose: PricedKind) {
  const vendors = model.offers.map(({ provider }) => provider)
  const accounts = vendors.map((vendor) => ({ ...account, id: vendor, name: vendor, vendor }))
  return findCandidates(model, { ...emptyRoutingTable, accounts }, purpose)
}

function order(model: Model, purpose: PricedKind, provider: object) {
  const { candidates, excluded } = orderCandidates({
    found: find(model, purpose).ordered,
    preferences: parsePreferences({ provider: { ...provider } }),
    parameters: [],
    measurements: () => unmeasured,
    purposeOf: () => purpose,
  })
  return { order: candidates.map((each) => each.account.vendor), rules: excluded.map(({ rule }) => rule) }
}

// An image of one megapixel costs 0.04, 0.0629, 0.0392 and 0.0013 USD with these.
const images = modelOf('image', {
  pieces: { per_image_output: '0.04' },
  megapixels: { per_megapixel_output: '0.06' },
  tokens: { prompt: '0.000005', image_output_token: '0.00003' },
  pixels: { per_pixel_output: '0.0000000013' },
})

describe('hosts of what is not words', () => {
  it('come by what a usual one costs, whatever unit it is priced in', () => {
    expect(find(images, 'image').ordered.map((each) => each.account.vendor)).toEqual([
      'pixels',
      'tokens',
      'pieces',
      'megapixels',
    ])
  })

  it('[ROUTE-23] are sorted by that as well, where the client asks for the cheapest', () => {
    expect(order(images, 'image', { sort: 'price' }).order).toEqual(['pixels', 'tokens', 'pieces', 'megapixels'])
    const heard = modelOf('transcription', {
      dear: { per_second_input: '0.0002' },
      tokens: { prompt: '0.0000025', audio_input: '0.0000025', completion: '0.00001' },
      cheap: { per_second_input: '0.00001' },
    })
    expect(order(heard, 'transcription', { sort: 'price' }).order).toEqual(['cheap', 'tokens', 'dear'])
    const spoken = modelOf('speech', { dear: { per_character: '0.00003' }, cheap: { per_character: '0.000015' } })
    expect(order(spoken, 'speech', { sort: 'price' }).order).toEqual(['cheap', 'dear'])
  })

  it('[ROUTE-27] are left out by `max_price` of an image, also where images are priced by something else', () => {
    const { order: left, rules } = order(images, 'image', { max_price: { image: 0.0395 } })
    expect(left).toEqual(['pixels', 'tokens'])
    expect(rules).toEqual(['max_price', 'max_price'])
  })

  it('are left out by `max_price` of a character and of a second', () => {
    const spoken = modelOf('speech', { dear: { per_character: '0.00003' }, cheap: { per_character: '0.000015' } })
    expect(order(spoken, 'speech', { max_price: { character: 0.00002 } }).order).toEqual(['cheap'])
    const heard = modelOf('transcription', {
      dear: { per_second_input: '0.0002' },
      cheap: { per_second_input: '0.00001' },
    })
    expect(order(heard, 'transcription', { max_price: { second: '0.0001' } }).order).toEqual(['cheap'])
  })
})

describe('hosts that do not price what is made', () => {
  it.each<[PricedKind, ModelKind, Record<string, string>]>([
    ['image', 'image', { prompt: '0.0000001', completion: '0.0000001' }],
    ['image', 'image', { per_image_input: '0.01' }],
    ['speech', 'speech', { prompt: '0.0000025', audio_output: '0.000012', per_second_output: '0.00025' }],
    ['transcription', 'transcription', { prompt: '0.00000001', completion: '0' }],
    ['embedding', 'embedding', { per_image_input: '0.01' }],
    ['text', 'chat', { per_character: '0.000005' }],
  ])('[P10] are no candidates for %s, as %s at %o', (purpose, kind, units) => {
    expect(find(modelOf(kind, { acme: units }), purpose)).toEqual({ ordered: [], unpriced: ['acme'] })
  })

  it('are candidates for the image of a model that talks, which counts it in tokens', () => {
    const talks = modelOf('chat', { acme: { prompt: '0.0000001', completion: '0.0000004' } })
    expect(find(talks, 'image').ordered).toHaveLength(1)
  })

  it('are candidates for a free entry, which is never charged', () => {
    const free = modelOf('embedding', { acme: { completion: '0' } }, 'acme/maker:free')
    expect(find(free, 'embedding').ordered).toHaveLength(1)
  })
})
