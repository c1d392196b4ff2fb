import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Principal } from '#domain/access/principal.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { holdFor } from '#pipeline/hold-for.ts'
import type { Outcome, Plan, Ticket } from '#pipeline/types.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { keyOf } from '../store/model.ts'
import type { Gateway } from './gateway.ts'

/** One token costs one nano-dollar. */
const simulatedPrice: PriceList = {
  id: '01900000-0000-7000-8000-00000000abcd',
  base: parseUnitPrices({ prompt: '0', completion: '0.000000001' }),
  tiers: [],
}

/** A client's request and its upstream's behaviour, drawn in advance. */
export interface CallScript {
  readonly id: string
  readonly principal: Principal
  readonly heldTokens: number
  /** The usual usage of such a request, which breakers count. */
  readonly expectedTokens: number
  readonly isOpenEnded: boolean
  /** Whether its output can be watched; otherwise an open-ended hold takes more at once. */
  readonly isStreamed: boolean
  /** Output chunks in tokens. */
  readonly chunks: readonly { readonly afterMs: number; readonly tokens: number }[]
  /** The upstream's final count, or null if it breaks off. */
  readonly usedTokens: number | null
  /** The time of the client's disconnect, or null. */
  readonly leavesAfterMs: number | null
}

/** The outcome of a request, as its client and its gateway know it. */
export interface Call {
  readonly id: string
  readonly walletId: string
  readonly keyId: string
  /** The windows that count it. */
  readonly windows: readonly string[]
  readonly limits: ReadonlyMap<string, bigint>
  end: 'open' | 'refused' | 'shown' | 'failed'
  /** The cost of the first outcome to settle, or null while there is none. */
  outcomeCost: bigint | null
  shownCost: bigint | null
}

export function newCall({ id, principal }: CallScript, nowMs: number): Call {
  const windows = limitedWindows(principal, nowMs)
  return {
    id,
    walletId: principal.walletId,
    keyId: principal.keyId,
    windows: windows.map(keyOf),
    limits: new Map(windows.map((window) => [keyOf(window), window.limit])),
    end: 'open',
    outcomeCost: null,
    shownCost: null,
  }
}

/** Serves a request in the process of its gateway: hold, stream, settle, show the cost. */
export async function serveCall(gateway: Gateway, script: CallScript, call: Call): Promise<void> {
  const { process } = gateway
  let ticket: Ticket
  try {
    const { arrival, plan } = arrivalOf(script, process.nowMs)
    ticket = await gateway.hold({ arrival, principal: script.principal, plan, replyHeaders: {} })
  } catch {
    call.end = 'refused'
    return
  }
  let ended: Promise<void> | null = null
  const conclude = (outcome: Outcome, cost: bigint): void => {
    call.outcomeCost ??= cost
    const ending = gateway.settle(ticket, outcome).then(
      (shown) => {
        call.end = 'shown'
        call.shownCost ??= shown
      },
      () => {
        call.end = 'failed'
      },
    )
    ended ??= ending
  }
  const refund = (): void => conclude(refunded, 0n)
  if (script.leavesAfterMs !== null) process.after(script.leavesAfterMs, refund)
  let tokens = 0
  for (const chunk of script.chunks) {
    await new Promise<void>((resolve) => process.after(chunk.afterMs, resolve))
    if (ticket.settlement !== null) break
    tokens += chunk.tokens
    if (script.isStreamed) gateway.extender.watch(ticket, { candidate, tokens }, refund)
  }
  if (ticket.settlement === null) {
    if (script.usedTokens === null) refund()
    else conclude(answered(script.usedTokens), BigInt(script.usedTokens))
  }
  await ended
}

const sample = testTicket()
const [sampleCandidate] = sample.plan.candidates
if (sampleCandidate === undefined) throw new Error('the sample has a candidate')
const candidate: Candidate = { ...sampleCandidate, price: simulatedPrice, maxCompletionTokens: 500 }

function arrivalOf(script: CallScript, nowMs: number): { arrival: Ticket['arrival']; plan: Plan } {
  const { heldTokens, isOpenEnded, isStreamed } = script
  const amountFor = (tokens: number): NanoUsd => holdFor([candidate], sample.plan.call, tokens)
  const growth = { wish: amountFor(500), comfort: isStreamed ? null : amountFor(heldTokens * 2) }
  return {
    arrival: { ...sample.arrival, generationId: script.id, receivedAtMs: nowMs, dialect: chatDialect },
    plan: {
      ...sample.plan,
      candidates: [candidate],
      heldTokens,
      amount: amountFor(heldTokens),
      estimate: amountFor(script.expectedTokens),
      isOpenEnded,
      ...(isOpenEnded ? { growth } : {}),
    },
  }
}

function answered(tokens: number): Outcome {
  const usage = { ...noUsage, textOutput: tokens }
  const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  return { kind: 'answered', candidate, status: 200, answer, cancelled: false }
}

const refunded: Outcome = {
  kind: 'refunded',
  reason: 'stream_interrupted',
  candidate,
  status: null,
  answer: null,
  cancelled: true,
  error: null,
}
