import { type Feature, sampleTokens } from '#test/matrix/features.ts'
import { upstreams } from '#test/matrix/upstreams/upstreams.ts'
import type { Upstream } from '#test/matrix/upstreams/upstream.ts'
import type { JsonObject } from '#test/simulators/json-value.ts'
import { anthropicError } from '#test/simulators/protocols/anthropic/anthropic-error.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import { geminiRefusal } from '#test/simulators/protocols/gemini/gemini-refusal.ts'
import type { Step, StepsScenario } from '#test/simulators/scenario.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import type { Protocol } from './record-world.ts'

/** Short, but longer than the resolution of any clock, so that it is measurable. */
const pause: Step = { do: 'wait', delayMs: 20 }

/** An upstream's response in its own words, with its own counts. */
export interface UpstreamWords {
  readonly status: number
  readonly finish: string | null
  /** One of these words is stored. */
  readonly nativeFinish: readonly (string | null)[]
  readonly tokens: Tokens | null
}

export interface Tokens {
  readonly prompt: number
  readonly cached: number
  readonly completion: number
  readonly reasoning: number
}

export interface Played {
  readonly scenario: StepsScenario
  readonly words: UpstreamWords
}

/** A complete response, with a pause before it, and another in the middle of a stream. */
export function playAnswer(protocol: Protocol, feature: Feature, stream: boolean): Played {
  const upstream = upstreamOf(protocol)
  const scenario = upstream.play(feature, stream)
  const { finish } = upstream.said(feature)
  const tokens = { ...sampleTokens, reasoning: upstream.countsReasoning ? sampleTokens.reasoning : 0 }
  const words = { status: 200, finish, nativeFinish: nativeWords[protocol](finish), tokens }
  return { scenario: stream ? pausedStream(scenario) : late(scenario), words }
}

/** The first half of a stream with an abnormal end. */
export function playHalf(protocol: Protocol, ...ending: Step[]): Played {
  return half(upstreamOf(protocol).play('text', true), ending)
}

/** The same for an upstream that counts its tokens in every chunk. */
export function playCountingHalf(...ending: Step[]): Played {
  return half(faults.cumulativeUsage({ pieces: ['Hel', 'lo'], usage: { prompt: 100, completion: 40 } }), ending)
}

function half(scenario: StepsScenario, ending: readonly Step[]): Played {
  const { head, first } = halvesOf(scenario)
  return { scenario: { ...scenario, steps: [...head, pause, ...first, ...ending] }, words: only(200) }
}

export const cutOff: Readonly<Record<'reset' | 'ended early', readonly Step[]>> = {
  reset: [pause, { do: 'reset' }],
  'ended early': [pause, { do: 'end' }],
}

/** A complete response of an OpenAI-compatible upstream that counted zero, or did not count. */
export function playUncounted(usage: null | { prompt: 0; completion: 0 }): Played {
  const scenario = vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage })
  return { scenario: late(scenario), words: { ...only(200), finish: 'stop', nativeFinish: nativeWords.openai('stop') } }
}

export function playRefusal(protocol: Protocol, kind: 'rejected' | 'failed'): Played {
  const scenario = refusals[kind][protocol]
  const head = scenario.steps.find((step) => step.do === 'head')
  return { scenario: late(scenario), words: only(head?.status ?? 0) }
}

/** Sends nothing for as long as the gateway waits. */
export function playSilence(): Played {
  return { scenario: { kind: 'steps', steps: [{ do: 'stall' }] }, words: only(0) }
}

/** Status 200 with unusable content. */
export function playUnusable(protocol: Protocol, kind: keyof typeof unusable): Played {
  return { scenario: late(unusable[kind](protocol)), words: only(200) }
}

export const only = (status: number): UpstreamWords => ({ status, finish: null, nativeFinish: [null], tokens: null })

