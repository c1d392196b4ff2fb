import type { PaymentEvent, ProviderStatements, ProviderLists } from '#ports/payments.ts'
import type { FollowDeps } from './follow-payment.ts'
import { takeEvent } from './take-event.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// An event may appear in the provider's list some time after its own timestamp.
const overlapMs = hourMs
const firstSpanMs = 3 * dayMs
const batchMax = 100

/**
 * Reads the provider's list of events since the last time, and processes those that no webhook has delivered. Returns
 * their number.
 */
export async function readMissedEvents(
  deps: FollowDeps & { readonly statements: Pick<ProviderStatements, 'readWatermarks' | 'advanceEvents'> },
  lists: ProviderLists,
): Promise<number> {
  const { provider, statements, nowMs } = deps
  const startedMs = nowMs()
  const watermarks = await statements.readWatermarks(provider.name)
  const sinceMs = (watermarks?.eventsUntilMs ?? startedMs - firstSpanMs) - overlapMs
  let taken = 0
  let batch: PaymentEvent[] = []
  for await (const event of lists.listEvents(sinceMs)) {
    batch.push(event)
    if (batch.length < batchMax) continue
    taken += await takeMissing(deps, batch)
    batch = []
  }
  taken += await takeMissing(deps, batch)
  await statements.advanceEvents(provider.name, startedMs)
  return taken
}

async function takeMissing(deps: FollowDeps, events: readonly PaymentEvent[]): Promise<number> {
  const ours = events.filter(({ isLive }) => isLive === deps.provider.isLive)
  const missing = ours.length === 0 ? [] : await deps.topUps.missingEvents(deps.provider.name, ours)
  for (const event of missing) await takeEvent(deps, event)
  return missing.length
}
