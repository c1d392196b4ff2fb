import { hash } from 'node:crypto'
import { clientSite } from '#domain/access/client-network.ts'
import type { Principal } from '#domain/access/principal.ts'
import { rateRules } from '#domain/limits/rate.ts'
import { judgeUnbilled, type UnbilledRules, type UnbilledSums } from '#domain/limits/unbilled.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import { oncePer } from '#lib/once-per.ts'
import type { Unbilled, UnbilledChange } from '#ports/shared-counts.ts'
import type { Arrival, Plan } from '../types.ts'
import type { OperatorRisk } from './operator-risk.ts'

/** The possible unpaid cost of one request, from its check to its end. */
export interface UnbilledAccount {
  readonly wallet: string
  readonly address: string
  readonly estimate: NanoUsd
  readonly sinceMs: number
  /** The amount reserved for the operator's risk; zero if the hold covers it. */
  risk: NanoUsd
  outputTokens: number
  /**
   * The unpaid amounts of the request. They are reported when it ends, so that the store gets one message instead of
   * two.
   */
  left: NanoUsd
  borne: NanoUsd
  paid: NanoUsd
}

interface UnbilledAccounts {
  /** Judges a request, and counts it as running from then on. The plan may get a larger hold. */
  open(opening: Opening): Eventually<Opened>
  /** The request has ended. Returns the sums of its wallet. */
  close(account: UnbilledAccount): Eventually<UnbilledSums>
}

interface Opened {
  readonly account: UnbilledAccount
  readonly plan: Plan
}

export interface Opening {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly plan: Plan
}

export interface UnbilledAccountDeps {
  readonly unbilled: Unbilled
  readonly rules: UnbilledRules
  /** List price of a request's prompt and this much output; for media, of the ordered output. */
  readonly priceOf: (candidates: readonly Candidate[], plan: Plan, outputTokens: number) => NanoUsd
  /** The possible cost of the prompt beyond `priceOf`, because only the upstream can count it. */
  readonly uncountedOf: (candidates: readonly Candidate[], plan: Plan) => NanoUsd
  readonly riskOf: (plan: Plan) => OperatorRisk
  /** The same plan with the model's maximum cost reserved. */
  readonly reserveMost: (plan: Plan) => Plan
  readonly onError: (error: unknown) => void
  readonly nowMs: () => number
}

type SumsOfBoth = readonly [wallet: UnbilledSums, address: UnbilledSums]

interface Asked {
  readonly account: UnbilledAccount
  readonly risk: OperatorRisk
  readonly isUncounted: boolean
}

/** Responses usually use a quarter of their hold. */
const heldShare = 4

const dayMs = 86_400_000
const retryAfterMaxS = 900
const retryUnderWayS = 5

export function createUnbilledAccounts(deps: UnbilledAccountDeps): UnbilledAccounts {
  const { unbilled, rules, nowMs } = deps

  function open(opening: Opening): Eventually<Opened> {
    const { plan } = opening
    const risk = deps.riskOf(plan)
    const uncounted = deps.uncountedOf(plan.candidates, plan)
    const usual = deps.priceOf(plan.candidates, plan, Math.ceil(plan.heldTokens / heldShare))
    const estimate = nanoUsd(usual + uncounted)
    const account = newAccount(opening, { estimate, risk: risk.amount, sinceMs: nowMs() })
    const judge = (sums: SumsOfBoth): Opened => {
      const plan = judged(opening, { account, risk, isUncounted: uncounted > 0n }, sums)
      return { account, plan }
    }
    return onceHere(add(account, { underWay: estimate, atRisk: risk.amount, sinceMs: account.sinceMs }), judge)
  }

  /** The plan of an allowed request, with the hold that it needs. */
  function judged({ plan, principal }: Opening, asked: Asked, [wallet, address]: SumsOfBoth): Plan {
    const { account, risk, isUncounted } = asked
    const isFunded = principal.balance >= rateRules.fundedFromNano
    const verdict = judgeUnbilled({ wallet, address, estimate: account.estimate, isFunded, isUncounted }, rules)
    if (!verdict.allowed) {
      unheard(close(account))
      throw refusal(verdict.reason, nowMs())
    }
    if (verdict.reserves === 'usual') return plan
    // The hold covers the risk instead.
    account.risk = zeroUsd
    const passed = { atRisk: nanoUsd(-risk.amount), sinceMs: account.sinceMs }
    if (risk.amount > 0n) unheard(add(account, passed))
    return verdict.reserves === 'most' ? deps.reserveMost(plan) : risk.covered()
  }

  function add({ wallet, address }: UnbilledAccount, change: UnbilledChange): Eventually<SumsOfBoth> {
    const ofWallet = unbilled.add(wallet, change, nowMs())
    const ofAddress = unbilled.add(address, change, nowMs())
    if (ofWallet instanceof Promise || ofAddress instanceof Promise) return Promise.all([ofWallet, ofAddress])
    return [ofWallet, ofAddress]
  }

  function close(account: UnbilledAccount): Eventually<UnbilledSums> {
    const { estimate, risk, sinceMs, left, borne, paid } = account
    const change = { underWay: nanoUsd(-estimate), atRisk: nanoUsd(-risk), sinceMs, left, borne, paid }
    return onceHere(add(account, change), ([wallet]) => wallet)
  }

  function unheard(sums: unknown): void {
    if (sums instanceof Promise) sums.catch(deps.onError)
  }

  return { open, close }
}

function refusal(reason: 'left' | 'under way', nowMs: number): GatewayError {
  if (reason === 'under way') {
    return new GatewayError('rateLimited', {
      message: `Too many requests are in progress for what this account has paid so far. Let some finish, then retry in ${retryUnderWayS} seconds.`,
      inside: 'estimated cost of in-flight requests',
      retryAfterS: retryUnderWayS,
    })
  }
  const retryAfterS = Math.min(retryAfterMaxS, Math.ceil((dayMs - (nowMs % dayMs)) / 1_000))
  return new GatewayError('penaltyBlocked', {
    message: `A temporary restriction is in place because too many responses were abandoned before they could be billed. Read responses to the end, and retry in ${retryAfterS} seconds.`,
    inside: 'daily limit of unbilled responses',
    retryAfterS,
  })
}

function newAccount(
  { arrival, principal }: Opening,
  { estimate, risk, sinceMs }: Pick<UnbilledAccount, 'estimate' | 'risk' | 'sinceMs'>,
): UnbilledAccount {
  return {
    wallet: walletSubject(principal),
    address: digest(`address ${clientSite(arrival.clientIp)}`),
    estimate,
    risk,
    sinceMs,
    outputTokens: 0,
    left: zeroUsd,
    borne: zeroUsd,
    paid: zeroUsd,
  }
}

const walletSubject = oncePer(({ walletId }: Principal) => digest(`wallet ${walletId}`))

function digest(subject: string): string {
  return hash('sha256', subject)
}
