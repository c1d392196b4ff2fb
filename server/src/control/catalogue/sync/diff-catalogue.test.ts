import { expect, test } from 'vitest'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseCatalogueFile } from '../parse-catalogue-file.ts'
import { diffCatalogue } from './diff-catalogue.ts'

function rowOf(provider: string, changes: JsonObject = {}): CatalogueRow {
  const record = {
    id: 'acme/one',
    kind: 'chat',
    provider,
    input_modalities: ['text'],
    output_modalities: ['text'],
    pricing: { prompt: '0.000004', completion: '0.000008' },
    ...changes,
  }
  const parsed = parseCatalogueFile([record])
  if (!parsed.accepted || parsed.rows[0] === undefined) throw new Error(JSON.stringify(parsed))
  return parsed.rows[0]
}

const cheaper: Pick<PriceRow, 'units'> = { units: { prompt: '0.000002', completion: '0.000008' } }
const night = { pricing_rules: [{ unit: 'prompt', usd: '0.000002', utc: '00:00-06:00' }] }

test.each<[string, CatalogueRow, boolean]>([
  ['a provider with one price for all hours', rowOf('openai'), false],
  ['a list with a clock', rowOf('openai', night), true],
  ['a provider that is known to have a clock', rowOf('deepseek'), true],
])('V7: a price that would change is marked for %s', (_what, before, isMarked) => {
  const after = { ...before, prices: before.prices.map((price) => ({ ...price, ...cheaper })) }
  const [change, ...others] = diffCatalogue([before], [after])
  expect(others).toEqual([])
  expect(change).toMatchObject({ what: 'price', from: '0.000004', to: '0.000002' })
  expect(change?.isByTheClock).toBe(isMarked ? true : undefined)
})

test('V7: a new model of such a provider is marked too', () => {
  const marks = diffCatalogue([], [rowOf('deepseek')]).map(({ what, isByTheClock }) => [what, isByTheClock])
  expect(marks).toEqual([
    ['model', undefined],
    ['price', true],
    ['price', true],
  ])
})
