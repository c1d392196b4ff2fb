import type { Pool, PoolClient } from 'pg'
import type { RuledRun, RunRules } from '#domain/runs/run-rules.ts'
import type { RunStop, RunTerms } from '#domain/runs/run.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OwnData, OwnRun } from '#ports/own-data.ts'
import type { Page, PageRequest } from '#ports/pages.ts'
import type { RunFilter, RunModel, RunRecord, RunReference, RunScope, RunSort } from '#ports/runs.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, timeColumn } from '../page-clause.ts'
import { ownerOf } from '../wallets/wallet-of-account.sql.ts'

interface TermsRow {
  id: string
  path: string[]
  parent: string | null
  budget_nano: string | null
  budgets: readonly { id: string; limit: string }[] | null
  calls_per_minute_max: number | null
  repeats_max: number | null
  rules: readonly RuledRun[] | null
  stopped_at: Date | null
  stop_reason: string | null
}

export async function findRunId(pool: Pool, walletId: Uuid, externalId: string): Promise<Uuid | null> {
  const text = 'SELECT id FROM runs WHERE wallet_id = $1 AND external_id = $2'
  const { rows } = await pool.query<{ id: Uuid }>({ name: 'find-run-id', text, values: [walletId, externalId] })
  return rows[0]?.id ?? null
}

/** Null if there is no such run. */
export async function findRunTerms(pool: Pool, walletId: Uuid, externalId: string): Promise<RunTerms | null> {
  const { rows } = await pool.query<TermsRow>({
    name: 'find-run',
    text: `SELECT r.id, r.path, p.external_id AS parent, r.budget_nano, r.stopped_at, r.stop_reason,
        r.calls_per_minute_max, r.repeats_max,
        (SELECT json_agg(json_build_object('id', a.id, 'limit', a.budget_nano::text) ORDER BY a.id) FROM runs a
         WHERE a.id = ANY (r.path) AND a.budget_nano IS NOT NULL) AS budgets,
        (SELECT json_agg(json_build_object('runId', a.id, 'externalId', a.external_id,
           'callsPerMinute', a.calls_per_minute_max, 'repeats', a.repeats_max) ORDER BY a.id) FROM runs a
         WHERE a.id = ANY (r.path) AND (a.calls_per_minute_max IS NOT NULL OR a.repeats_max IS NOT NULL)) AS rules
      FROM runs r LEFT JOIN runs p ON p.id = r.parent_id WHERE r.wallet_id = $1 AND r.external_id = $2`,
    values: [walletId, externalId],
  })
  return rows[0] === undefined ? null : termsOf(rows[0], externalId)
}

function termsOf(row: TermsRow, externalId: string): RunTerms {
  return {
    id: row.id,
    externalId,
    path: row.path,
    parent: row.parent,
    budget: readNullableNano(row.budget_nano),
    budgets: (row.budgets ?? []).map(({ id, limit }) => ({ runId: id, limit: nanoUsd(BigInt(limit)) })),
    stop: row.stopped_at === null ? null : { reason: row.stop_reason },
    ownRules: rulesOf(row),
    rules: row.rules ?? [],
  }
}

function rulesOf(row: Pick<TermsRow, 'calls_per_minute_max' | 'repeats_max'>): RunRules {
  return { callsPerMinute: row.calls_per_minute_max, repeats: row.repeats_max }
}

export type RunCreation = 'created' | 'exists' | 'full' | 'erased' | 'orphan' | 'deep' | 'stopped'

export interface NewRun {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly externalId: string
  readonly parent: string | null
  readonly keyId: Uuid | null
  readonly budget: NanoUsd | null
  readonly rules: RunRules
}

export async function insertRun(pool: Pool, run: NewRun, runsMax: number): Promise<RunCreation> {
  const { rows } = await pool.query<{ creation: RunCreation }>({
    name: 'create-run',
    text: 'SELECT create_run($1, $2, $3, $4, $5, $6, $7, $8, $9) AS creation',
    values: [
      run.id,
      run.walletId,
      run.externalId,
      run.parent,
      run.keyId,
      run.budget,
      run.rules.callsPerMinute,
      run.rules.repeats,
      runsMax,
    ],
  })
  const [row] = rows
  assert(row !== undefined, 'a function returns a row')
  return row.creation
}

