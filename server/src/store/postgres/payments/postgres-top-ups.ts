import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { judgePayment } from '#domain/payments/judge-payment.ts'
import { nextCheckOf } from '#domain/payments/next-check.ts'
import type { PaymentEffect } from '#domain/payments/payment-effect.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { AppliedPayment, ApplyOptions, NewTopUp, OrderLimit, TopUps } from '#ports/payments.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { creditWallet } from '../operators/wallets.sql.ts'
import { inTransaction } from '../with-client.ts'
import { findNotedEvents, insertEffect, insertEvent } from './payment-events.sql.ts'
import {
  claimDue,
  findTopUp,
  findTopUpFor,
  insertTopUp,
  listTopUps,
  lockTopUp,
  noteCheckout,
  scheduleCheck,
  sumOrders,
  updateTopUp,
} from './top-ups.sql.ts'

/** Orders and their effects, on Postgres. Each method is one transaction; clients hear 503 while Postgres is away. */
export function createTopUps(pool: Pool): TopUps {
  return {
    add: (order, { limit, entry }) =>
      refuseWhenAway(inTransaction(pool, 'READ COMMITTED', (client) => addTopUp(client, { order, limit, entry }))),
    find: (id) => refuseWhenAway(findTopUp(pool, id)),
    findFor: (provider, about) => refuseWhenAway(findTopUpFor(pool, provider, about)),
    list: (query) => refuseWhenAway(listTopUps(pool, query)),
    noteCheckout: (id, checkout) => refuseWhenAway(noteCheckout(pool, id, checkout)),
    apply: (id, reading, options) =>
      refuseWhenAway(inTransaction(pool, 'READ COMMITTED', (client) => apply(client, { id, reading, options }))),
    noteEvent: (provider, event) => refuseWhenAway(insertEvent(pool, provider, { event, topUpId: null })),
    missingEvents: async (provider, events) => {
      const noted = new Set(
        await refuseWhenAway(
          findNotedEvents(
            pool,
            provider,
            events.map(({ id }) => id),
          ),
        ),
      )
      return events.filter(({ id }) => !noted.has(id))
    },
    claimDue: (provider, claim) => claimDue(pool, provider, claim),
    scheduleCheck: (id, next) => scheduleCheck(pool, id, next),
  }
}

async function addTopUp(
  client: PoolClient,
  { order, limit, entry }: { order: NewTopUp; limit: OrderLimit | null; entry: AuditEntry },
): Promise<TopUp | 'over_limit'> {
  if (limit !== null && order.payerId !== null) {
    const ordered = await sumOrders(client, order.payerId, limit.sinceMs)
    if (ordered + order.quoted.credit > limit.creditMax) return 'over_limit'
  }
  const first = nextCheckOf({ state: 'open', status: null, ageMs: 0 })
  assert(first !== null && first !== 'expire', 'a new order is asked about')
  const added = await insertTopUp(client, order, first.inMs)
  assert(added !== null, 'a new order has an id of its own')
  await appendAudit(client, [entry], Date.now())
  return added
}

/** Under the lock of the order, which comes before that of the wallet. */
async function apply(
  client: PoolClient,
  { id, reading, options }: { id: Uuid; reading: PaymentReading; options: ApplyOptions },
): Promise<AppliedPayment> {
  const order = await lockTopUp(client, id)
  assert(order !== null, 'only orders that exist are applied to')
  if (failpointsArmed) await failpoint('before-payment')
  const verdict = judgePayment(order, reading)
  if (options.event !== null) await insertEvent(client, order.provider, { event: options.event, topUpId: id })
  for (const [index, effect] of verdict.effects.entries()) {
    // A millisecond apart, so that they are listed in the order in which they were booked.
    await bookEffect(client, order, { effect, position: order.effects + index, nowMs: options.nowMs + index })
    if (failpointsArmed) await failpoint('mid-payment')
  }
  const applied = await updateTopUp(client, id, { verdict, reading })
  assert(applied !== null, 'an order is never deleted')
  await appendAudit(client, options.describe(order, verdict), options.nowMs)
  if (failpointsArmed) await failpoint('before-payment-commit')
  const newMismatch = verdict.mismatch === order.mismatch ? null : verdict.mismatch
  return { order: applied, effects: verdict.effects.map(({ kind }) => kind), newMismatch }
}

/** The payment itself has the order's id, so the ledger's own key refuses a second credit. */
async function bookEffect(
  client: PoolClient,
  order: TopUp,
  { effect, position, nowMs }: { effect: PaymentEffect; position: number; nowMs: number },
): Promise<void> {
  const transactionId = effect.kind === 'payment' ? order.id : newUuid(nowMs)
  await insertEffect(client, { topUpId: order.id, position, transactionId }, effect)
  const { walletId } = order
  const balance = await creditWallet(client, { id: transactionId, walletId, transfers: effect.transfers, note: null })
  assert(balance !== null, 'the wallet of an order exists')
}
