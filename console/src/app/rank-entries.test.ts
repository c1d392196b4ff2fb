import { expect, it } from 'vitest'
import { rankEntries } from './rank-entries.ts'

const entries = [
  { label: 'Overview', words: 'home balance' },
  { label: 'Keys', words: 'api secret' },
  { label: 'API reference', words: 'docs' },
]
const labels = (text: string) => rankEntries(entries, text).map(({ label }) => label)

it('lists every entry in its order while nothing is typed', () => {
  expect(labels('  ')).toEqual(['Overview', 'Keys', 'API reference'])
})

it('puts a label that begins with the word before one that is found by its words', () => {
  expect(labels('api')).toEqual(['API reference', 'Keys'])
})

it('wants every word to be found', () => {
  expect(labels('secret key')).toEqual(['Keys'])
  expect(labels('secret home')).toEqual([])
})
