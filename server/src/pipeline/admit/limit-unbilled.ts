import { hash } from 'node:crypto'
import { clientSite } from '#domain/access/client-network.ts'
import type { Principal } from '#domain/access/principal.ts'
import { isBoundUsedUp, judgeUnbilled, type UnbilledRules, type UnbilledSums } from '#domain/limits/unbilled.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { SettledCharge } from '#ports/money.ts'
import type { Unbilled, UnbilledChange } from '#ports/shared-counts.ts'
import type { Arrival, Judged, Plan, Ticket } from '../types.ts'

/** Limits the unpaid costs of a wallet and an address, per day and for all running requests. */
export interface LimitUnbilled {
  /** Judges a request before its hold, and counts it as under way from then on. */
  before<Input extends Opening>(hold: (input: Input) => Promise<Ticket>): (input: Input) => Promise<Ticket>
  noteOutput(ticket: Ticket, tokens: number): void
  /** The client has left, and nothing is charged. */
  noteLeft(ticket: Ticket, candidate: Candidate | null): void
  /** The charge of a request, and the part of its cost that the operator pays. */
  noteSettled(ticket: Ticket, judged: Judged, settled: SettledCharge): void
  /** The request is no longer under way. Before that, whatever it left must have been noted. */
  release(ticket: Ticket): void
}

export interface Opening {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly plan: Plan
}

export interface LimitUnbilledDeps {
  readonly unbilled: Unbilled
  readonly rules: UnbilledRules
  /** List price of a call's prompt and so much output; for media, of what was ordered. */
  readonly priceOf: (candidates: readonly Candidate[], plan: Plan, outputTokens: number) => NanoUsd
  /** The same plan with the model's maximum cost reserved. */
  readonly reserveMost: (plan: Plan) => Plan
  readonly onLeft: (worth: NanoUsd) => void
  /** Called once, when a wallet exceeds its daily limit. */
  readonly onExceeded: (ticket: Ticket, sums: UnbilledSums) => void
  readonly onError: (error: unknown) => void
  readonly nowMs: () => number
}

/** Answers use a quarter of what is held for them, as a rule. */
const heldShare = 4

const dayMs = 86_400_000
const retryAfterMaxS = 900
const retryUnderWayS = 5

interface Account {
  readonly wallet: string
  readonly address: string
  readonly estimate: NanoUsd
  readonly sinceMs: number
  outputTokens: number
  /** What the request came to; told with its end, so that it costs the store one message and not two. */
  left: NanoUsd
  borne: NanoUsd
  paid: NanoUsd
}

interface Opened {
  readonly account: Account
  readonly reserves: 'usual' | 'most'
}

export function createLimitUnbilled(deps: LimitUnbilledDeps): LimitUnbilled {
  const { unbilled, rules, nowMs } = deps
  const accounts = new WeakMap<Ticket, Account>()

  async function open(opening: Opening): Promise<Opened> {
    const { plan } = opening
    const estimate = deps.priceOf(plan.candidates, plan, Math.ceil(plan.heldTokens / heldShare))
    const account = emptyAccount(opening, estimate, nowMs())
    const [wallet, address] = await add(account, { underWay: estimate, sinceMs: account.sinceMs })
    const verdict = judgeUnbilled({ wallet, address, estimate }, rules)
    if (verdict.allowed) return { account, reserves: verdict.reserves }
    close(account).catch(deps.onError)
    throw refusal(verdict.reason, nowMs())
  }

  function add({ wallet, address }: Account, change: UnbilledChange) {
    return Promise.all([unbilled.add(wallet, change, nowMs()), unbilled.add(address, change, nowMs())])
  }

  function close(account: Account): ReturnType<typeof add> {
    const { estimate, sinceMs, left, borne, paid } = account
    return add(account, { underWay: nanoUsd(-estimate), sinceMs, left, borne, paid })
  }

  return {
    before: (hold) => async (input) => {
      if (!input.plan.isBilled) return hold(input)
      const { account, reserves } = await open(input)
      try {
        const ticket = await hold(reserves === 'most' ? { ...input, plan: deps.reserveMost(input.plan) } : input)
        accounts.set(ticket, account)
        return ticket
      } catch (error) {
        close(account).catch(deps.onError)
        throw error
      }
    },
    noteOutput: (ticket, tokens) => {
      const account = accounts.get(ticket)
      if (account !== undefined) account.outputTokens = tokens
    },
    noteLeft: (ticket, candidate) => {
      const account = accounts.get(ticket)
      // A client that left before any upstream was asked has cost nothing.
      if (account === undefined || candidate === null) return
      account.left = deps.priceOf([candidate], ticket.plan, account.outputTokens)
      deps.onLeft(account.left)
    },
    noteSettled: (ticket, judged, { cost, absorbed }) => {
      const account = accounts.get(ticket)
      if (account === undefined) return
      account.paid = cost
      account.borne = nanoUsd(absorbed + refundedWorth(ticket, judged, { ...account, priceOf: deps.priceOf }))
    },
    release: (ticket) => {
      const account = accounts.get(ticket)
      if (account === undefined) return
      accounts.delete(ticket)
      const { left, borne } = account
      close(account)
        .then(([wallet]) => {
          const before = { ...wallet, left: nanoUsd(wallet.left - left), borne: nanoUsd(wallet.borne - borne) }
          if (isBoundUsedUp(wallet, rules) && !isBoundUsedUp(before, rules)) deps.onExceeded(ticket, wallet)
        })
        .catch(deps.onError)
    },
  }
}

/** The upstream bills for a complete answer even if the gateway refunds it without the client's doing. */
function refundedWorth(
  { plan }: Ticket,
  { outcome, refundReason }: Judged,
  { outputTokens, priceOf }: Pick<Account, 'outputTokens'> & Pick<LimitUnbilledDeps, 'priceOf'>,
): NanoUsd {
  const { candidate } = outcome
  if (candidate?.billing !== 'charged' || refundReason === null || !madeForNothing.has(refundReason)) return zeroUsd
  const delivered = outcome.kind === 'answered' ? (outcome.deliveredTokens?.() ?? 0) : 0
  return priceOf([candidate], plan, Math.max(outputTokens, delivered))
}

const madeForNothing: ReadonlySet<RefundReason> = new Set(['stream_interrupted', 'no_usage', 'zero_usage'])

function refusal(reason: 'left' | 'under way', nowMs: number): GatewayError {
  if (reason === 'under way') {
    return new GatewayError('rateLimited', {
      message: `Too much is under way at once for what was paid so far. Please try again in ${retryUnderWayS} seconds.`,
      inside: 'estimates of requests under way',
      retryAfterS: retryUnderWayS,
    })
  }
  const retryAfterS = Math.min(retryAfterMaxS, Math.ceil((dayMs - (nowMs % dayMs)) / 1_000))
  return new GatewayError('penaltyBlocked', {
    message: `A temporary restriction is in place, because too many answers were left before they could be billed. Please try again in ${retryAfterS} seconds.`,
    inside: 'unbilled answers of a day',
    retryAfterS,
  })
}

function emptyAccount(opening: Opening, estimate: NanoUsd, sinceMs: number): Account {
  return { ...subjectsOf(opening), estimate, sinceMs, outputTokens: 0, left: zeroUsd, borne: zeroUsd, paid: zeroUsd }
}

function subjectsOf({ arrival, principal }: Opening): Pick<Account, 'wallet' | 'address'> {
  return {
    wallet: digest(`wallet ${principal.walletId}`),
    address: digest(`address ${clientSite(arrival.clientIp)}`),
  }
}

function digest(subject: string): string {
  return hash('sha256', subject)
}
