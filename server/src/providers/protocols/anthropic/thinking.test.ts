import { describe, expect, it } from 'vitest'
import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import { parseJsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { anthropic } from '#providers/vendors/anthropic/index.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { buildMessagesRequest } from './build-request.ts'

const question: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Question' }] }
const tool = { name: 'get_weather', description: 'Weather', parameters: { properties: {} } }
const text = (words: string): Part => ({ kind: 'text', text: words })
const called: Part = { kind: 'tool-call', id: 'toolu_1', name: 'get_weather', argumentsJson: '' }
const result: Part = { kind: 'tool-result', callId: 'toolu_1', content: [{ kind: 'text', text: 'Rain' }] }
const sealed: Part = { kind: 'reasoning', text: 'Hm', signature: 'c2ln', format: 'anthropic' }

function turn(role: Turn['role'], ...parts: Part[]): Turn {
  return { role, parts }
}

function build(call: Partial<CanonicalCall>, where: Partial<Target> = {}) {
  const target = { vendor: anthropic, baseUrl: null, credential: 'sk-ant-api03-x', upstreamModel: 'claude-x' }
  const request = buildMessagesRequest(
    { ...plainCall, turns: [question], ...call },
    { ...target, openAiFamily: false, ...where },
  )
  return { ...request, body: parseJsonObject(request.body) ?? {} }
}

describe('thinking', () => {
  it.each([
    ['xhigh', 10_000, 9_500, 10_000],
    ['high', 10_000, 8_000, 10_000],
    ['medium', 10_000, 5_000, 10_000],
    ['low', 10_000, 2_000, 10_000],
    ['minimal', 10_000, 1_024, 10_000],
    ['tremendous', 10_000, 5_000, 10_000],
    ['high', 1_000, 1_024, 2_024],
    ['medium', null, 2_048, 4_096],
  ])('%s of %j is %i, below a cap of %i', (effort, maxTokens, budget, cap) => {
    const { body } = build({ maxTokens, reasoning: { effort } })
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: budget })
    expect(body.max_tokens).toBe(cap)
  })

  it('has the budget that was asked for, and makes room for the answer', () => {
    const { body } = build({ maxTokens: 500, reasoning: { budgetTokens: 2_000, effort: 'low' } })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 2_500 })
  })

  it.each([{ enabled: false }, { effort: 'none' }])('is turned off by %j', (reasoning) => {
    expect(build({ reasoning }).body.thinking).toEqual({ type: 'disabled' })
  })

  it('is left to the model by a wish about showing it alone', () => {
    expect(build({ reasoning: { exclude: true } }).body).not.toHaveProperty('thinking')
  })

  it('leaves out the sampling that can not go with it', () => {
    const sampling = { temperature: 0.3, topP: 0.5, topK: 40 }
    const { body, ignored } = build({ reasoning: { enabled: true }, sampling })
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('top_p')
    expect(body).not.toHaveProperty('top_k')
    expect(ignored).toEqual(['temperature', 'top_p', 'top_k'])
    expect(build({ reasoning: { enabled: true }, sampling: { temperature: 1, topP: 0.95 } })).toMatchObject({
      body: { top_p: 0.95 },
      ignored: [],
    })
  })

  it('travels as sent where it was sent in full, and is completed where not', () => {
    const adaptive = { type: 'adaptive' }
    expect(build({ extras: { thinking: adaptive } }).body.thinking).toEqual(adaptive)
    const shown = { type: 'enabled', budget_tokens: 5_000, display: 'omitted' }
    const { body } = build({ extras: { thinking: shown }, reasoning: { enabled: true, budgetTokens: 5_000 } })
    expect(body).toMatchObject({ thinking: shown, max_tokens: 9_096 })
    const bare = build({ extras: { thinking: { type: 'enabled' } }, reasoning: { enabled: true } })
    expect(bare.body.thinking).toEqual({ type: 'enabled', budget_tokens: 2_048 })
  })

  it('gives way to a tool that must be called', () => {
    const toolChoice = { kind: 'required' } as const
    const { body, ignored } = build({ tools: [tool], toolChoice, reasoning: { effort: 'high' } })
    expect(body).not.toHaveProperty('thinking')
    expect(ignored).toEqual(['reasoning'])
  })

  const late = { upstreamModel: 'claude-opus-4-7' }
  const adaptive = { type: 'adaptive', display: 'summarized' }

  it.each([
    [{ effort: 'minimal' }, adaptive, { effort: 'low' }],
    [{ effort: 'xhigh' }, adaptive, { effort: 'xhigh' }],
    [{ effort: 'tremendous' }, adaptive, { effort: 'medium' }],
    [{ budgetTokens: 4_095 }, adaptive, { effort: 'low' }],
    [{ budgetTokens: 4_096 }, adaptive, { effort: 'medium' }],
    [{ budgetTokens: 16_384 }, adaptive, { effort: 'high' }],
    [{ enabled: true }, adaptive, undefined],
    [{ enabled: true, exclude: true }, { type: 'adaptive', display: 'omitted' }, undefined],
    [{ enabled: false }, { type: 'disabled' }, undefined],
    [{ effort: 'none' }, { type: 'disabled' }, undefined],
    [{ exclude: true }, undefined, undefined],
    [null, undefined, undefined],
  ])('[W1] is an effort for releases since Opus 4.7: %j', (reasoning, thinking, config) => {
    const { body, ignored } = build({ maxTokens: 500, reasoning }, late)
    expect(body.thinking).toEqual(thinking)
    expect(body.output_config).toEqual(config)
    expect(body.max_tokens).toBe(500)
    expect(ignored).toEqual([])
  })

  it('[W1] is put into these words where the client used the older ones, beside the schema of the answer', () => {
    const schema = { type: 'object' }
    const { body } = build(
      {
        extras: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
        responseFormat: { kind: 'schema', name: 'x', schema },
      },
      late,
    )
    expect(body).toMatchObject({
      thinking: adaptive,
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    })
    const asSent = { type: 'adaptive' }
    expect(build({ extras: { thinking: asSent } }, late).body.thinking).toEqual(asSent)
  })

  it('[W1] can not be turned off, nor a tool be demanded, where the release refuses it', () => {
    const where = { upstreamModel: 'claude-opus-5-5' }
    const resting = build({ reasoning: { effort: 'none' } }, where)
    expect(resting.body).not.toHaveProperty('thinking')
    expect(resting.ignored).toEqual(['reasoning'])
    const forced = build({ tools: [tool], toolChoice: { kind: 'required' }, reasoning: { effort: 'low' } }, where)
    expect(forced.body).toMatchObject({ tool_choice: { type: 'auto' }, thinking: adaptive })
    expect(forced.ignored).toEqual(['tool_choice'])
  })

  it('[W2] goes without sampling since Opus 4.7, and says so where that changes something', () => {
    const told = build({ sampling: { temperature: 0.5, topP: 0.9, topK: 4 } }, late)
    for (const name of ['temperature', 'top_p', 'top_k']) expect(told.body).not.toHaveProperty(name)
    expect(told.ignored).toEqual(['temperature', 'top_p', 'top_k'])
    const usual = build({ sampling: { temperature: 1, topP: 0.99, topK: 0 } }, late)
    for (const name of ['temperature', 'top_p', 'top_k']) expect(usual.body).not.toHaveProperty(name)
    expect(usual.ignored).toEqual([])
  })

  it('[W12] leaves temperature or top-p to releases that refuse both', () => {
    const where = { upstreamModel: 'claude-opus-4-5' }
    const both = build({ sampling: { temperature: 0.5, topP: 0.9 } }, where)
    expect(both.body).toMatchObject({ temperature: 0.5 })
    expect(both.body).not.toHaveProperty('top_p')
    expect(both.ignored).toEqual(['top_p'])
    expect(build({ sampling: { topP: 0.9 } }, where)).toMatchObject({ body: { top_p: 0.9 }, ignored: [] })
    const before = build({ sampling: { temperature: 0.5, topP: 0.9 } }, { upstreamModel: 'claude-sonnet-4-20250514' })
    expect(before).toMatchObject({ body: { temperature: 0.5, top_p: 0.9 }, ignored: [] })
  })

  it('[P17] goes on in a loop of tools only where the loop began with it', () => {
    const loop = (...parts: Part[]) => [question, turn('assistant', ...parts, called), turn('user', result)]
    const reasoning = { effort: 'high' }
    expect(build({ turns: loop(sealed), reasoning })).toMatchObject({ body: { thinking: {} }, ignored: [] })
    expect(build({ turns: loop(text('Wait.')), reasoning }).ignored).toEqual(['reasoning'])
    const later = [...loop(), turn('assistant', text('Rain.')), question]
    expect(build({ turns: later, reasoning }).ignored).toEqual([])
  })
})
