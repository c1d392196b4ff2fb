import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json-value.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import type { StepsScenario } from '../scenario.ts'
import { vendorNames } from '../vendors/vendor-style.ts'
import type { Answer } from './answer.ts'
import { faults } from './faults.ts'
import { vendorCompletion } from './vendor-completion.ts'
import { vendorError } from './vendor-error.ts'
import { vendorStream } from './vendor-stream.ts'

const usage = { prompt: 16, completion: 5, cached: 4, reasoning: 2 }
const text: Answer = { kind: 'text', pieces: ['Hel', 'lo'], usage }
const reasoning: Answer = { kind: 'reasoning', thinking: ['hm', 'm'], pieces: ['Hel', 'lo'], usage }
const tools: Answer = {
  kind: 'tools',
  calls: [
    { id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] },
    { id: 'call_b', name: 'get_time', arguments: ['{}'] },
  ],
  usage,
}

function frames(scenario: StepsScenario): string[] {
  return scenario.steps.flatMap((step) => (step.do === 'write' ? [step.text] : []))
}

function chunks(scenario: StepsScenario): JsonValue[] {
  return frames(scenario).flatMap((frame) => {
    const chunk = frame.startsWith('data: {') ? parseJson(frame.slice('data: '.length)) : null
    return chunk === null ? [] : [chunk]
  })
}

function body(scenario: StepsScenario): JsonValue {
  return parseJson(frames(scenario).join(''))
}

describe.each(vendorNames)('%s', (vendor) => {
  test('every streamed answer finishes once per choice and ends with [DONE]', () => {
    const two: Answer = { kind: 'choices', choices: [['a', 'b'], ['c']], usage }
    for (const [answer, finishes] of [
      [text, 1],
      [reasoning, 1],
      [tools, 1],
      [two, 2],
    ] as const) {
      const all = frames(vendorStream(vendor, answer))
      expect(all.join('').match(/"finish_reason":"(stop|tool_calls)"/g)).toHaveLength(finishes)
      expect(all.at(-1)).toBe('data: [DONE]\n\n')
      expect(all.every((frame) => frame.endsWith('\n\n'))).toBe(true)
    }
  })

  test('usage is reported, and not when it is left out', () => {
    expect(frames(vendorStream(vendor, text)).join('')).toContain('"prompt_tokens":16')
    expect(frames(vendorStream(vendor, { ...text, usage: null })).join('')).not.toContain('prompt_tokens"')
    expect(body(vendorCompletion(vendor, text))).toMatchObject({ usage: { prompt_tokens: 16, total_tokens: 21 } })
  })

  test('a failing stream has text and an error but neither finish nor [DONE]', () => {
    const all = frames(vendorStream(vendor, { kind: 'mid-stream-error', pieces: ['Hel'], message: 'It broke.' })).join(
      '',
    )
    expect(all).toContain('"Hel"')
    expect(all).toContain('It broke.')
    expect(all).not.toMatch(/"finish_reason":"stop"|\[DONE\]/)
  })

  test('tool calls arrive in full, streamed or not', () => {
    const streamed = frames(vendorStream(vendor, tools)).join('')
    expect(streamed.match(/call_a|call_b|get_weather|get_time/g)).toHaveLength(4)
    const completion = JSON.stringify(body(vendorCompletion(vendor, tools)))
    expect(completion).toContain('"arguments":"{\\"city\\":\\"Oslo\\"}"')
    expect(completion).toContain('"finish_reason":"tool_calls"')
  })

  test('errors before the stream have a status and a body with a message', () => {
    const [head] = vendorError(vendor, 'server-error').steps
    expect(head).toMatchObject({ do: 'head', status: 500 })
    expect(JSON.stringify(body(vendorError(vendor, 'invalid-key')))).toContain('Incorrect API key')
  })
})

