import { hash } from 'node:crypto'
import { clientSite } from '#domain/access/client-network.ts'
import type { Principal } from '#domain/access/principal.ts'
import { judgeUnbilled, unbilledAllowance, type UnbilledRules } from '#domain/limits/unbilled.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Unbilled, UnbilledChange } from '#ports/shared-counts.ts'
import type { Arrival, Plan, Ticket } from '../types.ts'

/** Bounds what clients may leave without paying for it, over a day and all at once. */
export interface LimitUnbilled {
  /** Judges a request before its hold, and counts it as under way from then on. */
  before<Input extends Opening>(hold: (input: Input) => Promise<Ticket>): (input: Input) => Promise<Ticket>
  noteOutput(ticket: Ticket, tokens: number): void
  /** The client has left, and nothing is charged. */
  noteLeft(ticket: Ticket, candidate: Candidate | null): void
  notePaid(ticket: Ticket, cost: NanoUsd): void
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
  readonly onLeft: (worth: NanoUsd) => void
  /** A wallet has left more than it may today; told once, when it does. */
  readonly onExceeded: (ticket: Ticket, left: NanoUsd) => void
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
  paid: NanoUsd
}

export function createLimitUnbilled(deps: LimitUnbilledDeps): LimitUnbilled {
  const { unbilled, rules, nowMs } = deps
  const accounts = new WeakMap<Ticket, Account>()

  async function open(opening: Opening): Promise<Account> {
    const { plan } = opening
    const estimate = deps.priceOf(plan.candidates, plan, Math.ceil(plan.heldTokens / heldShare))
    const account = emptyAccount(opening, estimate, nowMs())
    const [wallet, address] = await add(account, { underWay: estimate, sinceMs: account.sinceMs })
    const verdict = judgeUnbilled({ wallet, address, estimate }, rules)
    if (verdict.allowed) return account
    close(account).catch(deps.onError)
    throw refusal(verdict.reason, nowMs())
  }

  function add({ wallet, address }: Account, change: UnbilledChange) {
    return Promise.all([unbilled.add(wallet, change, nowMs()), unbilled.add(address, change, nowMs())])
  }

  function close(account: Account): ReturnType<typeof add> {
    const { estimate, sinceMs, left, paid } = account
    return add(account, { underWay: nanoUsd(-estimate), sinceMs, left, paid })
  }

  return {
    before: (hold) => async (input) => {
      if (!input.plan.isBilled) return hold(input)
      const account = await open(input)
      try {
        const ticket = await hold(input)
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
    notePaid: (ticket, cost) => {
      const account = accounts.get(ticket)
      if (account !== undefined) account.paid = cost
    },
    release: (ticket) => {
      const account = accounts.get(ticket)
      if (account === undefined) return
      accounts.delete(ticket)
      const { left } = account
      close(account)
        .then(([wallet]) => {
          const allowance = unbilledAllowance(wallet, rules)
          if (wallet.left > allowance && wallet.left - left <= allowance) deps.onExceeded(ticket, wallet.left)
        })
        .catch(deps.onError)
    },
  }
}

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
  return { ...subjectsOf(opening), estimate, sinceMs, outputTokens: 0, left: zeroUsd, paid: zeroUsd }
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
