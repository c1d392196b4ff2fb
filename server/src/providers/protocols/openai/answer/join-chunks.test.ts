import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { fixtureOf } from '../fixtures/vendor-fixtures.ts'
import { joinChunks } from './join-chunks.ts'
import { createChunkState, tidyChunk } from './tidy-chunk.ts'
import { tidyCompletion } from './tidy-completion.ts'

function joinTidied(chunks: JsonObject[], quirks: OpenAiQuirks): JsonObject {
  const state = createChunkState()
  for (const chunk of chunks) tidyChunk(chunk, state, quirks)
  return joinChunks(chunks)
}

describe('joined chunks', () => {
  it.each([...openAiVendors])('[P9] [P16] say what the whole answer of $slug says', (vendor) => {
    const fixture = fixtureOf(vendor.slug)
    const joined = joinTidied(fixture.chunks(), vendor.openai)
    const whole = fixture.completion()
    tidyCompletion(whole, vendor.openai)
    expect(essence(joined)).toEqual(essence(whole))
  })

  it('keep interleaved choices and their tool calls apart', () => {
    const body = joinTidied(
      [
        call(1, { index: 1, id: 'd', function: { name: 'g', arguments: '{"b"' } }),
        call(0, { index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
        call(1, { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }),
        call(1, { index: 1, function: { arguments: ':2}' } }),
        { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ],
      vendors.openai.openai,
    )
    expect(body.choices).toMatchObject([
      { index: 0, finish_reason: 'tool_calls', message: { tool_calls: [made('a', 'f', '{}')] } },
      { index: 1, message: { tool_calls: [made('c', 'f', '{}'), made('d', 'g', '{"b":2}')] } },
    ])
  })

  it('make one reasoning detail of its pieces, signature included', () => {
    const body = joinChunks([piece({ text: 'a' }), piece({ text: 'b', signature: null }), piece({ signature: 'c2ln' })])
    const details = [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 'c2ln' }]
    expect(body).toMatchObject({ choices: [{ message: { reasoning_details: details } }] })
  })

  it('join probabilities, and take id and model from the first chunk that has them', () => {
    expect(joinChunks([{ id: '', choices: [] }, chunk('x', 'a'), chunk('y', 'b')])).toMatchObject({
      id: 'x',
      object: 'chat.completion',
      choices: [{ logprobs: { content: [{ token: 'a' }, { token: 'b' }] }, message: { content: 'ab' } }],
    })
  })

  it('make an empty completion of nothing', () => {
    expect(joinChunks([])).toEqual({ object: 'chat.completion', choices: [] })
  })
})

/** The two forms may differ in null members, but not in content. */
function essence({ choices, id, model }: JsonObject): unknown {
  const text = JSON.stringify({ choices, id, model }, (_key, value: unknown) => (value === null ? undefined : value))
  return JSON.parse(
    text.replaceAll(/"(?:annotations|prefix|content_filter_results)":(?:\[\]|false|\{\}),?/g, '').replaceAll(',}', '}'),
  )
}

function call(index: number, members: JsonObject): JsonObject {
  return {
    choices: [{ index, delta: { tool_calls: [members] } }],
  }
}

function made(id: string, name: string, text: string) {
  return {
    id,
    type: 'function',
    function: { name, arguments: text },
  }
}

function piece(members: JsonObject): JsonObject {
  return {
    choices: [{ index: 0, delta: { reasoning_details: [{ type: 'reasoning.text', index: 0, ...members }] } }],
  }
}

function chunk(id: string, token: string): JsonObject {
  return {
    id,
    choices: [{ index: 0, delta: { content: token }, logprobs: { content: [{ token }], refusal: null } }],
  }
}
