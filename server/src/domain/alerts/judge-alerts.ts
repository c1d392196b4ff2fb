import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What the owner of a wallet wants to hear of. */
export interface AlertRule {
  /** Told once the balance is below each of them. */
  readonly balances: readonly NanoUsd[]
  /** Told once so many percent of a budget are spent. */
  readonly budgetPercents: readonly number[]
}

/** A limit on spend and how much of it is used, in its current window. */
export interface BudgetUse {
  /** As in `domain/limits/scopes.ts`. */
  readonly kind: string
  readonly ownerId: Uuid
  /** Of the organization, team, member or key. */
  readonly name: string
  readonly startsAtMs: number
  readonly limit: NanoUsd
  readonly spent: NanoUsd
}

/** A threshold that was crossed and told. */
export interface ToldAlert {
  readonly kind: string
  readonly ownerId: Uuid
  readonly startsAtMs: number
  /** Nano-USD of a balance, percent of a budget. */
  readonly threshold: bigint
}

interface AlertStanding {
  readonly walletId: Uuid
  /** With the credit line. */
  readonly balance: NanoUsd
  readonly budgets: readonly BudgetUse[]
  readonly told: readonly ToldAlert[]
}

export type Alert =
  | { readonly kind: 'balance'; readonly balance: NanoUsd; readonly below: NanoUsd }
  | { readonly kind: 'budget'; readonly budget: BudgetUse; readonly percent: number }

interface AlertVerdict {
  readonly tell: readonly Alert[]
  /** All thresholds that are crossed now and were not before. */
  readonly crossed: readonly ToldAlert[]
  /** Thresholds that were told and may be crossed again. */
  readonly rearmed: readonly ToldAlert[]
}

/**
 * Each threshold is told once for each crossing. Where several of one kind are crossed at the same time, the furthest
 * one is told and speaks for the others.
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
