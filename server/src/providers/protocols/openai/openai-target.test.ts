import { describe, expect, it } from 'vitest'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { TraitOverrides } from '#domain/routing/trait-overrides.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { findVendor } from '#providers/registry.ts'
import { relays } from '#providers/relay.ts'
import { openAiProtocol } from './openai-protocol.ts'

const messages = [{ role: 'user', content: 'Hi' }]

function targetAt(slug: string, overrides: TraitOverrides, upstreamModel = 'model-x') {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is registered`)
  return { vendor, baseUrl: null, credential: 'secret', upstreamModel, openAiFamily: false, overrides }
}

/** The upstream fields for a client's fields at a provider with operator overrides. */
function sent(slug: string, overrides: TraitOverrides, body: JsonObject, upstreamModel?: string): JsonObject {
  const maxTokens = typeof body.max_tokens === 'number' ? body.max_tokens : null
  const call = { body: { messages, ...body }, stream: false, maxTokens }
  const request = relays.chat(call, targetAt(slug, overrides, upstreamModel))
  const { model: _model, stream: _stream, ...rest } = parseJsonObject(request.body) ?? {}
  return rest
}

describe('an operator of a host of chat completions', () => {
  it.each<[TraitOverrides['thinking'], JsonObject]>([
    ['reasoning_effort', { reasoning_effort: 'low' }],
    ['reasoning', { reasoning: { effort: 'low' } }],
    ['reasoning_enabled', { reasoning_effort: 'low' }],
    ['thinking', { thinking: { type: 'enabled' } }],
    ['enable_thinking', { enable_thinking: true }],
  ])('chooses %s for thinking, whatever field the client used', (thinking = 'reasoning', expected) => {
    for (const wish of [{ reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }]) {
      for (const slug of ['groq', 'nebius', 'deepseek']) {
        expect(sent(slug, { thinking }, wish), slug).toEqual({ messages, ...expected })
      }
    }
  })

  it('chooses thereby how a Qwen 3 is kept from thinking', () => {
    expect(sent('groq', { thinking: 'enable_thinking' }, {}, 'qwen3-32b')).toEqual({ messages, enable_thinking: false })
  })

  it('is not heard in forms of other protocols', () => {
    expect(sent('groq', { thinking: 'adaptive' }, { reasoning: { effort: 'low' } })).toEqual({
      messages,
      reasoning_effort: 'low',
    })
  })

  it('names the words for an effort', () => {
    expect(sent('groq', { efforts: ['low', 'xhigh'] }, { reasoning_effort: 'xhigh' })).toMatchObject({
      reasoning_effort: 'xhigh',
    })
  })

  it('chooses the field of the output cap, whatever the vendor says', () => {
    for (const outputCap of ['max_tokens', 'max_completion_tokens'] as const) {
      for (const slug of ['deepseek', 'nebius']) {
        expect(sent(slug, { outputCap }, { max_tokens: 5 })).toEqual({ messages, [outputCap]: 5 })
      }
    }
  })

  it('chooses how earlier thoughts go back', () => {
    const history = [{ role: 'assistant', content: 'Hello', reasoning: 'Hm' }, ...messages]
    const first = (thoughts: NonNullable<TraitOverrides['thoughts']>) => {
      const [message] = [sent('mistral', { thoughts }, { messages: history }).messages].flat()
      return message
    }
    expect(first('none')).toEqual({ role: 'assistant', content: 'Hello' })
    expect(first('content-always')).toEqual({ role: 'assistant', content: 'Hello', reasoning_content: 'Hm' })
  })

  it('has them sent back by clients of other dialects, too', () => {
    const call: CanonicalCall = {
      system: [],
      turns: [
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'Hm', format: 'unknown' },
            { kind: 'text', text: 'Hello' },
          ],
        },
      ],
      tools: [],
      toolChoice: null,
      parallelToolCalls: null,
      choiceCount: 1,
      sampling: {},
      responseFormat: null,
      reasoning: null,
      endUser: null,
      maxTokens: null,
      stream: false,
      extras: {},
    }
    const { body } = openAiProtocol.buildRequest(call, targetAt('nebius', { thoughts: 'content-always' }))
    expect(parseJsonObject(body)?.messages).toEqual([{ role: 'assistant', content: 'Hello', reasoning_content: 'Hm' }])
  })

  it('lets fields through that the tables refuse', () => {
    const fields = { top_k: 3, user: 'u', n: 2, reasoning: { effort: 'low' } }
    expect(sent('groq', {}, fields)).toEqual({ messages, n: 2, reasoning_effort: 'low' })
    const send = { top_k: 'top_k', user: 'user', reasoning: 'reasoning' }
    expect(sent('groq', { send }, fields)).toEqual({ messages, ...fields })
    expect(sent('deepseek', { send: { n: 'n' } }, { n: 2 })).toEqual({ messages, n: 2 })
  })
})
