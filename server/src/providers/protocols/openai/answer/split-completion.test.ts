import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import { fixtureOf, vendorFixtures } from '../fixtures/vendor-fixtures.ts'
import { joinChunks } from './join-chunks.ts'
import { splitCompletion } from './split-completion.ts'
import { tidyCompletion } from './tidy-completion.ts'

describe('a split completion', () => {
  it('[TOOL-08] says the text, then the calls, then the end', () => {
    const body = vendorFixtures.mistral.completion()
    tidyCompletion(body, vendors.mistral.openai)
    const chunks = splitCompletion(body)
    expect(chunks.map(({ object }) => object)).toEqual(Array(4).fill('chat.completion.chunk'))
    expect(chunks.flatMap(({ choices }) => choices)).toMatchObject([
      { delta: { role: 'assistant', content: 'Hello', reasoning: 'Hm' }, finish_reason: null },
      {
        delta: {
          tool_calls: [
            { index: 0, id: 'D681PevKs', type: 'function', function: { name: 'get_weather', arguments: '' } },
          ],
        },
      },
      { delta: { tool_calls: [{ index: 0, function: { arguments: '{"city":"Oslo"}' } }] }, finish_reason: null },
      { delta: {}, finish_reason: 'tool_calls' },
    ])
  })

  it.each([...openAiVendors])('[P9] of $slug joins to itself', (vendor) => {
    const fixture = fixtureOf(vendor.slug)
    const body = fixture.completion()
    tidyCompletion(body, vendor.openai)
    expect(withoutNulls(joinChunks(splitCompletion(body)))).toEqual(withoutNulls(body))
  })

  it('of several choices names each', () => {
    const chunks = splitCompletion({ id: 'x', usage: {}, choices: [choiceAt(0), choiceAt(1)] })
    expect(chunks).toHaveLength(4)
    expect(chunks.every((chunk) => !('usage' in chunk) && chunk.id === 'x')).toBe(true)
  })
})

/** A chunk may omit null members. */
function withoutNulls(body: JsonObject): unknown {
  return JSON.parse(JSON.stringify(body, (_key, value: unknown) => (value === null ? undefined : value)))
}

function choiceAt(index: number) {
  return { index, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }
}
