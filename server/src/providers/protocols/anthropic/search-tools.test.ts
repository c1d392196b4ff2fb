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
  { type: 'custom', name: 'web_fetch', input_schema: {} },
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
    turns: 9,
    isTold: true,
  })
})

it.each([{}, { tools: null }, { tools: 'web_search' }, { tools: [null, { type: 7 }] }])(
  '[M2] a call without such tools searches nothing: %j',
  (body) => {
    expect(claudeSearchesIn(body)).toMatchObject({ webSearches: 0, promptTokens: 0, isTold: false })
  },
)

const fetchPage = { type: 'web_fetch_20250910', name: 'web_fetch' }

it.each([
  ['the bounds of its client', { ...fetchPage, max_uses: 2, max_content_tokens: 900 }, [2, 900], 1_800],
  ['five pages of 25,000 tokens where there are none', fetchPage, [5, 25_000], 125_000],
  ['the same where they are zero', { ...fetchPage, max_uses: 0, max_content_tokens: 0 }, [5, 25_000], 125_000],
])('[M2] a tool that fetches pages is told %s, and they are held for', (_what, tool, [uses, tokens], held) => {
  expect(boundSearchTools([tool])).toEqual([{ ...fetchPage, max_uses: uses, max_content_tokens: tokens }])
  expect(claudeSearchesIn({ tools: [tool] })).toEqual({
    webSearches: 0,
    citationTokens: 0,
    promptTokens: held,
    turns: (uses ?? 0) + 1,
    isTold: true,
  })
})

it('[M2] pages are held for beside searches', () => {
  expect(
    claudeSearchesIn({
      tools: [
        { ...search, max_uses: 1 },
        { ...fetchPage, max_uses: 1 },
      ],
    }),
  ).toMatchObject({
    webSearches: 1,
    promptTokens: 35_000,
  })
})