describe('what distinguishes one vendor from another', () => {
  test('openai: no usage key at all unless asked for', () => {
    const all = frames(vendorStream('openai', { ...text, includeUsage: false })).join('')
    expect(all).not.toContain('usage')
    expect(frames(vendorStream('openai', text)).at(-2)).toContain('"choices":[],"usage":{"prompt_tokens":16')
  })

  test('azure: the first chunk has no choices, id or model', () => {
    expect(chunks(vendorStream('azure', text))[0]).toMatchObject({ choices: [], id: '', model: '', created: 0 })
  })

  test('deepseek: comments, both delta keys, usage on the finish chunk', () => {
    const stream = vendorStream('deepseek', reasoning)
    expect(frames(stream)[0]).toBe(': keep-alive\n\n')
    expect(chunks(stream)[1]).toMatchObject({ choices: [{ delta: { content: null, reasoning_content: 'hm' } }] })
    expect(chunks(stream).at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 12 },
    })
  })

  test('xai: completion tokens exclude reasoning, keys are absent rather than null', () => {
    const all = chunks(vendorStream('xai', reasoning))
    expect(JSON.stringify(all)).not.toContain('null')
    expect(all.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3, total_tokens: 21 } })
  })

  test('groq: usage in x_groq always, at the top when asked', () => {
    const last = chunks(vendorStream('groq', { ...text, includeUsage: false })).at(-1)
    expect(last).toMatchObject({ x_groq: { usage: { prompt_tokens: 16 } } })
    expect(last).not.toHaveProperty('usage')
    expect(chunks(vendorStream('groq', text)).at(-1)).toHaveProperty('usage.prompt_tokens', 16)
  })

  test('mistral: whole tool calls without index on the finish chunk, thinking as content parts', () => {
    const last = chunks(vendorStream('mistral', tools)).at(-1)
    expect(last).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', delta: { tool_calls: [{ id: 'call_a' }, {}] } }],
    })
    expect(JSON.stringify(last)).not.toContain('"type"')
    const [, second] = chunks(vendorStream('mistral', reasoning))
    expect(second).toMatchObject({ choices: [{ delta: { content: [{ type: 'thinking' }] } }] })
  })

  test('dashscope: later tool deltas have empty ids, the trailing one no finish reason', () => {
    const all = chunks(vendorStream('dashscope', tools))
    expect(all[1]).toMatchObject({ choices: [{ delta: { tool_calls: [{ id: '' }] } }] })
    expect(all[3]).not.toHaveProperty('choices.0.finish_reason')
    const orders = all.map((chunk) => (isJsonObject(chunk) ? Object.keys(chunk).join() : ''))
    expect(new Set(orders).size).toBeGreaterThan(3)
  })

  test('moonshot: the last delta finishes, usage beside or (older) inside the choice', () => {
    const last = chunks(vendorStream('moonshot', text)).at(-1)
    expect(last).toMatchObject({
      choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }],
      usage: { cached_tokens: 4 },
    })
    const older = chunks(vendorStream('moonshot', { ...text, variant: 'older' })).at(-1)
    expect(older).toMatchObject({ choices: [{ usage: { cached_tokens: 4 } }] })
    expect(older).not.toHaveProperty('usage')
  })

  test('perplexity: usage grows on every chunk, the last object is done, [DONE] may be missing', () => {
    const all = chunks(vendorStream('perplexity', text))
    expect(all).toMatchObject([
      { usage: { completion_tokens: 1 } },
      { usage: { completion_tokens: 2 } },
      { usage: { completion_tokens: 5 } },
    ])
    expect(all.at(-1)).toMatchObject({ object: 'chat.completion.done' })
    expect(frames(vendorStream('perplexity', { ...text, variant: 'no-done' })).at(-1)).not.toContain('[DONE]')
  })

  test('openrouter: comments first, and a mid-stream error with finish reason error', () => {
    const stream = vendorStream('openrouter', { kind: 'mid-stream-error', pieces: ['Hel'] })
    expect(frames(stream)[0]).toBe(': OPENROUTER PROCESSING\n\n')
    expect(chunks(stream).at(-1)).toMatchObject({
      error: { code: 502, metadata: { error_type: 'provider_unavailable' } },
      choices: [{ finish_reason: 'error' }],
    })
  })

  test('together, cerebras, vllm: eos, status_code, running usage', () => {
    expect(frames(vendorStream('together', { ...text, variant: 'eos' })).join('')).toContain('"finish_reason":"eos"')
    const failing = chunks(vendorStream('cerebras', { kind: 'mid-stream-error', pieces: [] })).at(-1)
    expect(failing).toMatchObject({ error: {}, status_code: 500 })
    const running = chunks(faults.cumulativeUsage({ usage: { prompt: 16, completion: 3 } }))
    expect(running.every((chunk) => isJsonObject(chunk) && isJsonObject(chunk.usage))).toBe(true)
    expect(running.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } })
  })

  test('no-credit answers differ by status and code', () => {
    expect(faults.insufficientQuota().steps[0]).toMatchObject({ status: 429 })
    expect(vendorError('deepseek', 'insufficient-quota').steps[0]).toMatchObject({ status: 402 })
    expect(body(vendorError('moonshot', 'insufficient-quota'))).toMatchObject({
      error: { type: 'exceeded_current_quota_error' },
    })
    expect(body(vendorError('azure', 'prompt-blocked'))).toMatchObject({
      error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } },
    })
  })
})