const refusals: Readonly<Record<'rejected' | 'failed', Record<Protocol, StepsScenario>>> = {
  rejected: {
    openai: vendorError('openai', 'context-too-long'),
    anthropic: anthropicError('context-too-long'),
    gemini: geminiRefusal('context-too-long'),
    bedrock: bedrockRefusal({
      status: 400,
      type: 'ValidationException',
      message: 'Input is too long for requested model.',
    }),
  },
  failed: {
    openai: faults.serverError(503),
    anthropic: anthropicError('overloaded'),
    gemini: geminiRefusal('overloaded'),
    bedrock: bedrockRefusal({ status: 503, type: 'ServiceUnavailableException', message: 'Unable to process' }),
  },
}

const errorBodies: Readonly<Record<Protocol, JsonObject>> = {
  openai: { error: { message: 'The model is not available.', type: 'server_error', param: null, code: null } },
  anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  gemini: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  bedrock: { __type: 'ServiceUnavailableException', message: 'Unable to process' },
}

const silentBodies: Readonly<Record<Protocol, JsonObject>> = {
  openai: { id: 'chatcmpl-1', object: 'chat.completion', choices: [] },
  anthropic: {},
  gemini: { candidates: [] },
  bedrock: { output: {} },
}

export const unusableKinds = [
  'empty',
  'broken',
  'error in a 200',
  'nothing said',
  'half a stream',
  'error in a stream',
] as const

const unusable: Readonly<Record<(typeof unusableKinds)[number], (protocol: Protocol) => StepsScenario>> = {
  empty: () => withBody(''),
  broken: (protocol) => {
    const whole = textIn(upstreamOf(protocol).play('text', false))
    return withBody(whole.slice(0, whole.length / 2))
  },
  'error in a 200': (protocol) => jsonAnswer(200, errorBodies[protocol]),
  'nothing said': (protocol) => jsonAnswer(200, silentBodies[protocol]),
  // Some upstreams always respond with a stream.
  'half a stream': (protocol) => {
    const scenario = upstreamOf(protocol).play('text', true)
    const { head, first } = halvesOf(scenario)
    return { ...scenario, steps: [...head, ...first, { do: 'end' }] }
  },
  'error in a stream': (protocol) => upstreamOf(protocol).play('mid-stream error', true),
}

function withBody(text: string): StepsScenario {
  const headers = { 'content-type': 'application/json' }
  return { kind: 'steps', steps: [{ do: 'head', status: 200, headers }, { do: 'write', text }, { do: 'end' }] }
}

function textIn({ steps }: StepsScenario): string {
  return steps.map((step) => (step.do === 'write' ? step.text : '')).join('')
}

/** The finish reasons of each vendor. An upstream in OpenAI's format has no native word, or the same as ours. */
const nativeWords: Readonly<Record<Protocol, (finish: string) => (string | null)[]>> = {
  openai: (finish) => [null, finish],
  anthropic: (finish) => [claudeWords[finish] ?? ''],
  gemini: (finish) => [finish === 'length' ? 'MAX_TOKENS' : 'STOP'],
  bedrock: (finish) => [claudeWords[finish] ?? ''],
}
const claudeWords: Readonly<Record<string, string>> = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }

function upstreamOf(protocol: Protocol): Upstream {
  const found = upstreams.find((upstream) => upstream.protocol === protocol)
  if (found === undefined) throw new Error(`nobody speaks ${protocol}`)
  return found
}

export function late({ steps, ...rest }: StepsScenario): StepsScenario {
  return { ...rest, steps: [pause, ...steps] }
}

function pausedStream(scenario: StepsScenario): StepsScenario {
  const { head, first, second } = halvesOf(scenario)
  return { ...scenario, steps: [...head, pause, ...first, pause, ...second] }
}

/** Both halves of the body have content. */
function halvesOf({ steps }: StepsScenario): { head: Step[]; first: Step[]; second: Step[] } {
  const [head = { do: 'end' }, ...body] = steps
  const middle = Math.floor(body.length / 2)
  return { head: [head], first: body.slice(0, middle), second: body.slice(middle) }
}
