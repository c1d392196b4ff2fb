import { isBoundUsedUp, type UnbilledSums } from '#domain/limits/unbilled.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { SettledCharge } from '#ports/money.ts'
import type { Judged, Ticket } from '../types.ts'
import {
  createUnbilledAccounts,
  type Opening,
  type UnbilledAccount,
  type UnbilledAccountDeps,
} from './unbilled-accounts.ts'

/** Limits the unpaid costs of a wallet and an address, per day and for all running requests. */
export interface LimitUnbilled {
  /** Judges a request before its hold, and counts it as running from then on. */
  before<Input extends Opening>(hold: (input: Input) => Eventually<Ticket>): (input: Input) => Eventually<Ticket>
  noteOutput(ticket: Ticket, tokens: number): void
  /** Called when the client has disconnected and nothing is charged. */
  noteLeft(ticket: Ticket, candidate: Candidate | null): void
  /** Records the charge of a request, and the part of its cost that the operator bears. */
  noteSettled(ticket: Ticket, judged: Judged, settled: SettledCharge): void
  /** Called when the request has ended. Its unpaid cost must have been recorded before. */
  release(ticket: Ticket): void
}

interface LimitUnbilledDeps extends UnbilledAccountDeps {
  /** Checks an upstream's token count for a response that its client did not pay in full. */
  readonly noteInexactCount: (ticket: Ticket, judged: Judged) => void
  readonly onLeft: (worth: NanoUsd) => void
  /** Called once, when a wallet exceeds its daily limit. */
  readonly onExceeded: (ticket: Ticket, sums: UnbilledSums) => void
}

export function createLimitUnbilled(deps: LimitUnbilledDeps): LimitUnbilled {
  const { rules } = deps
  const { open, close } = createUnbilledAccounts(deps)
  const accounts = new WeakMap<Ticket, UnbilledAccount>()

  return {
    before: (hold) => (input) => {
      if (!input.plan.isBilled) return hold(input)
      return onceHere(open(input), ({ account, plan }) => {
        const keep = (ticket: Ticket): Ticket => {
          accounts.set(ticket, account)
          return ticket
        }
        const giveUp = (error: unknown): never => {
          forget(close(account))
          throw error
        }
        try {
          const held = hold(plan === input.plan ? input : { ...input, plan })
          return held instanceof Promise ? held.then(keep, giveUp) : keep(held)
        } catch (error) {
          return giveUp(error)
        }
      })
    },
    noteOutput: (ticket, tokens) => {
      const account = accounts.get(ticket)
      if (account !== undefined) account.outputTokens = tokens
    },
    noteLeft: (ticket, candidate) => {
      const account = accounts.get(ticket)
      // A client that disconnected before any upstream was asked has cost nothing.
      if (account === undefined || candidate === null) return
      account.left = deps.priceOf([candidate], ticket.plan, account.outputTokens)
      // The cost of this input is unknown. Counted as `left`, one abandoned response about a video would block the
      // wallet for the rest of the day.
      account.borne = deps.uncountedOf([candidate], ticket.plan)
      deps.onLeft(account.left)
    },
    noteSettled: (ticket, judged, { cost, absorbed }) => {
      const account = accounts.get(ticket)
      if (account === undefined) return
      account.paid = cost
      account.borne = nanoUsd(account.borne + absorbed + refundedWorth(ticket, judged, account.outputTokens, deps))
      if (absorbed > 0n || judged.usageDoubted) deps.noteInexactCount(ticket, judged)
    },
    release: (ticket) => {
      const account = accounts.get(ticket)
      if (account === undefined) return
      accounts.delete(ticket)
      const { left, borne } = account
      const report = (wallet: UnbilledSums): void => {
        if (!isBoundUsedUp(wallet, rules)) return
        const before = { ...wallet, left: nanoUsd(wallet.left - left), borne: nanoUsd(wallet.borne - borne) }
        if (!isBoundUsedUp(before, rules)) deps.onExceeded(ticket, wallet)
      }
      const closed = close(account)
      if (closed instanceof Promise) forget(closed.then(report))
      else report(closed)
    },
  }

  function forget(closed: unknown): void {
    if (closed instanceof Promise) closed.catch(deps.onError)
  }
}

/** The upstream bills a complete response even if the gateway refunds it for a reason that the client did not cause. */
function refundedWorth(
  { plan }: Ticket,
  { outcome, refundReason }: Judged,
  outputTokens: number,
  { priceOf, uncountedOf }: Pick<UnbilledAccountDeps, 'priceOf' | 'uncountedOf'>,
): NanoUsd {
  const { candidate } = outcome
  if (candidate?.billing !== 'charged' || refundReason === null || !madeForNothing.has(refundReason)) return zeroUsd
  const delivered = outcome.kind === 'answered' ? (outcome.deliveredTokens?.() ?? 0) : 0
  return nanoUsd(priceOf([candidate], plan, Math.max(outputTokens, delivered)) + uncountedOf([candidate], plan))
}

const madeForNothing: ReadonlySet<RefundReason> = new Set(['stream_interrupted', 'no_usage', 'zero_usage'])
