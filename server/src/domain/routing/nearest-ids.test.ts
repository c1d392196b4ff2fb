import { expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { nearestIds } from './nearest-ids.ts'

const [template] = wantedModel.models
if (template === undefined) throw new Error('there is a model')
const ids = ['acme/river-2', 'acme/river-2-mini', 'acme/river-3', 'other/lake-1', 'other/hidden']
const catalogue = buildCatalogue(
  1,
  ids.map((id) => ({ ...template, id, listed: id !== 'other/hidden' })),
)

it('names at most three listed ids, the most alike first', () => {
  expect(nearestIds('acme/rivr-2', catalogue)).toEqual(['acme/river-2', 'acme/river-3'])
  expect(nearestIds('acme/river', catalogue)).toEqual(['acme/river-2', 'acme/river-3'])
})

it('finds a name under another author or under none', () => {
  expect(nearestIds('lake-1', catalogue)).toEqual(['other/lake-1'])
  expect(nearestIds('acme/lake-1', catalogue)[0]).toBe('other/lake-1')
})

it('names nothing that is not alike, not listed or far too long', () => {
  expect(nearestIds('acme/something-else-entirely', catalogue)).toEqual([])
  expect(nearestIds('other/hidden', catalogue)).toEqual([])
  expect(nearestIds('x'.repeat(1_000_000), catalogue)).toEqual([])
})
