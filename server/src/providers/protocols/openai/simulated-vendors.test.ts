import { describe, expect, it } from 'vitest'
import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { findVendor } from '#providers/registry.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { answers, counts } from '#test/samples/answers.ts'
import { oddToolDeltas } from '#test/simulators/scenarios/odd-tool-deltas.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { type VendorName, vendorNames } from '#test/simulators/vendors/vendor-style.ts'
import { chunkFailure } from './failure/chunk-failure.ts'
import { joinChunks } from './answer/join-chunks.ts'
import { readFailure } from './failure/read-failure.ts'
import { readUsage } from './answer/read-usage.ts'
import { createChunkState, tidyChunk } from './answer/tidy-chunk.ts'
import { tidyCompletion } from './answer/tidy-completion.ts'

/** The simulators know nothing of this code, so the two check each other. */
describe.each(vendorNames)('an answer in the form of %s', (name) => {
  it.each(answers)('[P7] [P9] [P16] says and costs the same streamed and whole: $kind', (answer) => {
    const quirks = quirksOf(name)
    const chunks = framesOf(vendorStream(name, answer))
    const body = textOf(vendorCompletion(name, answer))
    const streamed = chunks.map((chunk) => readUsage(chunk, quirks)).findLast((usage) => usage !== undefined)
    expect(streamed).toEqual(readUsage(body, quirks))
    expect(streamed).toMatchObject(expectedFor(streamed ?? noUsage))
    const state = createChunkState()
    for (const chunk of chunks) tidyChunk(chunk, state, quirks)
    tidyCompletion(body, quirks)
    expect(saidIn(joinChunks(chunks))).toEqual(saidIn(body))
  })

  it('[CHAT-42] that breaks off has a failure in it', () => {
    const chunks = framesOf(vendorStream(name, { kind: 'mid-stream-error', pieces: ['Hel'], message: 'Broken.' }))
    const found = chunks.map((chunk) => chunkFailure(chunk, quirksOf(name))).filter((failure) => failure !== undefined)
    expect(found).toMatchObject([{ message: 'Broken.' }])
  })

  it.each([
    ['rate-limited', 'retry', 'upstreamRateLimited'],
    ['insufficient-quota', 'fail-over', 'upstreamUnavailable'],
    ['invalid-key', 'fail-over', 'upstreamAuthFailed'],
    ['model-not-found', 'fail-over', 'upstreamUnavailable'],
    ['context-too-long', 'give-up', 'contextTooLong'],
    ['unsupported-parameter', 'give-up', 'unsupportedParam'],
    ['prompt-blocked', 'give-up', 'contentModeration'],
    ['server-error', 'retry', 'upstreamUnavailable'],
  ] as const)('[ERR-07] [ERR-10] that is a refusal is understood: %s', (cause, action, errorName) => {
    const scenario = vendorError(name, cause)
    const [head] = scenario.steps
    assert(head?.do === 'head', 'an answer begins with its head')
    expect(readFailure(head.status, head.headers ?? {}, bodyOf(scenario))).toMatchObject({ action, errorName })
  })
})

it('[P16] careless tool deltas are two whole calls', () => {
  const chunks = framesOf(oddToolDeltas())
  const state = createChunkState()
  for (const chunk of chunks) tidyChunk(chunk, state, quirksOf('generic'))
  const calls = [called('call_a', 'get_weather', '{"city":"Oslo"}'), called('call_b', 'get_time', '{"zone":"UTC"}')]
  expect(joinChunks(chunks)).toMatchObject({ choices: [{ message: { content: null, tool_calls: calls } }] })
})

function called(id: string, name: string, text: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } }
}

function quirksOf(name: VendorName): OpenAiQuirks {
  const slugs: Partial<Record<VendorName, string>> = { dashscope: 'alibaba', moonshot: 'moonshotai', generic: 'nebius' }
  const vendor = findVendor(slugs[name] ?? name)
  assert(vendor?.protocol === 'openai', `${name} is registered`)
  return vendor.openai
}

/** Vendors may omit cached and reasoning tokens; the sums stay the same. */
function expectedFor(usage: UsageClasses): Partial<UsageClasses> {
  return {
    uncachedInput: counts.prompt - usage.cacheRead,
    textOutput: counts.completion - usage.reasoningOutput,
  }
}

function bodyOf({ steps }: StepsScenario): string {
  return steps.map((step) => (step.do === 'write' && 'text' in step ? step.text : '')).join('')
}

function textOf(scenario: StepsScenario): JsonObject {
  return parseJsonObject(bodyOf(scenario)) ?? {}
}

function framesOf(scenario: StepsScenario): JsonObject[] {
  const frames = bodyOf(scenario).split('\n\n')
  const data = frames.filter((frame) => frame.startsWith('data: {')).map((frame) => parseJsonObject(frame.slice(6)))
  return data.filter((chunk) => chunk !== undefined)
}

function saidIn({ choices }: JsonObject): unknown {
  const list = Array.isArray(choices) ? choices : []
  return list.map((choice) => {
    const text = JSON.stringify(choice, (_key, value: unknown) => (value === null || value === '' ? undefined : value))
    const { index, finish_reason: reason, message } = parseJsonObject(text) ?? {}
    const { content, reasoning, tool_calls: calls } = parseJsonObject(JSON.stringify(message)) ?? {}
    return { index, reason, content, reasoning, calls }
  })
}
