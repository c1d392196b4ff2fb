import type { Attack } from './attack.ts'
import { billedToTheOperator } from './operator-ways.ts'
import type { Limit } from './victim.ts'

/** An attack with a name, over the wallet unless other limits are named. */
export interface Way extends Attack {
  readonly name: string
  readonly limits?: readonly Limit[]
  /** The upstream keeps its word, so that the operator bears no more than the daily limit of one wallet, all at once or not. */
  readonly isWithinBound?: true
  /** Streams outgrow what is there, so that some must be cut off. */
  readonly isCutOff?: true
}

const long = { wants: 50_000 }

/** Those of [B3]. */
const known: readonly Way[] = [
  { name: 'a document without a cap', ask: {}, greed: long, usd: '0.045', calls: 1 },
  {
    name: 'ten documents at once',
    ask: {},
    greed: long,
    usd: '0.45',
    calls: 10,
    limits: [
      'wallet',
      'organization wallet',
      'credit line',
      'key cap',
      'monthly key cap',
      'member budget',
      'team budget',
      'weekly budget',
      'monthly budget',
      'session quota',
    ],
  },
  {
    name: 'a stream whose reasoning is not shown',
    ask: { stream: true },
    greed: { ...long, shows: 'nothing', countsAs: 'reasoning_tokens' },
    usd: '0.012',
    calls: 1,
  },
  {
    name: '20,000 tokens in one frame',
    ask: { stream: true },
    greed: { wants: 20_000, shows: 'at-once' },
    usd: '0.015',
    calls: 1,
  },
  {
    name: 'reasoning that is dearer than the completion',
    ask: { model: 'acme/reasoning', cap: 1_000 },
    greed: { ...long, countsAs: 'reasoning_tokens' },
    usd: '0.25',
    calls: 3,
  },
  {
    name: 'cache writes that are dearer than the prompt',
    ask: { model: 'acme/caching', cap: 10 },
    greed: { wants: 10, prompt: 22_000, promptCountsAs: 'cache_write_tokens' },
    usd: '0.01',
    calls: 2,
  },
]

/** Ways of asking for more. */
const asking: readonly Way[] = [
  { name: 'four choices', ask: { choices: 4 }, greed: long, usd: '0.4', calls: 4, limits: ['wallet', 'key cap'] },
  { name: 'four capped choices', ask: { choices: 4, cap: 500 }, greed: long, usd: '0.05', calls: 8 },
  { name: 'four streamed choices', ask: { choices: 4, stream: true }, greed: { wants: 3_000 }, usd: '0.3', calls: 4 },
  {
    name: 'a tool call in a stream whose arguments never end',
    ask: { stream: true, hasTools: true },
    greed: { ...long, shows: 'as-arguments' },
    usd: '0.05',
    calls: 3,
    isTogether: true,
    isCutOff: true,
  },
  {
    name: 'a tool call in a document with all that fits into its arguments',
    ask: { hasTools: true },
    greed: { ...long, shows: 'as-arguments' },
    usd: '0.2',
    calls: 6,
  },
  {
    name: 'images that count for more than expected',
    ask: { cap: 10, hasImage: true },
    greed: { wants: 10, prompt: 16_000 },
    usd: '0.05',
    calls: 4,
    limits: ['wallet', 'key cap', 'member budget', 'session quota'],
  },
  {
    name: 'room for thinking beyond the cap',
    ask: { model: 'acme/thinker', cap: 100, thinkingTokens: 4_000 },
    greed: { wants: 4_100, countsAs: 'reasoning_tokens', ignoresCap: true },
    usd: '0.1',
    calls: 4,
  },
  {
    name: 'thinking that a Claude model is given room for',
    ask: { model: 'claude/thinker', cap: 100, thinkingTokens: 4_000 },
    greed: { ...long, countsAs: 'reasoning_tokens' },
    usd: '0.1',
    calls: 4,
    limits: ['wallet', 'session quota'],
  },
  {
    name: 'ten streams whose reasoning is hidden',
    ask: { stream: true, model: 'acme/thinker' },
    greed: { ...long, shows: 'nothing', countsAs: 'reasoning_tokens' },
    usd: '0.5',
    calls: 10,
  },
  {
    name: 'streams whose clients hang up',
    ask: { stream: true },
    greed: { wants: 3_000 },
    usd: '0.1',
    calls: 6,
    hangsUp: true,
  },
]

