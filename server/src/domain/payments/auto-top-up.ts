import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { nanoPerCent } from './quote-top-up.ts'

/** The automatic top-up rule of a wallet. */
export interface AutoTopUpRule {
  /** A top-up starts below this balance. */
  readonly threshold: NanoUsd
  /** The balance after the top-up. */
  readonly target: NanoUsd
  /** The maximum credit bought automatically per day and per month. */
  readonly dayMax: NanoUsd
  readonly monthMax: NanoUsd
}

/** The wallet's state that the decision needs, at one time. */
export interface WalletStanding {
  readonly balance: NanoUsd
  /** How far the wallet may go below zero. */
  readonly creditLine: NanoUsd
  readonly held: NanoUsd
  /** Credit that is being paid for but not booked yet. */
  readonly underWay: NanoUsd
  /** Credit bought automatically today and this month, including pending orders. */
  readonly boughtToday: NanoUsd
  readonly boughtThisMonth: NanoUsd
  readonly hasOpenAttempt: boolean
  /** A bank has taken back a payment of this wallet, and the dispute is open. */
  readonly isDisputed: boolean
}

/** The minimum and maximum credit that the operator sells at once. */
interface CreditBounds {
  readonly creditMin: NanoUsd
  readonly creditMax: NanoUsd
}

type AutoTopUpVerdict =
  | { readonly isDue: true; readonly credit: NanoUsd }
  | { readonly isDue: false; readonly why: 'open_attempt' | 'enough' | 'disputed' | 'capped' }

/**
 * Whether a wallet is topped up now, and by how much: one charge brings it to the target, rounded up to a cent, as far
 * as the limits and the operator's bounds allow. Nothing is bought below the operator's minimum.
 */
export function judgeAutoTopUp(
  rule: AutoTopUpRule,
  standing: WalletStanding,
  { creditMin, creditMax }: CreditBounds,
): AutoTopUpVerdict {
  if (standing.hasOpenAttempt) return { isDue: false, why: 'open_attempt' }
  const available = standing.balance + standing.creditLine - standing.held + standing.underWay
  if (available >= rule.threshold) return { isDue: false, why: 'enough' }
  if (standing.isDisputed) return { isDue: false, why: 'disputed' }
  const credit = least([
    wholeCents(rule.target - available),
    rule.dayMax - standing.boughtToday,
    rule.monthMax - standing.boughtThisMonth,
    creditMax,
  ])
  return credit < creditMin ? { isDue: false, why: 'capped' } : { isDue: true, credit: nanoUsd(credit) }
}

function wholeCents(amount: bigint): bigint {
  return ((amount + nanoPerCent - 1n) / nanoPerCent) * nanoPerCent
}

function least(amounts: readonly [bigint, ...bigint[]]): bigint {
  return amounts.reduce((smallest, amount) => (amount < smallest ? amount : smallest))
}

const hourMs = 3_600_000
/** The pauses after the first, second and third consecutive failure. */
const pausesMs: readonly number[] = [hourMs, 6 * hourMs, 24 * hourMs]

/** The pause after this many consecutive failures; null if automatic top-up is turned off. */
export function pauseAfter(failures: number): number | null {
  return pausesMs[failures - 1] ?? null
}
