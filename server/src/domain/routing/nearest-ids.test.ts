import { expect, it } from 'vitest'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { nearestIds } from './nearest-ids.ts'

const [template] = wantedModel.models
if (template === undefined) throw new Error('there is a model')
const ids = ['acme/river-2', 'acme/river-2-mini', 'acme/river-3', 'other/lake-1', 'other/hidden']
const catalogue = ids.map((id) => ({ ...template, id, listed: id !== 'other/hidden' }))

it('names at most three listed ids, the most alike first', () => {
  expect(nearestIds('acme/rivr-2', catalogue)).toEqual(['acme/river-2', 'acme/river-3'])
  expect(nearestIds('acme/river', catalogue)).toEqual(['acme/river-2', 'acme/river-3'])
})

it('names the first three, and of those that are as much alike in the order of the alphabet', () => {
  const many = ['d/sea-1', 'b/sea-1', 'c/sea-12', 'a/sea-123', 'a/sea-1'].map((id) => ({ ...template, id }))
  expect(nearestIds('sea-1', many)).toEqual(['a/sea-1', 'b/sea-1', 'd/sea-1'])
  expect(nearestIds('x/sea-12', many)).toEqual(['c/sea-12', 'a/sea-1', 'a/sea-123'])
})

it.each([
  ['two letters of a short name', 'abc', 'abz', true],
  ['two letters of a short name', 'abc', 'axz', true],
  ['three letters of a short name', 'abc', 'xyz', false],
  ['half of a longer name', 'abcdefgh', 'abcdwxyz', true],
  ['more than half of it', 'abcdefgh', 'abcvwxyz', false],
  ['letters that were added', 'abcdefgh', 'abcdefgh-12x', true],
  ['letters that are missing', 'abcdefgh', 'abcd', true],
  ['more letters than half of it that are missing', 'abcdefgh', 'abc', false],
  ['all letters in another order', 'abcdefgh', 'hgfedcba', false],
])('takes %s for a slip of the pen: %s for %s: %s', (_, name, listed, expected) => {
  const one = [{ ...template, id: `acme-and-sons/${listed}` }]
  expect(nearestIds(name, one)).toEqual(expected ? [`acme-and-sons/${listed}`] : [])
})

it('compares names of a hundred characters, and none that are longer', () => {
  const long = [{ ...template, id: `acme/${'x'.repeat(95)}` }]
  expect(nearestIds(`acme/${'x'.repeat(95)}`, long)).toHaveLength(1)
  expect(nearestIds(`acme/${'x'.repeat(96)}`, long)).toEqual([])
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
