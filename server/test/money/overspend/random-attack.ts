import { type Ask, isCapped } from './ask.ts'
import { type Attack, hasLargerPrompt, mayAbsorb } from './attack.ts'
import type { Greed } from './greed.ts'
import { greedyModels } from './greedy-models.ts'
import { type Limit, limits } from './victim.ts'

type Random = () => number

interface RandomRound {
  readonly limit: Limit
  readonly tried: Attack
}

/** Any request, any greed, any limit, any money. */
export function randomRound(next: Random): RandomRound {
  const limit = pick(next, limits)
  const model = pick(next, greedyModels).id
  // Institution sessions only support chat.
  const isSession = limit === 'session quota' || limit === 'person quota'
  const ask = { ...randomAsk(next, model), ...(isSession ? { dialect: 'chat' as const } : {}) }
  const isOrganization = limit !== 'wallet' && limit !== 'key cap' && limit !== 'monthly key cap'
  // Institution sessions have no own keys.
  const mayOwn = isOrganization && !isSession && model.startsWith('acme/')
  const chance = next()
  const tried: Attack = {
    ask,
    greed: randomGreed(next, model),
    usd: pick(next, ['0.000001', '0.01', '0.05', '0.3', '1']),
    calls: pick(next, [1, 3, 12]),
    isTogether: next() < 0.5,
    ...(chance < 0.15 ? { fails: 'first provider' as const } : {}),
    ...(chance > 0.85 && mayOwn ? { fails: 'own key' as const } : {}),
    ...(ask.stream === true && next() < 0.1 ? { hangsUp: true } : {}),
  }
  return { limit, tried }
}

/** The key for grouping the operator's losses. */
export function kindOf({ tried }: RandomRound): string {
  const { ask, greed } = tried
  const form = ask.stream === true ? 'streams' : 'documents'
  const habits = [
    greed.ignoresCap === true ? 'cap ignored' : 'cap kept',
    hasLargerPrompt(greed, ask) ? 'larger prompt' : 'prompt as expected',
    tried.calls > 1 ? 'at once' : 'one call',
  ]
  return `${isCapped(ask) ? 'capped' : 'uncapped'} ${form}, ${habits.join(', ')}${mayAbsorb(tried) ? '' : ' (nothing may be absorbed)'}`
}

function randomAsk(next: Random, model: string): Ask {
  const dialect = pick(next, ['chat', 'chat', 'messages', 'responses'] as const)
  const cap = pick(next, [null, null, 1, 100, 5_000])
  return {
    dialect,
    model,
    stream: next() < 0.5,
    ...(cap === null ? {} : { cap }),
    ...(dialect === 'chat' && next() < 0.25 ? { choices: pick(next, [2, 5]) } : {}),
    ...(next() < 0.2 ? { thinkingTokens: pick(next, [1_024, 3_000]) } : {}),
    ...(next() < 0.2 ? { hasTools: true } : {}),
    ...(next() < 0.1 ? { hasImage: true } : {}),
    ...(next() < 0.1 ? { medium: pick(next, ['video', 'file'] as const) } : {}),
    ...(model === 'claude/searcher' && next() < 0.7 ? { searches: pick(next, [null, 1, 8]) } : {}),
  }
}

function randomGreed(next: Random, model: string): Greed {
  const canSearch = model.startsWith('sonar/') || model === 'claude/searcher'
  return {
    wants: pick(next, [10, 1_000, 5_000, 20_000]),
    prompt: pick(next, [5, 10, 12, 1_001, 9_000, 990_000]),
    shows: pick(next, ['as-made', 'as-arguments', 'at-once', 'nothing'] as const),
    tellsUsage: pick(next, ['at-end', 'at-end', 'at-end', 'growing', 'never'] as const),
    ignoresCap: next() < 0.1,
    breaksOff: next() < 0.05,
    ...(canSearch && next() < 0.8 ? { searches: pick(next, [1, 60, 400]) } : {}),
    ...(canSearch && next() < 0.5 ? { tokensPerSearch: pick(next, [100, 9_000, 30_000]) } : {}),
    ...(next() < 0.3 ? { countsAs: pick(next, ['reasoning_tokens', 'audio_tokens']) } : {}),
    ...(next() < 0.3 ? { promptCountsAs: pick(next, ['cached_tokens', 'cache_write_tokens', 'audio_tokens']) } : {}),
  }
}

function pick<T>(next: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(next() * choices.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

/** Numbers from 0 to 1 that are the same in every run. */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
