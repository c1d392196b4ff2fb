import { createFieldReader, readNoteField } from '#control/read-fields.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import { ruleMax } from '#domain/runs/run-rules.ts'
import { type NamedRun, runBudgetOf, runIdOf, type RunStop } from '#domain/runs/run.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { RunModel, RunRecord, RunReference, Runs, RunScope } from '#ports/runs.ts'

export interface RunDeps {
  readonly runs: Runs
  readonly announce: Announce
}

/** A run with the spend of its requests by model. */
export interface RunReceipt {
  readonly run: RunRecord
  readonly models: readonly RunModel[]
}

const reasonLengthMax = 200

export function parseNewRun(body: JsonObject): NamedRun {
  const id = runIdOf(createFieldReader(body).requiredText('id'), 'id')
  const { parent, budget } = body
  if (parent !== undefined && parent !== null && typeof parent !== 'string') throw malformed('parent must be a string.')
  const amount = typeof budget === 'number' ? plainDecimal(budget) : budget
  if (amount !== undefined && amount !== null && typeof amount !== 'string') {
    throw malformed('budget must be an amount in USD, or null for no budget.')
  }
  if (parent === id) throw malformed('A run cannot be its own parent.')
  return {
    id,
    parent: typeof parent === 'string' ? runIdOf(parent, 'parent') : null,
    budget: typeof amount === 'string' ? runBudgetOf(amount, 'budget') : null,
    rules: { callsPerMinute: ruleOf(body, 'calls_per_minute'), repeats: ruleOf(body, 'repeats') },
  }
}

function ruleOf(body: JsonObject, field: string): number | null {
  const value = body[field] ?? null
  if (value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= ruleMax) return value
  throw malformed(`${field} must be an integer from 1 to ${ruleMax}, or null for no rule.`)
}

export function parseStop(body: JsonObject): RunStop {
  return { reason: readNoteField(body, 'reason', reasonLengthMax) ?? null }
}

export async function createRun(
  { runs }: Pick<RunDeps, 'runs'>,
  { scope, run, keyId }: { scope: RunScope; run: NamedRun; keyId: Uuid | null },
): Promise<RunReceipt> {
  const walletId = await runs.walletOf(scope.account)
  if ((await runs.create(walletId, run, keyId)) === 'exists') {
    throw new GatewayError('conflict', { message: `The run ${run.id} already exists. Use another id.` })
  }
  return readRun(runs, { ...scope, externalId: run.id })
}

/** Stops a run and its child runs, and makes every process end their requests. */
export async function stopRun(
  { runs, announce }: RunDeps,
  { which, stop }: { which: RunReference; stop: RunStop },
  author: ChangeAuthor,
): Promise<RunReceipt> {
  const stopped = await runs.stop(which, stop, author)
  if (stopped === 'missing') throw missingRun()
  const { reason } = stop
  await announce({ stoppedRun: stopped.runId, ...(reason === null ? {} : { stopReason: reason }) })
  return readRun(runs, which)
}

export async function readRun(runs: Pick<Runs, 'find' | 'readModels'>, which: RunReference): Promise<RunReceipt> {
  const run = await runs.find(which)
  if (run === null) throw missingRun()
  return { run, models: await runs.readModels(which) }
}

/** A run of another account gets the same response as one that does not exist. */
function missingRun(): GatewayError {
  return new GatewayError('notFound', { message: 'Run not found.' })
}
