import { describe, expect, it } from 'vitest'
import type { Part } from '#domain/inference/parts.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { chatDialect } from './chat-dialect.ts'

const context = {
  id: 'gen-1',
  createdS: 1_800_000_000,
  model: 'maker/model',
  requestBody: {},
  excludeReasoning: false,
}

function rendered(parts: readonly Part[], excludeReasoning = false): JsonObject {
  const choice = { parts, finishReason: 'stop', nativeFinishReason: 'end_turn' } as const
  const usage = { ...noUsage, uncachedInput: 5, reasoningOutput: 2 }
  const charged = { usage, cost: nanoUsd(7n) }
  const text = chatDialect.renderDocument({ choices: [choice], usage }, charged, { ...context, excludeReasoning })
  return parseJsonObject(text) ?? {}
}

describe('a chat completion', () => {
  it('[CHAT-42] [CHAT-43] [USAGE-04] has our head, one message, both finish reasons, usage and cost', () => {
    expect(rendered([{ kind: 'text', text: 'Hi' }])).toEqual({
      id: 'gen-1',
      object: 'chat.completion',
      created: 1_800_000_000,
      model: 'maker/model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi' },
          finish_reason: 'stop',
          native_finish_reason: 'end_turn',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        cost: 7e-9,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    })
  })

  const thinking: Part[] = [
    { kind: 'reasoning', text: 'Hm', signature: 'sig', format: 'anthropic' },
    { kind: 'reasoning', text: 's', isSummary: true, encrypted: 'xyz', id: 'rs_1', format: 'openai' },
    { kind: 'tool-call', id: 'a', name: 'f', argumentsJson: '', signature: 'call-sig' },
  ]
  const call = {
    id: 'a',
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    extra_content: { google: { thought_signature: 'call-sig' } },
  }

  it('[REASON-09] [P17] shows thinking with signatures, and calls with JSON to parse', () => {
    const openai = { id: 'rs_1', format: 'openai-responses-v1' }
    expect(rendered(thinking)).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            reasoning: 'Hms',
            reasoning_details: [
              { type: 'reasoning.text', text: 'Hm', signature: 'sig', index: 0, format: 'anthropic-claude-v1' },
              { type: 'reasoning.summary', summary: 's', index: 1, ...openai },
              { type: 'reasoning.encrypted', data: 'xyz', index: 2, ...openai },
              { type: 'reasoning.encrypted', data: 'call-sig', id: 'a', index: 3, format: 'google-gemini-v1' },
            ],
            tool_calls: [call],
          },
        },
      ],
    })
  })

  it('[REASON-03] has no reasoning where the client wants none, and still counts it', () => {
    const { choices, usage } = rendered(thinking, true)
    expect(choices).toMatchObject([{ message: { role: 'assistant', content: null, tool_calls: [call] } }])
    expect(JSON.stringify(choices)).not.toContain('reasoning')
    expect(usage).toMatchObject({ completion_tokens_details: { reasoning_tokens: 2 } })
  })

  it('carries images, refusals and what only hosts of its own kind say', () => {
    const annotations = [{ type: 'url_citation' }]
    const parts: Part[] = [
      { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AA==' } },
      { kind: 'refusal', text: 'No.' },
      { kind: 'opaque', protocol: 'openai', value: { annotations } },
      { kind: 'opaque', protocol: 'anthropic', value: { secret: 1 } },
    ]
    expect(rendered(parts).choices).toMatchObject([
      {
        message: {
          role: 'assistant',
          content: null,
          refusal: 'No.',
          images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
          annotations,
        },
      },
    ])
    expect(JSON.stringify(rendered(parts))).not.toContain('secret')
  })
})
