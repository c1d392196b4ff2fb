import type { LayerOwner } from '#domain/access/layer-owner.ts'
import { parseAllowedModels } from '#domain/access/parse-allowed-models.ts'
import { type BacktestResult, createReplay, createTally, type ProposedControls } from '#domain/limits/replay.ts'
import { windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { dayMs, endOf, startOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PastRequests } from '#ports/backtest.ts'
import { readBudgetField } from '../read-fields.ts'

const days = 30
export const backtestRequestsMax = 100_000
const chunk = 5_000

export interface Backtest extends BacktestResult {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Replays the last 30 days of an organization, a team or a member against proposed controls. The period begins at a UTC
 * midnight. It is shorter if the organization had more requests than can be replayed.
 */
export async function backtest(
  deps: { requests: PastRequests; requestsMax?: number },
  { owner, controls }: { owner: LayerOwner; controls: ProposedControls },
  nowMs: number,
): Promise<Backtest> {
  const { requests, requestsMax = backtestRequestsMax } = deps
  const earliest = startOf('day', nowMs) - days * dayMs
  const dropped = await requests.findStart({ organizationId: owner.organizationId, newer: requestsMax })
  const fromMs = Math.max(earliest, dropped === null ? 0 : Math.min(endOf('day', dropped), startOf('day', nowMs)))
  const replay = createReplay(controls, await readSpentBefore(requests, owner, fromMs))
  const tally = createTally()
  let [afterId, toMs, count]: [Uuid | null, number, number] = [null, nowMs, 0]
  for (;;) {
    const part = await requests.read({ owner, fromMs, afterId, limit: Math.min(chunk, requestsMax - count) })
    for (const request of part) tally.add(request, replay.judge(request))
    const last = part.at(-1)
    if (last === undefined) break
    count += part.length
    afterId = last.id
    if (count < requestsMax) continue
    toMs = last.startedAtMs
    break
  }
  return { ...tally.result(), fromMs, toMs }
}

/** Only the week and the month in which the period begins have spend from before it. */
async function readSpentBefore(requests: PastRequests, owner: LayerOwner, fromMs: number) {
  const spent = new Map<string, NanoUsd>()
  for (const length of ['week', 'month'] as const) {
    const startsAtMs = windowStart(length, fromMs)
    spent.set(`${length} ${startsAtMs}`, await requests.readSpend(owner, { fromMs: startsAtMs, toMs: fromMs }))
  }
  return (length: string, startsAtMs: number) => spent.get(`${length} ${startsAtMs}`) ?? zeroUsd
}

/** Parses the controls to try. Fields that are missing or null limit nothing. */
export function parseControls(body: JsonObject, kind: LayerOwner['kind']): ProposedControls {
  const { allowedModels } = body
  const parsed = allowedModels === undefined ? null : parseAllowedModels(allowedModels)
  if (parsed !== null && !parsed.accepted) throw malformed(parsed.problem)
  const controls: ProposedControls = {
    weeklyBudget: readBudgetField(body, 'weeklyBudget') ?? null,
    monthlyBudget: readBudgetField(body, 'monthlyBudget') ?? null,
    breaker: {
      minute: readBudgetField(body, 'cbMinuteUsd') ?? null,
      hour: readBudgetField(body, 'cbHourlyUsd') ?? null,
    },
    allowedModels: parsed === null ? null : parsed.patterns,
  }
  if (controls.weeklyBudget !== null && kind !== 'organization') {
    throw malformed('Only an organization can have a weekly budget.')
  }
  const { weeklyBudget, monthlyBudget, breaker } = controls
  if (
    [weeklyBudget, monthlyBudget, breaker.minute, breaker.hour, controls.allowedModels].every((one) => one === null)
  ) {
    throw malformed('Send at least one of weeklyBudget, monthlyBudget, cbMinuteUsd, cbHourlyUsd and allowedModels.')
  }
  return controls
}
