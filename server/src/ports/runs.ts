import type { KeyAccount } from '#domain/access/key-account.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { RunRules } from '#domain/runs/run-rules.ts'
import type { NamedRun, RunStop, RunTerms } from '#domain/runs/run.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from './keys.ts'
import type { Page, PageRequest } from './pages.ts'

/** The runs of a wallet. Their ids are the client's; the same id of another wallet is another run. */
export interface Runs {
  /** Null if there is no such run. */
  findTerms(walletId: Uuid, externalId: string): Promise<RunTerms | null>
  /**
   * Creates the run unless it exists. Refused beyond the maximum of the wallet, if its owner was deleted, or if the
   * parent is unknown, stopped or too deep.
   */
  create(walletId: Uuid, run: NamedRun, keyId: Uuid | null): Promise<'created' | 'exists'>
  /** The wallet of an account. */
  walletOf(account: KeyAccount): Promise<Uuid>
  /** Stops a run and its child runs. A run that is already stopped keeps its reason. */
  stop(which: RunReference, stop: RunStop, author: ChangeAuthor): Promise<StoppedRuns | 'missing'>
  find(which: RunReference): Promise<RunRecord | null>
  list(scope: RunScope, page: PageRequest<RunSort>, filter: RunFilter): Promise<Page<RunRecord>>
  /** The spend of a run by model, its child runs included, the most expensive first. */
  readModels(which: RunReference): Promise<readonly RunModel[]>
}

export type RunSort = 'created'

export interface RunScope {
  readonly account: KeyAccount
  /** Only runs that this key created. Null for all runs of the account. */
  readonly keyId: Uuid | null
}

export interface RunReference extends RunScope {
  readonly externalId: string
}

export interface RunFilter {
  /** Only child runs of this run. */
  readonly parent: string | null
  /** Only runs without a parent. */
  readonly rootsOnly: boolean
}

export interface StoppedRuns {
  readonly walletId: Uuid
  readonly runId: Uuid
}

export interface RunRecord {
  readonly id: Uuid
  readonly externalId: string
  readonly parent: string | null
  readonly budget: NanoUsd | null
  readonly rules: RunRules
  readonly stoppedAtMs: number | null
  readonly stopReason: string | null
  readonly createdAtMs: number
  /** Child runs included. */
  readonly spent: NanoUsd
  /** The part of the budget that running requests hold. Null without a budget, because holds are not counted then. */
  readonly held: NanoUsd | null
  /** Child runs included. */
  readonly calls: number
  readonly children: number
  /** Spent by the direct child runs and the runs below them. */
  readonly spentByChildren: NanoUsd
  readonly callsOfChildren: number
}

export interface RunModel {
  readonly model: string
  readonly spent: NanoUsd
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
}
