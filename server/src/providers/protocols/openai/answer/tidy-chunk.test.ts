import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { vendors } from '#providers/registry.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { vendorFixtures } from '../fixtures/vendor-fixtures.ts'
import { createChunkState, tidyChunk } from './tidy-chunk.ts'

function tidy(chunks: JsonObject[], quirks: OpenAiQuirks = vendors.openai.openai): JsonObject[] {
  const state = createChunkState()
  for (const chunk of chunks) tidyChunk(chunk, state, quirks)
  return chunks
}

function delta(members: JsonObject, finishReason: string | null = null): JsonObject {
  return { choices: [{ index: 0, delta: members, finish_reason: finishReason }] }
}

describe('a tidied chunk', () => {
  it('[CHAT-44] says nothing about who served it, and no usage', () => {
    const chunk = {
      ...delta({ content: 'a' }),
      provider: 'P',
      x_groq: {},
      obfuscation: 'x',
      usage: {},
      citations: ['c'],
    }
    expect(tidy([chunk])).toEqual([
      {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }],
        citations: ['c'],
      },
    ])
  })

  it('[CHAT-44] has no reasoning, native reason or fingerprint that the upstream did not send', () => {
    const chunks = tidy(vendorFixtures.openai.chunks())
    expect(JSON.stringify(chunks)).not.toMatch(/reasoning|native_finish_reason/)
    expect(chunks.every(({ system_fingerprint: fingerprint }) => fingerprint === 'fp_1')).toBe(true)
    expect(tidy(vendorFixtures.xai.chunks())[1]).not.toHaveProperty('choices.0.native_finish_reason')
  })

  it.each<[string, JsonObject]>([
    ['reasoning', { reasoning: 'Hm' }],
    ['reasoning_content', { reasoning_content: 'Hm', content: null }],
    ['both names', { reasoning: 'Hm', reasoning_content: 'Hm' }],
    [
      'parts',
      {
        content: [
          {
            type: 'thinking',
            thinking: [
              { type: 'text', text: 'H' },
              { type: 'text', text: 'm' },
            ],
          },
        ],
      },
    ],
    ['a part with plain text', { content: [{ type: 'thinking', thinking: 'Hm' }] }],
  ])('[REASON-09] has one form of reasoning that came under %s', (_name, members) => {
    const details = [{ type: 'reasoning.text', text: 'Hm', index: 0, format: 'unknown' }]
    const [chunk] = tidy([delta(members)])
    expect(chunk).toMatchObject({ choices: [{ delta: { reasoning: 'Hm', reasoning_details: details } }] })
    expect(JSON.stringify(chunk)).not.toContain('reasoning_content')
  })

  it('[REASON-09] keeps details that the upstream sent, with their signatures', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm', signature: 'c2ln', index: 0 }]
    const [chunk] = tidy([delta({ reasoning: 'Hm', reasoning_details: details })])
    expect(chunk).toMatchObject({ choices: [{ delta: { reasoning_details: details } }] })
  })

  it('has text where parts came', () => {
    const [chunk] = tidy([delta({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, null] })])
    expect(chunk).toMatchObject({ choices: [{ delta: { content: 'ab' } }] })
  })

  it('gives back text that could have been a tag when the choice ends', () => {
    const [first, last] = tidy([delta({ content: '<thi' }), delta({}, 'stop')], vendors.minimax.openai)
    expect(first).toMatchObject({ choices: [{ delta: { content: '' } }] })
    expect(last).toMatchObject({ choices: [{ delta: { content: '<thi' } }] })
  })

  it('names the role once for each choice', () => {
    const roles = JSON.stringify(tidy([role(0), role(1), role(0), role(1)])).match(/assistant/g)
    expect(roles).toHaveLength(2)
  })

  it('[P16] keeps the tools and thoughts of several choices apart', () => {
    const [one, other] = tidy([call(0, 'a'), call(1, 'b')])
    expect(one).toMatchObject({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a' }, {}] } }] })
    expect(other).toMatchObject({ choices: [{ index: 1, delta: { tool_calls: [{ index: 0, id: 'b' }, {}] } }] })
  })

  it('[TOOL-06] ends in tool_calls when tools were called, whatever the host says', () => {
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }
    const [, last] = tidy([delta({ tool_calls: [call] }), delta({ tool_calls: null }, 'stop')])
    expect(last).toMatchObject({ choices: [{ delta: {}, finish_reason: 'tool_calls', native_finish_reason: 'stop' }] })
    expect(last).not.toHaveProperty('choices.0.delta.tool_calls')
  })

  it('[P7] survives choices and deltas that are missing or odd', () => {
    expect(tidy([{}, { choices: null }, { choices: [null, 'x', {}] }, { choices: [] }])).toEqual([
      { object: 'chat.completion.chunk', choices: [] },
      { object: 'chat.completion.chunk', choices: [] },
      { object: 'chat.completion.chunk', choices: [null, 'x', { index: 0, delta: {}, finish_reason: null }] },
      { object: 'chat.completion.chunk', choices: [] },
    ])
  })
})

function role(index: number): JsonObject {
  return { choices: [{ index, delta: { role: 'assistant', content: 'a' } }] }
}

function call(index: number, id: string): JsonObject {
  return {
    choices: [{ index, delta: { tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }] } }],
  }
}

describe('C8: a chunk with more than a request can ask for', () => {
  it('loses the choices from the 129th on, and keeps no state of them', () => {
    const state = createChunkState()
    const choices = Array.from({ length: 5_000 }, (_, index) => ({ index, delta: { content: 'a' } }))
    const chunk: JsonObject = { choices }
    tidyChunk(chunk, state, vendors.openai.openai)
    expect(chunk.choices).toHaveLength(128)
    expect(state.size).toBe(128)
    const later: JsonObject = { choices: [{ index: 4_000_000, delta: { content: 'a' } }] }
    tidyChunk(later, state, vendors.openai.openai)
    expect([later.choices, state.size]).toEqual([[], 128])
  })

  it('loses the tool calls from the 1,001st on; those it has go on', () => {
    const state = createChunkState()
    const calls = Array.from({ length: 3_000 }, (_, index) => ({ index, id: `c${index}`, function: { name: 'f' } }))
    const chunk = delta({ tool_calls: calls })
    tidyChunk(chunk, state, vendors.openai.openai)
    const [opened] = chunk.choices as { delta: { tool_calls: JsonObject[] } }[]
    expect(opened?.delta.tool_calls).toHaveLength(1_000)
    const next = delta({
      tool_calls: [
        { index: 999, function: { arguments: '{' } },
        { index: 1_000, id: 'c1000' },
      ],
    })
    tidyChunk(next, state, vendors.openai.openai)
    expect(next.choices).toMatchObject([{ delta: { tool_calls: [{ index: 999, function: { arguments: '{' } }] } }])
  })
})
