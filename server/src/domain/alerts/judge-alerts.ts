import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The alert thresholds of a wallet's owner. */
export interface AlertRule {
  /** An alert is sent once the balance falls below each of them. */
  readonly balances: readonly NanoUsd[]
  /** An alert is sent once a budget reaches each of these percentages. */
  readonly budgetPercents: readonly number[]
}

/** A spend limit and its usage in the current window. */
export interface BudgetUse {
  /** A kind of `domain/limits/scopes.ts`. */
  readonly kind: string
  readonly ownerId: Uuid
  /** The name of the organization, team, member or key. */
  readonly name: string
  readonly startsAtMs: number
  readonly limit: NanoUsd
  readonly spent: NanoUsd
}

/** A crossed threshold for which an alert was sent. */
export interface ToldAlert {
  readonly kind: string
  readonly ownerId: Uuid
  readonly startsAtMs: number
  /** Nano-USD for a balance, percent for a budget. */
  readonly threshold: bigint
}

interface AlertStanding {
  readonly walletId: Uuid
  /** Includes the credit line. */
  readonly balance: NanoUsd
  readonly budgets: readonly BudgetUse[]
  readonly told: readonly ToldAlert[]
}

export type Alert =
  | { readonly kind: 'balance'; readonly balance: NanoUsd; readonly below: NanoUsd }
  | { readonly kind: 'budget'; readonly budget: BudgetUse; readonly percent: number }

interface AlertVerdict {
  readonly tell: readonly Alert[]
  /** All thresholds that are newly crossed. */
  readonly crossed: readonly ToldAlert[]
  /** Thresholds with a sent alert that can be crossed again. */
  readonly rearmed: readonly ToldAlert[]
}

/**
 * Each threshold sends one alert per crossing. If several thresholds of one kind are crossed at the same time, one
 * alert is sent, for the furthest.
 */
export function judgeAlerts(rule: AlertRule, standing: AlertStanding): AlertVerdict {
  const { walletId, balance, budgets, told } = standing
  const crossedNow = [
    ...rule.balances
      .filter((below) => balance < below)
      .map((below) => ({ kind: 'balance', ownerId: walletId, startsAtMs: 0, threshold: BigInt(below) })),
    ...budgets.flatMap((budget) => crossingsOf(rule, budget)),
  ]
  const crossed = crossedNow.filter((crossing) => !told.some((each) => isSame(each, crossing)))
  const rearmed = told.filter((each) => !crossedNow.some((crossing) => isSame(each, crossing)))
  const lowest = extreme(crossed.filter(({ kind }) => kind === 'balance').map(({ threshold }) => -threshold))
  const tell: Alert[] = rule.balances
    .filter((below) => lowest !== null && below === -lowest)
    .slice(0, 1)
    .map((below) => ({ kind: 'balance', balance, below }))
  for (const budget of budgets) {
    const percent = extreme(crossed.filter((crossing) => isOf(crossing, budget)).map(({ threshold }) => threshold))
    if (percent !== null) tell.push({ kind: 'budget', budget, percent: Number(percent) })
  }
  return { tell, crossed, rearmed }
}

function crossingsOf({ budgetPercents }: AlertRule, budget: BudgetUse): ToldAlert[] {
  const { kind, ownerId, startsAtMs, limit, spent } = budget
  return budgetPercents
    .filter((percent) => BigInt(spent) * 100n >= BigInt(limit) * BigInt(percent))
    .map((percent) => ({ kind, ownerId, startsAtMs, threshold: BigInt(percent) }))
}

function isSame(one: ToldAlert, other: ToldAlert): boolean {
  return isOf(one, other) && one.threshold === other.threshold
}

function isOf(one: ToldAlert, other: Pick<ToldAlert, 'kind' | 'ownerId' | 'startsAtMs'>): boolean {
  return one.kind === other.kind && one.ownerId === other.ownerId && one.startsAtMs === other.startsAtMs
}

function extreme(amounts: readonly bigint[]): bigint | null {
  return amounts.reduce<bigint | null>((most, amount) => (most === null || amount > most ? amount : most), null)
}