/** Ways of counting it dearly. */
const counting: readonly Way[] = [
  {
    name: 'audio out',
    ask: { model: 'acme/audio', cap: 300 },
    greed: { ...long, countsAs: 'audio_tokens' },
    usd: '0.05',
    calls: 6,
  },
  {
    name: 'audio in',
    ask: { model: 'acme/audio', cap: 3 },
    greed: { wants: 3, promptCountsAs: 'audio_tokens' },
    usd: '0.002',
    calls: 9,
  },
  { name: 'a fee for each request', ask: { model: 'acme/fee', cap: 10 }, greed: long, usd: '0.0085', calls: 10 },
  {
    name: 'a price tier that the prompt crosses',
    ask: { model: 'acme/tiers', cap: 100 },
    greed: { ...long, prompt: 1_001 },
    usd: '0.006',
    calls: 5,
  },
  {
    name: 'cache writes of one hour',
    ask: { dialect: 'messages', model: 'claude/caching', cap: 10 },
    greed: { wants: 10, promptCountsAs: 'cache_write_tokens' },
    usd: '0.001',
    calls: 9,
    limits: ['wallet', 'key cap', 'team budget'],
  },
  {
    name: 'a stream without usage',
    ask: { stream: true },
    greed: { wants: 3_000, tellsUsage: 'never' },
    usd: '0.1',
    calls: 4,
  },
  {
    name: 'a stream with usage in between',
    ask: { stream: true },
    greed: { wants: 8_000, tellsUsage: 'growing' },
    usd: '0.1',
    calls: 4,
    isTogether: true,
    isCutOff: true,
  },
  {
    name: 'a stream that breaks off after it told its usage',
    ask: { stream: true },
    greed: { wants: 8_000, tellsUsage: 'growing', breaksOff: true },
    usd: '0.1',
    calls: 4,
  },
  {
    name: 'an upstream that ignores its cap',
    ask: { cap: 100 },
    greed: { ...long, ignoresCap: true },
    usd: '0.01',
    calls: 4,
  },
  {
    name: 'a stream that ignores its cap',
    ask: { stream: true },
    greed: { ...long, ignoresCap: true },
    usd: '0.05',
    calls: 4,
  },
  {
    name: 'usage beyond belief',
    ask: { cap: 10 },
    greed: { wants: 4_294_967_296, prompt: 4_294_967_296, ignoresCap: true },
    usd: '343',
    calls: 2,
  },
]

