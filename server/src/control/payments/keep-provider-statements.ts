import type { ProviderBalance, ProviderStatements, ProviderLists } from '#ports/payments.ts'
import { type FollowDeps, followPayment } from './follow-payment.ts'

const dayMs = 86_400_000
// A line may appear in the provider's ledger some time after its own timestamp.
const overlapMs = 2 * dayMs
const firstSpanMs = 30 * dayMs
// Very recent events may not have arrived yet.
const restMs = 60_000
const batchMax = 100

/**
 * Copies the provider's ledger for the audit. If it contains more for an order than is booked, its webhook was lost,
 * and the order is checked at once. Returns the number of such orders.
 */
export async function keepProviderStatements(
  deps: FollowDeps & { readonly statements: ProviderStatements },
  lists: ProviderLists,
): Promise<number> {
  const { provider, statements, topUps, nowMs } = deps
  const toMs = nowMs() - restMs
  const watermarks = await statements.readWatermarks(provider.name)
  const fromMs = (watermarks?.balancesUntilMs ?? toMs - firstSpanMs) - overlapMs
  let batch: ProviderBalance[] = []
  const keep = async (): Promise<void> => {
    await statements.keep(provider.name, batch)
    batch = []
  }
  for await (const line of lists.listBalances({ fromMs, toMs })) {
    const order = await topUps.findFor(provider.name, { ...line, checkoutRef: null })
    batch.push({ ...line, topUpId: order?.id ?? null })
    if (batch.length >= batchMax) await keep()
  }
  await keep()
  await statements.advanceBalances(provider.name, toMs)
  const behind = await statements.findBehind(provider.name)
  for (const id of behind) {
    const order = await topUps.find(id)
    if (order !== null) await followPayment(deps, order)
  }
  return behind.length
}
