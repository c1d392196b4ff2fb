import { nanoUsd } from '../../../server/src/domain/money/nano-usd.ts'
import { endOf } from '../../../server/src/lib/utc-calendar.ts'
import { newUuid } from '../../../server/src/lib/uuid.ts'
import { createInvoices } from '../../../server/src/store/postgres/billing/postgres-invoices.ts'
import { settleGenerations } from '../../../server/src/store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../../../server/test/money/settles.ts'
import { testIssuer } from '../../../server/test/payments/orders.ts'
import type { World } from './world.ts'

const hourMs = 3_600_000

/** Creates an organization with monthly billing, and its invoice for the used credit line. */
export async function issueInvoice(
  { gateway }: World,
  { id, walletId }: { id: string; walletId: string },
  nano: bigint,
) {
  const atMs = Date.now()
  const who = { id: newUuid(atMs), userId: null, walletId, keyId: newUuid(0), organizationId: id }
  await settleGenerations(gateway.pool, [settleEntry(who, nanoUsd(nano), { startedAtMs: atMs })])
  const terms = { ...testIssuer, taxes: new Map<string, number>(), dueDays: 14, suspendDays: 10 }
  const billedAtMs = endOf('month', atMs) + 13 * hourMs
  while ((await createInvoices(gateway.pool).issueDue(terms, billedAtMs)).isFull);
}
