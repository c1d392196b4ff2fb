import { externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import { type NanoUsd, nanoPerUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { Uuid } from '#lib/uuid.ts'
import { parseRunRules, type RuledRun, type RunRules } from './run-rules.ts'

/** The maximum number of runs in one line of descent: a run, its parent, and so on. */
export const runDepthMax = 8

/** The terms by which a request of a run is judged. */
export interface RunTerms {
  readonly id: Uuid
  readonly externalId: string
  /** The run itself, its parent, and so on up to the first run. */
  readonly path: readonly Uuid[]
  /** The client's id of the parent. */
  readonly parent: string | null
  readonly budget: NanoUsd | null
  /** The budgets of the run and of the runs above it. */
  readonly budgets: readonly RunBudget[]
  readonly stop: RunStop | null
  readonly ownRules: RunRules
  /** The rules of the run and of the runs above it. Empty if none has any. */
  readonly rules: readonly RuledRun[]
}

export interface RunBudget {
  readonly runId: Uuid
  readonly limit: NanoUsd
}

/** Why a run accepts no more requests. */
export interface RunStop {
  readonly reason: string | null
}

/**
 * The headers of a request about its run. A null value means that the request does not state it, so the run keeps its
 * own.
 */
export interface NamedRun {
  readonly id: string
  readonly budget: NanoUsd | null
  readonly parent: string | null
  readonly rules: RunRules | null
}

/** The headers that name a run, as they were sent. */
export interface SentRun {
  readonly run?: string | undefined
  readonly runBudget?: string | undefined
  readonly parentRun?: string | undefined
  readonly runRules?: string | undefined
}

/** Null if the headers name no run. */
export function parseRun({ run, runBudget, parentRun, runRules }: SentRun): NamedRun | null {
  if (run === undefined) {
    if (runBudget === undefined && parentRun === undefined && runRules === undefined) return null
    throw malformed('X-Weir-Run-Budget, X-Weir-Parent-Run and X-Weir-Run-Rules need X-Weir-Run, the id of the run.')
  }
  const id = runIdOf(run.trim(), 'The X-Weir-Run header')
  const parent = parentRun === undefined ? null : runIdOf(parentRun.trim(), 'The X-Weir-Parent-Run header')
  if (parent === id) throw malformed('A run cannot be its own parent.')
  const budget = runBudget === undefined ? null : runBudgetOf(runBudget.trim(), 'The X-Weir-Run-Budget header')
  return { id, budget, parent, rules: runRules === undefined ? null : parseRunRules(runRules) }
}

export function runIdOf(text: string, place: string): string {
  if (isExternalId(text)) return text
  throw malformed(`${place} must be the id of a run: ${externalIdRule}.`)
}

const budgetForm = /^(\d{1,9})(?:\.(\d{1,9}))?$/

/** Exact: an amount with more than nine decimals is refused instead of rounded. */
export function runBudgetOf(text: string, place: string): NanoUsd {
  const [, whole, decimals = ''] = budgetForm.exec(text) ?? []
  const amount = whole === undefined ? 0n : BigInt(whole) * nanoPerUsd + BigInt(decimals.padEnd(9, '0'))
  if (amount === 0n) {
    throw malformed(`${place} must be an amount in USD above zero with at most nine decimals, such as 1.00.`)
  }
  return nanoUsd(amount)
}
