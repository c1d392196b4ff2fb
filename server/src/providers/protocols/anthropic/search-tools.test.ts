import { expect, it } from 'vitest'
import { boundSearchTools, claudeSearchesIn } from './search-tools.ts'

const search = { type: 'web_search_20260209', name: 'web_search' }

it.each([
  ['the bound of its client', { ...search, max_uses: 7 }, 7],
  ['five where there is none', search, 5],
  ['five where it is null', { ...search, max_uses: null }, 5],
  ['five where it is zero', { ...search, max_uses: 0 }, 5],
  ['five where it is below zero', { ...search, max_uses: -1 }, 5],
  ['five where it is a part of one', { ...search, max_uses: 1.5 }, 5],
])('[M2] a tool that searches the web is told %s', (_what, tool, uses) => {
  expect(boundSearchTools([tool])).toEqual([{ ...search, max_uses: uses }])
})

it.each([
  { name: 'web_search', input_schema: {} },
  { type: 'custom', name: 'web_search', input_schema: {} },
  { type: 'web_fetch_20250910', name: 'web_fetch' },
  'no tool',
  null,
])('[M2] what does not search travels as sent: %j', (tool) => {
  expect(boundSearchTools([tool])).toEqual([tool])
})

it('[M2] several tools may search as often as all of them together', () => {
  const tools = [{ ...search, max_uses: 2 }, search, { name: 'f' }]
  expect(claudeSearchesIn({ tools, server_tools: [{ ...search, max_uses: 1 }] })).toEqual({
    webSearches: 8,
    citationTokens: 0,
    promptTokens: 80_000,
    isTold: true,
  })
})

it.each([{}, { tools: null }, { tools: 'web_search' }, { tools: [null, { type: 7 }] }])(
  '[M2] a call without such tools searches nothing: %j',
  (body) => {
    expect(claudeSearchesIn(body)).toMatchObject({ webSearches: 0, promptTokens: 0, isTold: false })
  },
)
