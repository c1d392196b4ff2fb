import type { CanonicalCall, ReasoningWish, Turn } from '#domain/inference/call.ts'
import { countAt, isJsonObject, type JsonObject } from '#lib/json.ts'
import { type AdaptiveThinking, adaptiveThinking, thinkingAsSent } from '#providers/traits/claude-effort.ts'
import type { ClaudeTraits } from '#providers/traits/claude-traits.ts'
import { isReplayable } from './write-block.ts'

/** Plans the model's thinking, and the output cap that leaves room for the answer. */
export function planThinking(call: CanonicalCall, traits: ClaudeTraits, outputTokensDefault: number): ThinkingPlan {
  const maxTokens = call.maxTokens ?? outputTokensDefault
  return traits.thinking === 'adaptive' ? planAdaptive(call, traits, maxTokens) : planBudget(call, maxTokens)
}

export interface ThinkingPlan {
  readonly thinking: JsonObject | null
  /** For models that take an effort. */
  readonly effort: string | null
  readonly maxTokens: number
  readonly isThinking: boolean
  /** Thinking was requested or turned off, and this request cannot have it. */
  readonly isRefused: boolean
}

const withoutThinking = { thinking: null, effort: null, isThinking: false, isRefused: false } as const

function planAdaptive(call: CanonicalCall, traits: ClaudeTraits, maxTokens: number): ThinkingPlan {
  const wanted = wantedThinking(call, traits)
  if (wanted === undefined) return { ...withoutThinking, maxTokens }
  const isThinking = wanted !== null && wanted.thinking.type !== 'disabled'
  if (wanted === null || (isThinking && !mayThink(call))) return { ...withoutThinking, maxTokens, isRefused: true }
  return { ...wanted, maxTokens, isThinking, isRefused: false }
}

/** Undefined leaves thinking to the model. Null means that the option cannot be expressed. */
function wantedThinking(
  { extras: { thinking: asSent }, reasoning }: CanonicalCall,
  traits: ClaudeTraits,
): AdaptiveThinking | null | undefined {
  if (isJsonObject(asSent) && typeof asSent.type === 'string') return thinkingAsSent(asSent, traits)
  if (reasoning === null) return undefined
  const { enabled, effort, budgetTokens } = reasoning
  if (enabled === false || effort === 'none') return thinkingAsSent({ type: 'disabled' }, traits)
  const isWanted = enabled !== undefined || effort !== undefined || budgetTokens !== undefined
  return isWanted ? adaptiveThinking(reasoning) : undefined
}

function planBudget(call: CanonicalCall, maxTokens: number): ThinkingPlan {
  const asSent = call.extras.thinking
  if (isJsonObject(asSent) && isComplete(asSent)) {
    const isThinking = asSent.type !== 'disabled'
    if (isThinking && !mayThink(call)) return { ...withoutThinking, maxTokens, isRefused: true }
    const room = roomBehind(countAt(asSent, 'budget_tokens') ?? 0, maxTokens)
    return { thinking: asSent, effort: null, maxTokens: room, isThinking, isRefused: false }
  }
  const wanted = budgetFor(call.reasoning, maxTokens)
  if (wanted === undefined) return { ...withoutThinking, maxTokens }
  if (wanted === 0) return { ...withoutThinking, thinking: { type: 'disabled' }, maxTokens }
  if (!mayThink(call)) return { ...withoutThinking, maxTokens, isRefused: true }
  const budget = Math.max(budgetTokensMin, wanted)
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    effort: null,
    maxTokens: roomBehind(budget, maxTokens),
    isThinking: true,
    isRefused: false,
  }
}

const budgetTokensMin = 1_024

/**
 * A client that uses this API's own format gets exactly that. Clients of other APIs use the same field with fewer
 * members.
 */
function isComplete(thinking: JsonObject): boolean {
  if (thinking.type === 'enabled') return (countAt(thinking, 'budget_tokens') ?? 0) >= budgetTokensMin
  return typeof thinking.type === 'string'
}

/** Thinking counts against the output cap, which must be larger. */
function roomBehind(budget: number, maxTokens: number): number {
  return maxTokens > budget ? maxTokens : budget + maxTokens
}

/** The share of the output cap for each effort. */
const shares: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 0.1],
  ['low', 0.2],
  ['medium', 0.5],
  ['high', 0.8],
  ['xhigh', 0.95],
  ['max', 0.95],
])
const shareOfUnknownWords = 0.5

/** Undefined leaves the budget to the model; zero turns thinking off. */
function budgetFor(wish: ReasoningWish | null, maxTokens: number): number | undefined {
  if (wish === null) return undefined
  if (wish.enabled === false) return 0
  if (wish.budgetTokens !== undefined) return wish.budgetTokens
  if (wish.effort === undefined && wish.enabled === undefined) return undefined
  const share = shares.get(wish.effort ?? 'medium') ?? shareOfUnknownWords
  return Math.floor(maxTokens * share)
}

/**
 * Thinking cannot be combined with a forced tool, nor with a tool loop that began without it: the loop's first response
 * would have to begin with a signed thought, which a conversation from another vendor does not have.
 */
function mayThink({ toolChoice, turns }: CanonicalCall): boolean {
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool') return false
  const loopStart = turns.findLastIndex(isQuestion) + 1
  const answers = turns.slice(loopStart).filter(({ role }) => role === 'assistant')
  const parts = answers.flatMap((turn) => turn.parts)
  if (!parts.some(({ kind }) => kind === 'tool-call')) return true
  return parts.some(isReplayable)
}

function isQuestion({ role, parts }: Turn): boolean {
  return role === 'user' && !parts.some(({ kind }) => kind === 'tool-result')
}
