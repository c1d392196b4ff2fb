import type { BrakeState } from '#domain/limits/brake.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { AccountCircuits } from '#ports/circuits.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { healthOf } from '../operators/account-health.ts'
import { type Finding, fault, ok, unknown, warning } from './finding.ts'

/** The response of a local process on its operating port. */
export interface ProcessAnswer {
  readonly place: string
  readonly missing: readonly string[]
  readonly degraded: readonly string[]
  /** One of its metrics, summed over its labels, or null if it is missing. */
  readonly figure: (name: string) => number | null
}

export interface StatusFacts {
  readonly build: string
  readonly gateways: readonly ProcessAnswer[]
  readonly workers: readonly ProcessAnswer[]
  readonly store: StoreFacts | StoreFault
}

/** Postgres is unavailable, or lacks the tables. */
interface StoreFault {
  readonly fault: Finding
}

/** Facts from Postgres. */
export interface StoreFacts {
  /** The addresses of connected processes. */
  readonly connected: { readonly gateways: readonly string[]; readonly workers: readonly string[] }
  readonly accounts: readonly ProviderAccountListing[]
  readonly circuits: readonly AccountCircuits[]
  readonly routes: number
  /** Number of provider account keys that the secret does not decrypt. */
  readonly unopened: number
  readonly brake: BrakeState
  readonly brakeSinceMs: number
  readonly trips: number
  readonly holds: { readonly count: number; readonly amount: NanoUsd; readonly overdue: number }
  readonly debt: NanoUsd
  readonly backlog: readonly Backlog[]
}

interface Backlog {
  readonly figure: string
  readonly label: string
  readonly value: number
}

/** The overall status, in the order in which a person on call needs it. */
export function judgeStatus({ build, gateways, workers, store }: StatusFacts): Finding[] {
  const processes = [
    ...judgeProcesses('gateway', gateways, 'fault' in store ? null : store.connected.gateways),
    ...judgeProcesses('worker', workers, 'fault' in store ? null : store.connected.workers),
  ]
  const queue = judgeQueue(gateways)
  const words = judgeWords(gateways)
  if ('fault' in store) return [ok('build', build), store.fault, ...processes, ...queue, ...words]
  return [
    ok('build', build),
    ok('schema', 'up to date'),
    ...processes,
    judgeRouting(store),
    ...judgeCircuits(store),
    judgeBrake(store),
    judgeTrips(store.trips),
    judgeHolds(store.holds),
    ...queue,
    ...judgeBacklog(store.backlog),
    judgeRollup(store.backlog),
    judgeBooks(workers),
    judgeDebt(store.debt),
    ...words,
  ]
}

/** `connected` is null if Postgres is unavailable. */
function judgeProcesses(
  kind: 'gateway' | 'worker',
  answers: readonly ProcessAnswer[],
  connected: readonly string[] | null,
): Finding[] {
  const what = `${kind}s`
  const from = connected === null || connected.length === 0 ? '' : `connected to Postgres from ${connected.join(', ')}`
  if (answers.length > 0) {
    return answers.map((answer, place) => judgeAnswer(what, answer, place === 0 ? from : ''))
  }
  if (from !== '') return [ok(what, `${from}; none responds on this machine`)]
  return [fault(what, `no ${kind} responds on this machine or is connected to Postgres`, `start one: weir ${kind}`)]
}

function judgeAnswer(what: string, { place, missing, degraded }: ProcessAnswer, from: string): Finding {
  const tail = from === '' ? '' : `; ${from}`
  if (missing.length > 0) {
    return fault(what, `${place} is not ready: ${missing.join(', ')}${tail}`, `see its log, or run curl ${place}/ready`)
  }
  if (degraded.length === 0) return ok(what, `${place} is ready${tail}`)
  return warning(what, `${place} is ready without ${degraded.join(', ')}${tail}`, `see its log`)
}

function judgeRouting({ accounts, routes, unopened }: StoreFacts): Finding {
  const enabled = accounts.filter(({ enabled: isEnabled }) => isEnabled)
  const says = `${enabled.length} of ${accounts.length} provider accounts enabled, ${routes} routes`
  if (unopened > 0) {
    return fault(
      'routing',
      `WEIR_SECRET can't decrypt the keys of ${unopened} provider accounts`,
      'set the secret that encrypted them, or add it to WEIR_PREVIOUS_SECRETS',
    )
  }
  if (enabled.length > 0) return ok('routing', says)
  return warning('routing', `${says}: only test models are served`, 'weir provider add, or weir provider enable')
}

