import type { PoolClient } from 'pg'
import { systemActor } from '#domain/audit/audit-entry.ts'
import { numberOf, seriesOf, yearOf } from '#domain/billing/document-number.ts'
import { snapshotOf, type SnapshotFacts } from '#domain/billing/document-snapshot.ts'
import { documentsOf, totalsOf } from '#domain/billing/order-documents.ts'
import type { Issuer } from '#domain/billing/parties.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { queueDocument } from '../mail/queue-document.ts'
import { insertDocument, listEffects, takeSerial } from './documents.sql.ts'
import { notePaid } from './invoices.sql.ts'
import { readBuyer } from './profiles.sql.ts'

interface Issue {
  readonly issuer: Issuer
  readonly nowMs: number
}

/**
 * Issues the missing documents of an order's effects, in the transaction that booked them. It checks all effects, so an
 * effect that a process of the previous version booked gets its document together with the next effect.
 */
export async function issueDocuments(client: PoolClient, order: TopUp, { issuer, nowMs }: Issue): Promise<void> {
  const effects = await listEffects(client, order.id)
  let receipt = effects.find(({ kind }) => kind === 'payment')?.number ?? null
  for (const { kind, lines, position } of documentsOf(order, effects)) {
    const effect = effects.find((each) => each.position === position)
    if (effect === undefined || effect.number !== null || !effect.isDue) continue
    const { number } = await issueDocument(client, {
      walletId: order.walletId,
      topUpId: order.id,
      position,
      month: null,
      issuer,
      facts: {
        kind,
        issuedAtMs: nowMs,
        isTest: !order.isLive,
        currency: order.currency,
        rate: order.rate,
        lines,
        about: {
          order: { id: order.id, paid_by: order.provider, reference: order.reference },
          corrects: kind === 'credit_note' ? receipt : null,
          pays: kind === 'receipt' ? order.invoiceNumber : null,
        },
      },
    })
    if (kind === 'receipt') receipt = number
  }
  if (order.invoiceNumber !== null) await followInvoice(client, order.invoiceNumber, nowMs)
}

/** Updates an invoice from the ledger, and writes an audit entry if spending may resume. */
async function followInvoice(client: PoolClient, number: string, nowMs: number): Promise<void> {
  const lifted = await notePaid(client, number)
  if (lifted === null) return
  const stamp = { chainId: lifted.organizationId, actor: systemActor, requestId: null }
  const target = { kind: 'wallet', id: lifted.walletId }
  await appendAudit(client, [{ ...stamp, action: 'invoice.unsuspend', target, details: { number } }], nowMs)
}

interface DocumentToIssue {
  readonly walletId: Uuid
  readonly topUpId: Uuid | null
  readonly position: number | null
  readonly month: string | null
  readonly issuer: Issuer
  readonly facts: Omit<SnapshotFacts, 'number' | 'seller' | 'buyer'>
}

/** Takes the next number and writes the document with its mail. The order and the wallet are already locked. */
export async function issueDocument(
  client: PoolClient,
  document: DocumentToIssue,
): Promise<{ readonly id: Uuid; readonly number: string }> {
  const { walletId, facts } = document
  const { seller, creditsUrl } = document.issuer
  const buyer = await readBuyer(client, walletId)
  const series = seriesOf(seller.prefix, { isLive: !facts.isTest })
  const year = yearOf(facts.issuedAtMs)
  const serial = await takeSerial(client, { series, year })
  const number = numberOf({ series, year, serial })
  const { text: snapshot, sha256 } = snapshotOf({ ...facts, number, seller, buyer })
  const id = newUuid(facts.issuedAtMs)
  const { kind, currency, issuedAtMs } = facts
  const place = { series, year, serial, number }
  const { topUpId, position, month } = document
  const totals = totalsOf(facts.lines)
  await insertDocument(client, {
    id,
    ...place,
    kind,
    walletId,
    topUpId,
    position,
    month,
    currency,
    ...totals,
    snapshot,
    sha256,
    issuedAtMs,
  })
  const mailed = { id, number, snapshot, currency, total: totals.total }
  const mail = { kind: 'issued', document: mailed, walletId, recipient: buyer.email, creditsUrl } as const
  await queueDocument(client, { ...mail, nowMs: issuedAtMs })
  return { id, number }
}
