import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { OfferUse } from '#ports/offer-use.ts'
import { catalogueOf, soldModel } from '#test/models/sold-model.ts'
import { rowOfModel } from '../row-of-model.ts'
import { estimateImpact } from './estimate-impact.ts'
import { planImport } from './plan-import.ts'

const nowMs = Date.parse('2026-11-18T00:00:00Z')
const day = 86_400_000

/** A thousand tokens over two requests. */
const useOf = (model: string, provider: string, charged: bigint): OfferUse => ({
  model,
  provider,
  requests: 2,
  customers: 1,
  charged: nanoUsd(charged),
  usage: { ...noUsage, uncachedInput: 400, textOutput: 600 },
})

async function impactOf(
  models: ReturnType<typeof soldModel>[],
  rows: ReturnType<typeof soldModel>[],
  used: readonly OfferUse[],
) {
  const catalogue = catalogueOf(...models)
  const plan = planImport(catalogue, { rows: rows.map(rowOfModel), name: 'file', replace: false }, nowMs)
  const asked: unknown[] = []
  const sum = async (query: unknown) => {
    asked.push(query)
    return used
  }
  const impacts = await estimateImpact({ catalogue, uses: { sum } }, plan, nowMs)
  return { asked, impacts: impacts.map(({ model, provider, charged, wouldBe }) => [model, provider, charged, wouldBe]) }
}

it('the effect of a price change is the past charge in proportion, for its provider alone', async () => {
  const before = soldModel('acme/one', '0.000001', ['zenith'])
  const { prices, ...row } = rowOfModel(before)
  const dearer = {
    ...before,
    offers: before.offers.map((offer) =>
      offer.provider === 'acme' ? (soldModel('x', '0.0000015').offers[0] ?? offer) : offer,
    ),
  }
  expect([prices.length, row.id]).toEqual([2, 'acme/one'])
  const { asked, impacts } = await impactOf(
    [before],
    [dearer],
    [useOf('acme/one', 'acme', 900_000n), useOf('acme/one', 'zenith', 5n)],
  )
  expect(asked).toEqual([{ models: ['acme/one'], fromMs: nowMs - 30 * day }])
  expect(impacts).toEqual([['acme/one', 'acme', 900_000n, 1_350_000n]])
})

it('a withdrawn price would reject what was charged, and the dearest comes first', async () => {
  const before = soldModel('acme/one', '0.000001', ['zenith'])
  const { impacts } = await impactOf(
    [before],
    [soldModel('acme/one', '0.000002')],
    [useOf('acme/one', 'acme', 10n), useOf('acme/one', 'zenith', 20n)],
  )
  expect(impacts).toEqual([
    ['acme/one', 'zenith', 20n, null],
    ['acme/one', 'acme', 10n, 20n],
  ])
})

it('a new price counts as it is where there was none or nothing', async () => {
  const free = soldModel('acme/one', '0')
  const { impacts } = await impactOf([free], [soldModel('acme/one', '0.000001')], [useOf('acme/one', 'acme', 7n)])
  expect(impacts).toEqual([['acme/one', 'acme', 7n, 1_000_000n]])
})

it('a fee per request counts for each of them', async () => {
  const free = soldModel('acme/one', '0')
  const [offer] = free.offers
  const price = { id: 'p', base: parseUnitPrices({ prompt: '0', completion: '0', per_request: '0.01' }), tiers: [] }
  const fee = { ...free, offers: offer === undefined ? [] : [{ ...offer, price }] }
  const { impacts } = await impactOf([free], [fee], [useOf('acme/one', 'acme', 7n)])
  expect(impacts).toEqual([['acme/one', 'acme', 7n, 20_000_000n]])
})

it.each([
  ['no price changes', [soldModel('acme/one', '0.000001')]],
  ['the model is new', [soldModel('acme/two', '0.000001')]],
])('no request is read where %s', async (_name, rows) => {
  const { asked, impacts } = await impactOf([soldModel('acme/one', '0.000001')], rows, [])
  expect([asked, impacts]).toEqual([[], []])
})
