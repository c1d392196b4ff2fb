import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import { fixtureOf } from '../fixtures/vendor-fixtures.ts'
import { tidyCompletion } from './tidy-completion.ts'

function tidy(message: JsonObject, finishReason = 'stop'): JsonObject {
  const body: JsonObject = { choices: [{ message, finish_reason: finishReason }] }
  tidyCompletion(body, vendors.openai.openai)
  return body
}

describe('a tidied completion', () => {
  it.each([...openAiVendors])('[REASON-09] of $slug has text, reasoning and nothing of ours', (vendor) => {
    const fixture = fixtureOf(vendor.slug)
    const body = fixture.completion()
    tidyCompletion(body, vendor.openai)
    expect(body).toMatchObject({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
    })
    for (const key of ['provider', 'usage', 'x_groq']) expect(body).not.toHaveProperty(key)
    expect(JSON.stringify(body)).not.toMatch(/reasoning_content|think>|"tool_calls":(?:\[\]|null)/)
  })

  it('[TOOL-05] [TOOL-06] has tool calls with ids and arguments as text, and says why it ended', () => {
    const calls = [
      { function: { name: 'f', arguments: { a: 1 } } },
      { id: '', index: 1, function: { name: 'g', arguments: '' } },
      { id: 'c', type: 'function', function: { name: 'h', arguments: '{}' } },
    ]
    expect(tidy({ tool_calls: calls })).toEqual({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          native_finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_0', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'call_1', type: 'function', function: { name: 'g', arguments: '{}' } },
              { id: 'c', type: 'function', function: { name: 'h', arguments: '{}' } },
            ],
          },
        },
      ],
    })
  })

  it('[CHAT-42] knows the five finish reasons, and keeps the word of the upstream', () => {
    expect(tidy({ content: 'a' }, 'eos')).toMatchObject({
      choices: [{ finish_reason: 'stop', native_finish_reason: 'eos' }],
    })
    expect(tidy({ content: 'a' })).not.toHaveProperty('choices.0.native_finish_reason')
  })

  it('survives a body without choices or messages', () => {
    const empty: JsonObject = {}
    tidyCompletion(empty, vendors.openai.openai)
    expect(empty).toEqual({ object: 'chat.completion', choices: [] })
    const odd: JsonObject = { choices: [null, {}] }
    tidyCompletion(odd, vendors.openai.openai)
    const message = { role: 'assistant', content: null }
    expect(odd.choices).toEqual([{ index: 0, message, finish_reason: null }])
  })
})
