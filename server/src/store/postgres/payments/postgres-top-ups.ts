import type { Pool, PoolClient } from 'pg'
import type { Issuer } from '#domain/billing/parties.ts'
import { judgePayment } from '#domain/payments/judge-payment.ts'
import { nextCheckOf } from '#domain/payments/next-check.ts'
import type { PaymentEffect } from '#domain/payments/payment-effect.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { AppliedPayment, ApplyOptions, NewTopUp, OrderLimit, OrderTerms, TopUps } from '#ports/payments.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { issueDocuments } from '../billing/issue-documents.ts'
import { endAttempt } from './auto-top-ups.sql.ts'
import { listDisputes, putDisputes } from './disputes.sql.ts'
import { insertRefundReason, listRefundReasons } from './refund-reasons.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { creditWallet } from '../wallets/wallets.sql.ts'
import { inTransaction } from '../with-client.ts'
import { returnIdempotencyKey, takeIdempotencyKey } from '../idempotency/idempotency-keys.sql.ts'
import { findNotedEvents, insertEffect, insertEvent } from './payment-events.sql.ts'
import {
  claimDue,
  findByReference,
  findOpenOfInvoice,
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

/**
 * Orders and their effects, on Postgres. Each method is one transaction. Clients get 503 while Postgres is unavailable.
 * The issuer's receipts are mailed.
 */
export function createTopUps(pool: Pool, issuer: Issuer): TopUps {
  return {
    add: (order, terms) =>
      refuseWhenAway(inTransaction(pool, 'READ COMMITTED', (client) => addTopUp(client, order, terms))),
    find: (id) => refuseWhenAway(findTopUp(pool, id)),
    findFor: (provider, about) => refuseWhenAway(findTopUpFor(pool, provider, about)),
    list: (query) => refuseWhenAway(listTopUps(pool, query)),
    listDisputes: (query) => refuseWhenAway(listDisputes(pool, query)),
    noteRefund: (id, key, refund) => refuseWhenAway(insertRefundReason(pool, id, key, refund)),
    listRefunds: (id) => refuseWhenAway(listRefundReasons(pool, id)),
    noteCheckout: (id, checkout) => refuseWhenAway(noteCheckout(pool, id, checkout)),
    apply: (id, reading, options) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', (client) => apply(client, { id, reading, options, issuer })),
      ),
    noteEvent: async (provider, event) => {
      await refuseWhenAway(insertEvent(pool, provider, { event, topUpId: null }))
    },
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
    claimDue: (providers, claim) => claimDue(pool, providers, claim),
    scheduleCheck: (id, next) => scheduleCheck(pool, id, next),
  }
}

/** Commits an order, or returns why it was rejected. */
export async function addTopUp(
  client: PoolClient,
  order: NewTopUp,
  { limit, request, entry }: OrderTerms,
): Promise<TopUp | 'over_limit' | 'key_reused'> {
  if (request !== null) {
    const taken = await takeIdempotencyKey(client, request, order.id)
    if (taken.outcome === 'known') return readTopUp(client, taken.resultId)
    if (taken.outcome === 'other request') return 'key_reused'
  }
  if (limit !== null && (await isOverLimit(client, order, limit))) {
    await returnIdempotencyKey(client, request)
    return 'over_limit'
  }
  const added = await insertTopUp(client, order, firstCheckInMs(order))
  if (added !== null) {
    await appendAudit(client, [entry(order.id)], Date.now())
    return added
  }
  const earlier = (await findByReference(client, order)) ?? (await findOpenOfInvoice(client, order.invoiceNumber))
  assert(earlier !== null, 'an order that could not be added has its reference')
  return earlier
}

/** There is no provider to ask about a bank transfer. */
function firstCheckInMs({ provider }: NewTopUp): number | null {
  const first = provider === 'bank' ? null : nextCheckOf({ state: 'open', status: null, ageMs: 0 })
  return first === null || first === 'expire' ? null : first.inMs
}

async function isOverLimit(client: PoolClient, { payerId, quoted }: NewTopUp, limit: OrderLimit): Promise<boolean> {
  if (payerId === null) return false
  const { isNew, ordered, open } = await sumOrders(client, payerId, limit)
  return open >= limit.openMax || (isNew && ordered + quoted.credit > limit.creditMax)
}

async function readTopUp(client: PoolClient, id: Uuid): Promise<TopUp> {
  const order = await findTopUp(client, id)
  assert(order !== null, 'a key leads to an order')
  return order
}

type Reading = Parameters<TopUps['apply']>[1]

/** Requires the lock of the order, which is taken before the wallet's. */
async function apply(
  client: PoolClient,
  { id, reading: given, options, issuer }: { id: Uuid; reading: Reading; options: ApplyOptions; issuer: Issuer },
): Promise<AppliedPayment> {
  const order = await lockTopUp(client, id)
  assert(order !== null, 'only orders that exist are applied to')
  if (failpointsArmed) await failpoint('before-payment')
  const { event } = options
  const isNew = event === null || (await insertEvent(client, order.provider, { event, topUpId: id }))
  const reading = typeof given === 'function' ? given(order, { isNew }) : given
  const verdict = judgePayment(order, reading)
  for (const [index, effect] of verdict.effects.entries()) {
    // One millisecond apart, so that they are listed in the order in which they were booked.
    await bookEffect(client, order, { effect, position: order.effects + index, nowMs: options.nowMs + index })
    if (failpointsArmed) await failpoint('mid-payment')
  }
  const applied = await updateTopUp(client, id, { verdict, reading })
  assert(applied !== null, 'an order is never deleted')
  await putDisputes(client, { provider: order.provider, topUpId: id }, reading.disputes ?? [])
  const { nowMs } = options
  await issueDocuments(client, applied, { issuer, nowMs })
  const { creditsUrl } = issuer
  await endAttempt(client, { order, state: applied.state, failure: reading.failure ?? null, creditsUrl, nowMs })
  await appendAudit(client, options.describe(order, verdict), options.nowMs)
  if (failpointsArmed) await failpoint('before-payment-commit')
  const newMismatch = verdict.mismatch === order.mismatch ? null : verdict.mismatch
  return { order: applied, effects: verdict.effects.map(({ kind }) => kind), newMismatch }
}

/** The payment itself has the order's id, so the ledger's own key rejects a second credit. */
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
