import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { chargedFor } from './charged-for.ts'
import { choicesOf, dropReasoning, finishOf } from './chunk-choices.ts'
import { hasSubstance } from './has-substance.ts'
import { nativeFinishReason } from './native-finish-reason.ts'

const said = () => ({ content: 'a', reasoning: 'b', reasoning_details: [], reasoning_content: 'c' })

describe('the choices of a chunk', () => {
  it('are its objects, and none where there is no list', () => {
    expect(choicesOf({ choices: [{ index: 0 }, null, 'text', { index: 1 }] })).toEqual([{ index: 0 }, { index: 1 }])
    expect(choicesOf({ choices: { index: 0 } })).toEqual([])
    expect(choicesOf({})).toEqual([])
  })

  it('have the finish reason of the first that has one', () => {
    expect(
      finishOf({ choices: [{ finish_reason: null }, { finish_reason: 'length' }, { finish_reason: 'stop' }] }),
    ).toBe('length')
    expect(finishOf({ choices: [{ finish_reason: null }, {}] })).toBeNull()
  })

  it('lose their reasoning, in deltas and in messages, and nothing else', () => {
    const body: JsonObject = { choices: [{ delta: said() }, { message: said() }, { index: 2 }] }
    dropReasoning(body)
    const left = { content: 'a', reasoning_content: 'c' }
    expect(body).toEqual({ choices: [{ delta: left }, { message: left }, { index: 2 }] })
  })

  it('have the own word of the upstream for the end, of the first that has one', () => {
    expect(nativeFinishReason([{ native_finish_reason: null }, { native_finish_reason: 'STOP' }])).toBe('STOP')
    expect(nativeFinishReason([{}])).toBeNull()
    expect(nativeFinishReason([{ native_finish_reason: 'x'.repeat(200) }])).toHaveLength(100)
  })
})

describe('a chunk', () => {
  it.each<[JsonObject]>([
    [{ content: 'a' }],
    [{ role: 'assistant', content: 'a' }],
    [{ reasoning: 'b' }],
    [{ tool_calls: [{ index: 0 }] }],
    [{ refusal: 'no' }],
    [{ audio: {} }],
  ])('says something: %j', (delta) => {
    expect(hasSubstance({ choices: [{ delta: { role: 'assistant' } }, { delta }] })).toBe(true)
  })

  it.each<[JsonObject]>([
    [{ choices: [{ delta: { role: 'assistant' } }] }],
    [{ choices: [{ delta: { role: 'assistant', content: '' } }] }],
    [{ choices: [{ delta: { content: null, tool_calls: [] } }] }],
    [{ choices: [{ delta: {} }] }],
    [{ choices: [{}, null, 'text'] }],
    [{ choices: [] }],
    [{ choices: 'text' }],
    [{}],
  ])('says nothing yet: %j', (chunk) => {
    expect(hasSubstance(chunk)).toBe(false)
  })
})

describe('what the last bytes show of a cost', () => {
  const usage = { ...noUsage, textOutput: 3 }
  const cost = nanoUsd(7n)

  it('is the usage and its cost', () => {
    expect(chargedFor(usage, cost, {})).toEqual({ usage, cost })
  })

  it('is nothing without a usage record', () => {
    expect(chargedFor(null, cost, { upstreamCostOf: () => cost })).toBeNull()
  })

  it('is also what the provider bills, for an own key', () => {
    const upstreamCostOf = ({ textOutput }: typeof usage) => nanoUsd(BigInt(textOutput * 100))
    expect(chargedFor(usage, cost, { upstreamCostOf })).toEqual({ usage, cost, upstreamCost: 300n })
    expect(chargedFor(usage, cost, { upstreamCostOf: () => null })).toEqual({ usage, cost, upstreamCost: null })
  })
})
