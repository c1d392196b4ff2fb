import type { Client as Dialect, Heard } from '#test/matrix/clients/client.ts'
import { clients as dialects } from '#test/matrix/clients/clients.ts'
import { type Feature, sampleTools } from '#test/matrix/features.ts'
import { modelOf, type Protocol, protocols, vendorOf } from './record-world.ts'
import {
  cutOff,
  playAnswer,
  playCountingHalf,
  playHalf,
  playRefusal,
  playSilence,
  playUncounted,
  playUnusable,
  type UpstreamWords,
  unusableKinds,
} from './text-plays.ts'
import type { HeardAnswer, RecordCase } from './walk-calls.ts'

/** A request and the upstreams' behaviour, independent of the dialect. */
interface Draft
  extends Pick<RecordCase, 'outcome' | 'model' | 'host' | 'provider' | 'played' | 'before' | 'leaves' | 'ownKey'> {
  readonly feature: Feature
  readonly stream: boolean
  /** The prompt after the mark. */
  readonly words?: string
}

const features = ['text', 'length stop', 'parallel tool calls'] as const satisfies Feature[]

/** Each outcome in every dialect, with every protocol that supports it. */
export function listTextCases(): RecordCase[] {
  const drafts = protocols.flatMap((protocol) => [
    ...features.flatMap((feature) => [whole(protocol, feature, false), whole(protocol, feature, true)]),
    failover(protocol, false),
    failover(protocol, true),
    free(protocol, false),
    free(protocol, true),
    ...refused(protocol),
    ...interrupted(protocol),
  ])
  const all = [...drafts, ...counting(), ...uncounted(), ...ownKeys(), ...testModels()]
  return dialects.flatMap((dialect) => all.map((draft) => inDialect(dialect, draft)))
}

function inDialect(dialect: Dialect, draft: Draft): RecordCase {
  const { feature, stream, words, ...rest } = draft
  const { outcome, model, played } = draft
  return {
    ...rest,
    label: `${dialect.dialect} to ${model}, ${feature}: ${outcome}`,
    request: 'text',
    endpoint: dialect.dialect,
    path: dialect.path,
    body: (mark) => bodyOf(dialect, draft, mark),
    priced,
    hear: (observed) => {
      const heard = dialect.hear(observed)
      return { told: toldTo(heard), understood: isUnderstood(dialect, heard, played?.words.finish ?? null) }
    },
  }
}

// 70 × 2 + 30 × 0.5 + 40 × 10 dollars per million; each cached token saves one and a half.
const priced = { costUsd: 0.000555, savedUsd: 0.000045 }

function bodyOf(dialect: Dialect, { feature, model, stream, words = '' }: Draft, mark: string): object {
  const asked = dialect.ask(feature, feature === 'parallel tool calls' ? sampleTools : [])
  const marked: object = JSON.parse(JSON.stringify(asked).replace('Hello there', `Hello ${mark} ${words}`))
  return { ...marked, model, stream }
}

function toldTo({ usage }: Heard): HeardAnswer['told'] {
  // A message always has counts, but no cost if nothing was counted.
  if (usage === null || Number.isNaN(usage.cost)) return null
  const { input, cached, output, reasoning, cost } = usage
  return { tokens: { prompt: input, cached, completion: output, reasoning }, costUsd: cost }
}

function isUnderstood(dialect: Dialect, { error, finish: heard }: Heard, finish: string | null): boolean {
  if (finish === null) return error !== null
  if (finish !== 'stop' && finish !== 'length' && finish !== 'tool_calls') throw new Error(`unknown: ${finish}`)
  return error === null && heard === dialect.finishWord({ finish })
}

function of(protocol: Protocol): Pick<Draft, 'feature' | 'model' | 'host' | 'provider'> {
  return { feature: 'text', model: modelOf(protocol), host: protocol, provider: vendorOf(protocol) }
}

function whole(protocol: Protocol, feature: Feature, stream: boolean): Draft {
  const played = playAnswer(protocol, feature, stream)
  return { ...of(protocol), outcome: stream ? 'stream' : 'document', feature, stream, played }
}

function failover(protocol: Protocol, stream: boolean): Draft {
  return {
    ...of(protocol),
    outcome: stream ? 'failover stream' : 'failover',
    model: modelOf(protocol, '-twice'),
    stream,
    played: playAnswer(protocol, 'text', stream),
    before: playRefusal('openai', 'failed'),
  }
}

function free(protocol: Protocol, stream: boolean): Draft {
  const model = modelOf(protocol, '-free')
  const played = playAnswer(protocol, 'text', stream)
  return { ...of(protocol), outcome: stream ? 'free stream' : 'free', model, stream, played }
}

function refused(protocol: Protocol): Draft[] {
  const common = { ...of(protocol), stream: false }
  return [
    { ...common, outcome: 'rejected', played: playRefusal(protocol, 'rejected') },
    { ...common, outcome: 'failed', played: playRefusal(protocol, 'failed') },
    { ...common, outcome: 'left early', leaves: 'before the answer', played: playSilence() },
    { ...common, outcome: 'unreachable', model: modelOf(protocol, '-gone'), host: null, played: null },
    ...unusableKinds.map((outcome) => ({ ...common, outcome, played: playUnusable(protocol, outcome) })),
  ]
}

const leaving = { leaves: { after: 'Hel' } }

function interrupted(protocol: Protocol): Draft[] {
  const common = { ...of(protocol), stream: true }
  return [
    { ...common, outcome: 'reset', played: playHalf(protocol, ...cutOff.reset) },
    { ...common, outcome: 'ended early', played: playHalf(protocol, ...cutOff['ended early']) },
    { ...common, ...leaving, outcome: 'left', played: playHalf(protocol, { do: 'stall' }) },
  ]
}

/** Only providers in OpenAI's format send counts in every chunk before the end. */
function counting(): Draft[] {
  const common = { ...of('openai'), stream: true }
  return [
    { ...common, outcome: 'reset while counting', played: playCountingHalf(...cutOff.reset) },
    { ...common, outcome: 'ended while counting', played: playCountingHalf(...cutOff['ended early']) },
    { ...common, ...leaving, outcome: 'left while counting', played: playCountingHalf({ do: 'stall' }) },
  ]
}

function uncounted(): Draft[] {
  const common = { ...of('openai'), stream: false }
  return [
    { ...common, outcome: 'no usage', played: playUncounted(null) },
    { ...common, outcome: 'zero usage', played: playUncounted({ prompt: 0, completion: 0 }) },
  ]
}

/** Own keys support two of the protocols. */
function ownKeys(): Draft[] {
  return (['openai', 'anthropic'] as const).flatMap((ownKey) =>
    [false, true].map((stream) => ({
      ...of(ownKey),
      host: 'own' as const,
      provider: `byok-${ownKey}`,
      outcome: stream ? 'own key stream' : 'own key',
      stream,
      played: playAnswer(ownKey, 'text', stream),
      ownKey,
    })),
  )
}

/** Test models run inside the gateway: only their instructions are known. */
function testModels(): Draft[] {
  return [false, true].map((stream) => ({
    outcome: stream ? 'test model stream' : 'test model',
    feature: 'text' as const,
    stream,
    model: 'test/echo',
    host: null,
    provider: 'test',
    played: { scenario: { kind: 'steps', steps: [] }, words: directed },
    words: '#usage=100,40 #cached=30 #finish=length #delay=20',
  }))
}

const directed: UpstreamWords = {
  status: 200,
  finish: 'length',
  nativeFinish: [null, 'length'],
  tokens: { prompt: 100, cached: 30, completion: 40, reasoning: 0 },
}