/** Ways of having the web searched. */
const searching: readonly Way[] = [
  {
    name: 'searches of Claude without a bound',
    ask: { dialect: 'messages', model: 'claude/searcher', cap: 100, searches: null },
    greed: { ...long, searches: 1_000, tokensPerSearch: 9_990 },
    usd: '0.5',
    calls: 6,
    limits: ['wallet', 'organization wallet', 'key cap', 'member budget', 'monthly budget'],
  },
  {
    name: 'streamed searches of Claude, as many as its client allows',
    ask: { dialect: 'messages', model: 'claude/searcher', cap: 100, searches: 3, stream: true },
    greed: { ...long, searches: 1_000, tokensPerSearch: 9_990 },
    usd: '0.3',
    calls: 6,
    limits: ['wallet', 'team budget'],
  },
  {
    name: 'searches of Claude through chat',
    ask: { model: 'claude/searcher', searches: null, stream: true },
    greed: { wants: 3_000, searches: 1_000, tokensPerSearch: 9_990 },
    usd: '0.8',
    calls: 6,
    limits: ['wallet', 'key cap'],
  },
  {
    name: 'searches of Claude beyond its bound',
    ask: { dialect: 'messages', model: 'claude/searcher', cap: 100, searches: 1 },
    greed: { ...long, searches: 900, ignoresCap: true },
    usd: '0.2',
    calls: 4,
  },
  {
    name: 'the fee of a search before each answer',
    ask: { model: 'sonar/plain', cap: 10 },
    greed: { wants: 10, searches: 1 },
    usd: '0.021',
    calls: 9,
    limits: ['wallet', 'key cap', 'weekly budget', 'session quota'],
  },
  {
    name: 'a research that takes all that is held for it',
    ask: { model: 'sonar/deep-research', cap: 10 },
    greed: { wants: 10, searches: 100, tokensPerSearch: 1_000 },
    usd: '2',
    calls: 5,
    limits: ['wallet', 'member budget'],
  },
  {
    name: 'a research that takes more',
    ask: { model: 'sonar/deep-research', cap: 10, stream: true },
    greed: { wants: 10, searches: 700, tokensPerSearch: 1_000 },
    usd: '2',
    calls: 5,
    limits: ['wallet', 'credit line', 'monthly key cap'],
  },
  {
    name: 'searches beyond belief',
    ask: { model: 'sonar/deep-research', cap: 10 },
    greed: { wants: 10, searches: 1_000_000 },
    usd: '50',
    calls: 2,
  },
]

/** Ways through other doors, other providers and many gateways. */
const routing: readonly Way[] = [
  {
    name: 'Responses without a cap',
    ask: { dialect: 'responses' },
    greed: long,
    usd: '0.2',
    calls: 9,
    limits: ['wallet', 'team budget'],
  },
  {
    name: 'streamed Responses without a cap',
    ask: { dialect: 'responses', stream: true },
    greed: { wants: 6_000 },
    usd: '0.2',
    calls: 9,
    isTogether: true,
    isCutOff: true,
  },
  { name: 'Messages', ask: { dialect: 'messages', cap: 3_000 }, greed: long, usd: '0.1', calls: 9 },
  {
    name: 'streamed Messages of a Claude model',
    ask: { dialect: 'messages', model: 'claude/caching', cap: 3_000, stream: true },
    greed: long,
    usd: '0.1',
    calls: 9,
    limits: ['wallet', 'member budget'],
  },
  {
    name: 'a Claude model without a cap',
    ask: { model: 'claude/caching' },
    greed: long,
    usd: '0.2',
    calls: 6,
  },
  {
    name: 'a provider that fails before a dearer one answers',
    ask: { model: 'acme/dearer-second' },
    greed: long,
    usd: '0.5',
    calls: 6,
    fails: 'first provider',
    limits: ['wallet', 'monthly budget'],
  },
  {
    name: 'the same, streamed',
    ask: { model: 'acme/dearer-second', stream: true },
    greed: { wants: 6_000 },
    usd: '0.5',
    calls: 6,
    fails: 'first provider',
  },
  {
    name: 'an own key that fails before a provider of the platform answers',
    ask: {},
    greed: long,
    usd: '0.2',
    calls: 6,
    fails: 'own key',
    limits: ['organization wallet', 'credit line', 'team budget', 'weekly budget'],
  },
  {
    name: 'the same with streams',
    ask: { stream: true },
    greed: { wants: 6_000 },
    usd: '0.2',
    calls: 6,
    fails: 'own key',
    limits: ['organization wallet'],
    isTogether: true,
    isCutOff: true,
  },
  {
    name: 'thirty streams that grow at once',
    ask: { stream: true },
    greed: { wants: 6_000 },
    usd: '0.6',
    calls: 30,
    limits: ['wallet', 'key cap', 'member budget', 'monthly budget', 'session quota'],
    isTogether: true,
    isCutOff: true,
  },
]

export const ways: readonly Way[] = [...known, ...asking, ...counting, ...billedToTheOperator, ...searching, ...routing]
