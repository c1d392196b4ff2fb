import { type Ask, isCapped } from './ask.ts'
import type { Greed } from './greed.ts'
import type { Limit } from './victim.ts'

/** Concurrent requests, and the behaviour of the upstreams. */
export interface Attack {
  readonly ask: Ask
  readonly greed: Greed
  /** The amount of the limit. */
  readonly usd: string
  readonly calls: number
  /** The party that fails, so that the next in line answers: the first provider, or the organization's own key. */
  readonly fails?: 'first provider' | 'own key'
  /** No request is answered before every one has a hold or is rejected. */
  readonly isTogether?: boolean
  /** The number of repetitions, each with the same credit again. */
  readonly waves?: number
  /** Clients disconnect after the first bytes. */
  readonly hangsUp?: boolean
}

export interface Outcome {
  readonly limit: Limit
  /** The start of the first response, which shows why no request was served. */
  readonly firstText: string
  readonly calls: number
  /** Requests with status 200. */
  readonly served: number
  /** Streams that were cut off because no credit was left, and cost nothing. */
  readonly cutOff: number
  /** In nano-dollars. */
  readonly charged: bigint
  /** The amount that the operator absorbed. */
  readonly absorbed: bigint
  /** The amount that the operator absorbed in waves after the bound was reached. */
  readonly absorbedBeyondBound: bigint
  /** The amount charged beyond the limit. */
  readonly excess: bigint
}

/** The gateway's estimate for the text of every request. If an upstream counts more, the count was unexpected. */
const expectedPromptTokens = 10
/** The gateway's maximum for one image; for a medium that only the upstream can count, the maximum is the context. */
const imageTokens = 16_384
const claudeImageTokens = 4_800
const contextTokens = 1_000_000

/**
 * Whether the operator may have to absorb something: the upstream counts a larger prompt than the gateway, ignores its
 * cap, searches more than the hold covers, or streams concurrently for several clients of one limit, each of which got
 * the same remaining amount as its cap.
 */
export function mayAbsorb({ ask, greed, calls }: Attack): boolean {
  const isTornBetween = !isCapped(ask) && ask.stream === true && calls > 1
  const isBeyondHold = hasLargerPrompt(greed, ask) || isBeyondUsual(ask) || searchesBeyondHold(ask, greed)
  return isBeyondHold || greed.ignoresCap === true || isTornBetween
}

/** Whether the input usually counts less than it can. */
function isBeyondUsual({ textBytes, fileBytes }: Ask): boolean {
  return textBytes !== undefined || fileBytes !== undefined
}

/**
 * Whether the upstream counts more than any request can have used: it ignores its cap, or counts more than the bytes of
 * its prompt. A gateway remembers that per model.
 */
export function isBeyondCount({ ask, greed }: Attack): boolean {
  const isResearch = ask.model?.includes('deep-research') === true && (greed.searches ?? 0) > researchSearchesMax
  return hasLargerPrompt(greed, ask) || greed.ignoresCap === true || isResearch
}

/** Twice the number of searches that the hold covers. */
const researchSearchesMax = 200

/**
 * Claude gets a maximum number of searches, and the hold covers 10,000 tokens for each. For a research model the hold
 * covers a hundred searches and a hundred thousand tokens, for any other request one fee.
 */
function searchesBeyondHold({ model = '', dialect, searches: asked }: Ask, greed: Greed): boolean {
  const { searches = 0, tokensPerSearch = 0 } = greed
  if (searches === 0) return false
  if (model.startsWith('claude/')) return asked === undefined || dialect === 'responses' || tokensPerSearch > 10_000
  return model.includes('deep-research')
    ? searches > 100 || searches * tokensPerSearch > 100_000
    : searches > 1 || tokensPerSearch > 0
}

export function hasLargerPrompt({ prompt = expectedPromptTokens }: Greed, ask: Ask): boolean {
  const { hasImage, medium, model, textBytes, fileBytes } = ask
  if (medium !== undefined || fileBytes !== undefined) return prompt > contextTokens
  if (textBytes !== undefined) return prompt > textBytes * (ask.choices ?? 1)
  const image = model?.startsWith('claude/') === true ? claudeImageTokens : imageTokens
  return prompt > expectedPromptTokens + (hasImage === true ? image : 0)
}
