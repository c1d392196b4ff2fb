import type { Way } from './way.ts'

const long = { wants: 50_000 }

/** C3: caps in a form that the upstream does not read. */
const naming: readonly Way[] = [
  { name: 'a document', stream: false },
  { name: 'a stream', stream: true },
].flatMap(({ name, stream }) => [
  {
    name: `${name} with a cap under a name that its upstream does not know`,
    ask: { stream, cap: 1, capName: 'max_completion_tokens' },
    greed: { wants: 20_000, knowsCap: 'max_tokens' },
    usd: '0.01',
    calls: 6,
    limits: ['wallet', 'key cap'],
  },
  {
    name: `${name} of a reasoning model with the older name of a cap`,
    ask: { stream, cap: 1, capName: 'max_tokens', model: 'acme/gpt-5-greedy' },
    greed: { wants: 20_000, knowsCap: 'max_completion_tokens' },
    usd: '0.01',
    calls: 6,
  },
])

/** C4: output that only the upstream can count. */
const showing: readonly Way[] = (
  [
    ['video', 'chat', 'acme/plain'],
    ['video', 'chat', 'acme/audio'],
    ['video', 'responses', 'acme/plain'],
    ['file', 'responses', 'acme/tiers'],
    ['file', 'messages', 'claude/caching'],
  ] as const
).map(([medium, dialect, model]) => ({
  name: `a ${medium} that fills the context, in ${dialect} to ${model}`,
  ask: { medium, dialect, model, cap: 10 },
  greed: { wants: 10, prompt: 1_000_000, ...(model === 'acme/audio' ? { promptCountsAs: 'audio_tokens' } : {}) },
  usd: '100',
  calls: 200,
  isTogether: true,
  limits: ['wallet', 'key cap'],
}))

/** Repeated attacks on the operator's money: the bound on the absorbed amount ends them. */
const draining: readonly Way[] = [
  {
    name: 'documents that ignore their cap, wave after wave',
    ask: { cap: 100 },
    greed: { ...long, ignoresCap: true },
    usd: '2',
    calls: 6,
    waves: 4,
  },
  {
    name: 'streams that ignore their cap, wave after wave',
    ask: { cap: 100, stream: true },
    greed: { ...long, ignoresCap: true },
    usd: '2',
    calls: 6,
    waves: 4,
  },
  {
    name: 'prompts that count for more than expected, wave after wave',
    ask: { cap: 10 },
    greed: { wants: 10, prompt: 900_000 },
    usd: '2',
    calls: 6,
    waves: 4,
  },
  {
    name: 'searches beyond their bound, wave after wave',
    ask: { model: 'sonar/deep-research', cap: 10 },
    greed: { wants: 10, searches: 700, tokensPerSearch: 1_000 },
    usd: '5',
    calls: 5,
    waves: 3,
  },
]

/** Bursts of input that usually counts less: the maximum is reserved before any dispatch. */
const bursting: readonly Way[] = [
  {
    name: 'text with a token for each byte, in a burst',
    ask: { cap: 10, textBytes: 40_000 },
    greed: { wants: 10, prompt: 40_000 },
    usd: '1',
    calls: 200,
    isTogether: true,
    isWithinBound: true,
    limits: ['wallet', 'key cap'],
  },
  {
    name: 'eight choices that count their prompt each, in a burst',
    ask: { cap: 10, textBytes: 40_000, choices: 8 },
    greed: { wants: 10, prompt: 320_000 },
    usd: '1',
    calls: 100,
    isTogether: true,
    isWithinBound: true,
  },
  {
    name: 'files that expand to the context, in a burst',
    ask: { cap: 10, fileBytes: 3_000 },
    greed: { wants: 10, prompt: 900_000 },
    usd: '2',
    calls: 200,
    isTogether: true,
    isWithinBound: true,
    limits: ['wallet', 'member budget'],
  },
]

/** Attacks that make the operator pay for uncharged output. */
export const billedToTheOperator: readonly Way[] = [...naming, ...showing, ...bursting, ...draining]