/** Locks a run, so that no child run is created until the transaction ends. Null if there is no such run. */
export async function lockRun(
  client: PoolClient,
  { walletId, externalId, keyId }: { walletId: Uuid; externalId: string; keyId: Uuid | null },
): Promise<{ readonly id: Uuid; readonly isStopped: boolean } | null> {
  const { rows } = await client.query<{ id: string; stopped_at: Date | null }>(
    `SELECT id, stopped_at FROM runs WHERE wallet_id = $1 AND external_id = $2 AND ($3::uuid IS NULL OR key_id = $3)
     FOR NO KEY UPDATE`,
    [walletId, externalId, keyId],
  )
  const [row] = rows
  return row === undefined ? null : { id: row.id, isStopped: row.stopped_at !== null }
}

/** Stops a run and every run below it. Runs that are already stopped keep their reason. */
export async function stopRuns(client: PoolClient, runId: Uuid, { reason }: RunStop): Promise<void> {
  await client.query(
    `WITH RECURSIVE below AS (
       SELECT $1::uuid AS id UNION ALL SELECT r.id FROM runs r JOIN below b ON r.parent_id = b.id
     )
     UPDATE runs r SET stopped_at = clock_timestamp(), stop_reason = $2 FROM below b
     WHERE r.id = b.id AND r.stopped_at IS NULL`,
    [runId, reason],
  )
}

interface RecordRow {
  id: string
  external_id: string
  parent: string | null
  budget_nano: string | null
  calls_per_minute_max: number | null
  repeats_max: number | null
  stopped_at: Date | null
  stop_reason: string | null
  created_at: Date
  spent_nano: string
  held_nano: string | null
  calls: string
  children: string
  children_spent_nano: string
  children_calls: string
}

// The sums of a run include its child runs, so only the direct child runs are added up.
const recordColumns = `r.id, r.external_id, p.external_id AS parent, r.budget_nano, r.calls_per_minute_max, r.repeats_max, r.stopped_at,
    r.stop_reason, r.created_at, own.spent_nano, own.calls, below.children, below.spent_nano AS children_spent_nano, below.calls AS children_calls,
    CASE WHEN r.budget_nano IS NOT NULL THEN coalesce(
      (SELECT s.held_nano FROM spend_windows s WHERE s.kind = 'run_life' AND s.owner_id = r.id AND s.starts_at = 0), 0) END AS held_nano`

const recordSums = `LEFT JOIN runs p ON p.id = r.parent_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.spent_nano), 0) AS spent_nano, coalesce(sum(d.requests), 0) AS calls
      FROM spend_days d WHERE d.kind = 'run' AND d.owner_id = r.id
    ) AS own
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT c.id) AS children, coalesce(sum(d.spent_nano), 0) AS spent_nano,
        coalesce(sum(d.requests), 0) AS calls
      FROM runs c LEFT JOIN spend_days d ON d.kind = 'run' AND d.owner_id = c.id WHERE c.parent_id = r.id
    ) AS below`

function recordOf(row: RecordRow): RunRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    parent: row.parent,
    budget: readNullableNano(row.budget_nano),
    rules: rulesOf(row),
    stoppedAtMs: row.stopped_at?.getTime() ?? null,
    stopReason: row.stop_reason,
    createdAtMs: row.created_at.getTime(),
    spent: readNano(row.spent_nano),
    held: readNullableNano(row.held_nano),
    calls: Number(row.calls),
    children: Number(row.children),
    spentByChildren: readNano(row.children_spent_nano),
    callsOfChildren: Number(row.children_calls),
  }
}

function binder() {
  const values: unknown[] = []
  return { values, bind: (value: unknown): string => `$${values.push(value)}` }
}

type Bind = (value: unknown) => string

/** The condition on runs, `r`, of an account. A join would hide that all have one wallet, and so their order. */
function inScope(bind: Bind, { account, keyId }: RunScope): string {
  const [kind, owner] = ownerOf(account).map(bind)
  const ofKey = keyId === null ? '' : ` AND r.key_id = ${bind(keyId)}::uuid`
  return `r.wallet_id = (SELECT w.id FROM wallets w WHERE w.owner_kind = ${kind} AND w.owner_id = ${owner})${ofKey}`
}

