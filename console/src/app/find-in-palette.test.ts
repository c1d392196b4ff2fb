import { expect, it } from 'vitest'
import { findInPalette, type PaletteKind } from './find-in-palette.ts'

const entry = (kind: PaletteKind, label: string, words = '') => ({ kind, label, words })
const entries = [
  entry('Page', 'API keys', 'secret'),
  entry('Action', 'Create API key', 'new secret'),
  ...Array.from({ length: 20 }, (_, index) => entry('Model', `acme/model-${index}`)),
  entry('API key', 'acme-ci', 'sk-weir-1a2b'),
]
const labelsOf = (text: string) => findInPalette(entries, text).map(({ label }) => label)

it.each(['', '  '])('lists pages and actions before anything is typed (%j)', (text) => {
  expect(labelsOf(text)).toEqual(['API keys', 'Create API key'])
})

it('finds every kind by name and keywords', () => {
  expect(labelsOf('secret')).toEqual(['API keys', 'Create API key'])
  expect(labelsOf('model-19')).toEqual(['acme/model-19'])
  expect(labelsOf('sk-weir')).toEqual(['acme-ci'])
  expect(labelsOf('nothing')).toEqual([])
})

it('lists at most eight of a kind, so that others stay in sight', () => {
  const labels = labelsOf('acme')
  expect(labels).toHaveLength(9)
  expect(labels).toContain('acme-ci')
})
