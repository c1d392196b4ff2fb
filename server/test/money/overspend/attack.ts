import { type Ask, isCapped } from './ask.ts'
import type { Greed } from './greed.ts'
import type { Limit } from './victim.ts'

/** Calls that come together, and what the upstreams do with them. */
export interface Attack {
  readonly ask: Ask
  readonly greed: Greed
  /** What the limit is at. */
  readonly usd: string
  readonly calls: number
  /** Who fails, so that the next in line answers: the first provider, or the organization's own key. */
  readonly fails?: 'first provider' | 'own key'
  /** Nobody is answered before everybody has a hold or is refused. */
  readonly isTogether?: boolean
  /** How often all of it is repeated, each time with as much credit again. */
  readonly waves?: number
  /** Clients hang up when they have read the first bytes. */
  readonly hangsUp?: boolean
}

export interface Outcome {
  readonly limit: Limit
  /** How the first reply begins, which says why nobody was served. */
  readonly firstText: string
  readonly calls: number
  /** Calls with status 200. */
  readonly served: number
  /** Streams that were cut off because nothing was left, and cost nothing. */
  readonly cutOff: number
  /** In nano-dollars. */
  readonly charged: bigint
  /** What the operator bore. */
  readonly absorbed: bigint
  /** What the operator bore in waves that came after its bound was used up. */
  readonly absorbedBeyondBound: bigint
  /** What was charged beyond the limit. */
  readonly excess: bigint
}

/** What the gateway counts for the words of every ask; an upstream that counts more has surprised it. */
const expectedPromptTokens = 10
/** The most that it expects of one image, and of a medium that only the upstream can count: the context. */
const imageTokens = 16_384
const claudeImageTokens = 4_800
const contextTokens = 1_000_000

/**
 * Whether the operator may have to bear something: the upstream counts a larger prompt than the gateway does, ignores
 * its cap, searches more than is held for, or streams at once for several clients of one limit, who were each told what
 * was left.
 */
export function mayAbsorb({ ask, greed, calls }: Attack): boolean {
  const isTornBetween = !isCapped(ask) && ask.stream === true && calls > 1
  const isBeyondHold = hasLargerPrompt(greed, ask) || isBeyondUsual(ask) || searchesBeyondHold(ask, greed)
  return isBeyondHold || greed.ignoresCap === true || isTornBetween
}

/** Input that usually counts for less than it can. */
function isBeyondUsual({ textBytes, fileBytes }: Ask): boolean {
  return textBytes !== undefined || fileBytes !== undefined
}

/**
 * Whether the upstream counts what no request can have had: it ignores its cap, or counts more than its prompt has
 * bytes. A gateway remembers that of a model.
 */
export function isBeyondCount({ ask, greed }: Attack): boolean {
  const isResearch = ask.model?.includes('deep-research') === true && (greed.searches ?? 0) > researchSearchesMax
  return hasLargerPrompt(greed, ask) || greed.ignoresCap === true || isResearch
}

/** Twice what is held for. */
const researchSearchesMax = 200

/**
 * Claude is told how often it may search, and 10,000 tokens are held for each time. Of a research a hundred searches
 * and as many thousand tokens are held for, of any other call its one fee.
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