export async function findRun(pool: Pool, which: RunReference): Promise<RunRecord | null> {
  const { values, bind } = binder()
  const text = `SELECT ${recordColumns} FROM runs r ${recordSums}
    WHERE ${inScope(bind, which)} AND r.external_id = ${bind(which.externalId)}`
  const { rows } = await pool.query<RecordRow>(text, values)
  return rows[0] === undefined ? null : recordOf(rows[0])
}

/** A search finds the beginning of an id. The page is cut before anything is summed. */
export async function listRuns(
  pool: Pool,
  { scope, page, filter }: { scope: RunScope; page: PageRequest<RunSort>; filter: RunFilter },
): Promise<Page<RunRecord>> {
  const { values, bind } = binder()
  const { where, order, limit, cursor } = pageClause(page, {
    columns: { created: timeColumn('r.created_at') },
    id: 'r.id',
    bind,
  })
  const mine = inScope(bind, scope)
  const search = page.search === null ? '' : ` AND r.external_id ^@ ${bind(page.search)}`
  const text = `SELECT ${recordColumns}, ${cursor} AS cursor FROM (
      SELECT * FROM runs r WHERE ${mine}${placed(bind, mine, filter)}${search}${where} ORDER BY ${order} LIMIT ${limit}
    ) AS r ${recordSums} ORDER BY ${order}`
  const { rows } = await pool.query<RecordRow & { cursor: string }>(text, values)
  return pageOf(rows, page.limit, recordOf)
}

function placed(bind: Bind, mine: string, { parent, rootsOnly }: RunFilter): string {
  if (rootsOnly) return ' AND r.parent_id IS NULL'
  if (parent === null) return ''
  return ` AND r.parent_id = (SELECT r.id FROM runs r WHERE ${mine} AND r.external_id = ${bind(parent)})`
}

interface ModelRow {
  model: string
  spent_nano: string
  requests: string
  prompt_tokens: string
  completion_tokens: string
}

export async function readRunModels(pool: Pool, which: RunReference): Promise<RunModel[]> {
  const { values, bind } = binder()
  const text = `SELECT m.model, m.spent_nano, m.requests, m.prompt_tokens, m.completion_tokens
    FROM runs r JOIN run_models m ON m.run_id = r.id
    WHERE ${inScope(bind, which)} AND r.external_id = ${bind(which.externalId)}
    ORDER BY m.spent_nano DESC, m.model`
  const { rows } = await pool.query<ModelRow>(text, values)
  return rows.map((row) => ({
    model: row.model,
    spent: readNano(row.spent_nano),
    calls: Number(row.requests),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
  }))
}

/** The runs of a wallet without their sums, by id. */
export async function listOwnRuns(
  pool: Pool,
  { walletId, after, limit }: Parameters<OwnData['listRuns']>[0],
): Promise<OwnRun[]> {
  const { rows } = await pool.query<Omit<RecordRow, 'spent_nano' | 'calls'>>({
    name: 'list-own-runs',
    text: `SELECT r.external_id, p.external_id AS parent, r.budget_nano, r.calls_per_minute_max, r.repeats_max, r.stopped_at, r.stop_reason, r.created_at
      FROM runs r LEFT JOIN runs p ON p.id = r.parent_id
      WHERE r.wallet_id = $1 AND r.external_id > $2 ORDER BY r.external_id LIMIT $3`,
    values: [walletId, after ?? '', limit],
  })
  return rows.map((row) => ({
    externalId: row.external_id,
    parent: row.parent,
    budget: readNullableNano(row.budget_nano),
    rules: rulesOf(row),
    stoppedAtMs: row.stopped_at?.getTime() ?? null,
    stopReason: row.stop_reason,
    createdAtMs: row.created_at.getTime(),
  }))
}

/** Erases the ids and reasons of a person's runs. Their sums stay, because they are part of the person's books. */
export async function eraseRuns(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `UPDATE runs r SET external_id = r.id::text, stop_reason = NULL FROM wallets w
     WHERE w.id = r.wallet_id AND w.owner_kind = 'user' AND w.owner_id = $1`,
    [userId],
  )
}
