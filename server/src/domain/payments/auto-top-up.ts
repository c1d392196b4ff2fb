import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { nanoPerCent } from './quote-top-up.ts'

/** When a wallet is topped up by itself, and how far. */
export interface AutoTopUpRule {
  /** Below it the wallet is topped up. */
  readonly threshold: NanoUsd
  /** What it has afterwards. */
  readonly target: NanoUsd
  /** The most credit that is bought by itself in a day and in a month. */
  readonly dayMax: NanoUsd
  readonly monthMax: NanoUsd
}

/** All that the decision needs to know of a wallet, at one moment. */
export interface WalletStanding {
  readonly balance: NanoUsd
  /** How far the wallet may go below zero. */
  readonly creditLine: NanoUsd
  readonly held: NanoUsd
  /** Credit that is being paid for and not booked yet. */
  readonly underWay: NanoUsd
  /** Credit that was bought by itself this day and this month, or is being bought. */
  readonly boughtToday: NanoUsd
  readonly boughtThisMonth: NanoUsd
  readonly hasOpenAttempt: boolean
  /** A bank has taken a payment of this wallet back, and the dispute is not decided yet. */
  readonly isDisputed: boolean
}

/** The least and the most credit that the operator sells at once. */
interface CreditBounds {
  readonly creditMin: NanoUsd
  readonly creditMax: NanoUsd
}

type AutoTopUpVerdict =
  | { readonly isDue: true; readonly credit: NanoUsd }
  | { readonly isDue: false; readonly why: 'open_attempt' | 'enough' | 'disputed' | 'capped' }

/**
 * Whether a wallet is topped up now, and with how much: one charge brings it to the target, rounded up to a cent, as
 * far as the caps and the operator's bounds allow. Less than the operator sells is not bought.
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
/** How long no card is charged after the first, second and third failure in a row. */
const pausesMs: readonly number[] = [hourMs, 6 * hourMs, 24 * hourMs]

/** When a wallet is looked at again after so many failures in a row; null: it is switched off. */
export function pauseAfter(failures: number): number | null {
  return pausesMs[failures - 1] ?? null
}