function judgeCircuits({ accounts, circuits }: StoreFacts): Finding[] {
  const enabled = accounts.filter((account) => account.enabled)
  const failing = enabled.flatMap((account) => {
    const health = healthOf(account, circuits)
    return health.state === 'ok' ? [] : [{ account, health }]
  })
  if (failing.length === 0) return [ok('circuits', 'all closed')]
  const make = failing.length === enabled.length ? fault : warning
  return failing.map(({ account, health }) => {
    const { models, gateways, reason, openedAtMs } = health
    const who = `${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}`
    return make(
      'circuits',
      `${account.name} has been failing since ${minuteOf(openedAtMs)} on ${who}: ${reason} (${models.slice(0, 3).join(', ')}${models.length > 3 ? ', …' : ''})`,
      `weir provider test ${account.name}`,
    )
  })
}

function judgeBrake({ brake, brakeSinceMs }: StoreFacts): Finding {
  if (!brake.engaged) return ok('brake', 'off')
  const reason = brake.reason === null ? '' : ` (${brake.reason})`
  const says = `on since ${minuteOf(brakeSinceMs)}${reason}: every request is rejected with 503`
  return fault('brake', says, 'weir brake off')
}

function judgeTrips(trips: number): Finding {
  if (trips === 0) return ok('spend breakers', 'none tripped in the last hour')
  const says = `${trips} tripped in the last hour`
  return warning('spend breakers', says, 'see the *.cb.tripped entries in the audit log')
}

function judgeHolds({ count, amount, overdue }: StoreFacts['holds']): Finding {
  const says = `${count} requests hold ${formatUsd(amount)} USD`
  if (overdue === 0) return ok('holds', says)
  return warning('holds', `${says}; ${overdue} of them have lapsed`, 'a worker releases them: check the workers above')
}

/** A depth that stays in the hundreds means that Postgres commits too slowly. */
const queueMax = 300

function judgeQueue(gateways: readonly ProcessAnswer[]): Finding[] {
  return gateways.flatMap(({ place, figure }) => {
    const [queue, spool] = [figure('weir_queue_depth'), figure('weir_spool_settlements')]
    if (queue === null || spool === null) return []
    const says = `${place} has ${queue} queued holds and settlements, and ${spool} spooled settlements`
    if (spool > 0)
      return [warning('queue', says, 'Postgres was unavailable or slow; see docs/runbooks/spool-backlog.md')]
    if (queue > queueMax) return [warning('queue', says, 'Postgres is slow; see docs/runbooks/write-queue-backlog.md')]
    return [ok('queue', says)]
  })
}

// Same values as in ops/prometheus/rules.yaml.
const rollupLagMaxS = 300
const sinkLagMaxS = 900

function judgeBacklog(backlog: readonly Backlog[]): Finding[] {
  const sum = (figure: string, label?: string): number =>
    backlog
      .filter((read) => read.figure === figure && (label === undefined || read.label === label))
      .reduce((total, { value }) => total + value, 0)
  const retrying = sum('webhooks', 'retrying')
  const says = `${sum('videos')} videos, ${sum('webhooks')} webhooks (${retrying} being retried)`
  const late = backlog.filter(({ figure, value }) => figure === 'sink_lag' && value > sinkLagMaxS)
  return [
    ok('backlog', says),
    ...late.map(({ label, value }) =>
      warning('events', `event sink ${label} is ${spanOf(value)} behind`, 'see docs/runbooks/event-sink-lagging.md'),
    ),
  ]
}

function judgeRollup(backlog: readonly Backlog[]): Finding {
  const lagS = backlog.find(({ figure }) => figure === 'rollup_lag')?.value ?? 0
  if (lagS <= rollupLagMaxS) return ok('rollup', lagS === 0 ? 'up to date' : `${spanOf(lagS)} behind`)
  return warning('rollup', `${spanOf(lagS)} behind`, 'see docs/runbooks/rollup-lagging.md')
}

function judgeBooks(workers: readonly ProcessAnswer[]): Finding {
  const told = workers.map(({ figure }) => figure('weir_ledger_consistent')).filter((figure) => figure !== null)
  if (told.includes(0)) return fault('books', 'the last reconciliation found a discrepancy', 'weir audit ledger')
  if (told.length === 0) {
    return unknown(
      'books',
      'no worker responds on this machine',
      'run this where a worker runs, or check now with: weir audit ledger',
    )
  }
  return ok('books', 'the last reconciliation found no discrepancy')
}

/** Counts unknown values in provider responses since the gateways on this machine started. */
function judgeWords(gateways: readonly ProcessAnswer[]): Finding[] {
  if (gateways.length === 0) return []
  const count = gateways.reduce((sum, { figure }) => sum + (figure('weir_unknown_words_total') ?? 0), 0)
  if (count === 0) return [ok('provider words', 'all known')]
  return [
    warning(
      'provider words',
      `${count} unknown since the gateways started`,
      'the provider may bill for them: see docs/runbooks/unknown-words.md',
    ),
  ]
}

function judgeDebt(debt: NanoUsd): Finding {
  if (debt === 0n) return ok('debt', 'no wallet is over its credit line')
  return warning(
    'debt',
    `wallets owe ${formatUsd(debt)} USD beyond their credit lines`,
    'inspect each with: weir wallet show',
  )
}

function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function spanOf(seconds: number): string {
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
