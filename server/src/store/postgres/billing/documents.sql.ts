import type { Pool, PoolClient } from 'pg'
import type { BillingDocument, DocumentKind, InvoiceState } from '#domain/billing/billing-document.ts'
import type { DocumentPlace } from '#domain/billing/document-number.ts'
import type { BookedEffect } from '#domain/billing/order-documents.ts'
import { isCurrency, minor } from '#domain/payments/currency.ts'
import type { EffectKind } from '#domain/payments/payment-effect.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { DocumentQuery } from '#ports/billing.ts'
import { readNano } from '../column-values.ts'

export interface DocumentRow {
  id: string
  number: string
  kind: DocumentKind
  wallet_id: string
  top_up_id: string | null
  currency: string
  total_minor: string
  total_nano: string
  snapshot: string
  sha256: string
  issued_at: Date
  due_at: Date | null
  paid_at: Date | null
  suspended_at: Date | null
}

export const documentColumns = `d.id, d.number, d.kind, d.wallet_id, d.top_up_id, d.currency, d.total_minor, d.total_nano, d.snapshot, d.sha256,
  d.issued_at, i.due_at, i.paid_at, i.suspended_at`
const documentTables = 'billing_documents d LEFT JOIN invoice_states i ON i.document_id = d.id'

export function documentOf(row: DocumentRow): BillingDocument {
  const { currency } = row
  assert(isCurrency(currency), 'a document is in a currency of the table')
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    walletId: row.wallet_id,
    topUpId: row.top_up_id,
    currency,
    total: minor(BigInt(row.total_minor)),
    totalUsd: readNano(row.total_nano),
    snapshot: row.snapshot,
    sha256: row.sha256,
    issuedAtMs: row.issued_at.getTime(),
    invoice: row.due_at === null ? null : stateOf(row, row.due_at),
  }
}

function stateOf({ paid_at, suspended_at }: DocumentRow, dueAt: Date): InvoiceState {
  return { dueAtMs: dueAt.getTime(), paidAtMs: paid_at?.getTime() ?? null, isSuspending: suspended_at !== null }
}

export async function findDocument(pool: Pool, walletId: Uuid, number: string): Promise<BillingDocument | null> {
  const text = `SELECT ${documentColumns} FROM ${documentTables} WHERE d.number = $2 AND d.wallet_id = $1`
  const { rows } = await pool.query<DocumentRow>(text, [walletId, number])
  return rows[0] === undefined ? null : documentOf(rows[0])
}

/** A document of any wallet. A number is unique over all of them. */
export async function findAnyDocument(pool: Pool, number: string): Promise<BillingDocument | null> {
  const text = `SELECT ${documentColumns} FROM ${documentTables} WHERE d.number = $1`
  const { rows } = await pool.query<DocumentRow>(text, [number])
  return rows[0] === undefined ? null : documentOf(rows[0])
}

/** Reads a document that exists. */
export async function readDocument(client: PoolClient, id: Uuid): Promise<BillingDocument> {
  const text = `SELECT ${documentColumns} FROM ${documentTables} WHERE d.id = $1`
  const { rows } = await client.query<DocumentRow>(text, [id])
  const [row] = rows
  assert(row !== undefined, 'a document is never deleted')
  return documentOf(row)
}

/** Not a named statement: the filters decide which index serves it. */
export async function listDocuments(pool: Pool, query: DocumentQuery): Promise<BillingDocument[]> {
  const { walletId, kind, before, limit } = query
  const text = `SELECT ${documentColumns} FROM ${documentTables}
    WHERE ($1::uuid IS NULL OR d.wallet_id = $1) AND ($2::text IS NULL OR d.kind = $2) AND ($3::uuid IS NULL OR d.id < $3)
    ORDER BY d.id DESC LIMIT $4`
  const { rows } = await pool.query<DocumentRow>(text, [walletId, kind, before, limit])
  return rows.map(documentOf)
}

/** Takes the next number of a series. Other transactions wait for this one to end, and reuse the number if it fails. */
export async function takeSerial(client: PoolClient, { series, year }: Omit<DocumentPlace, 'serial'>): Promise<number> {
  const text = `INSERT INTO billing_numbers AS n (series, year, last) VALUES ($1, $2, 1)
    ON CONFLICT (series, year) DO UPDATE SET last = n.last + 1 RETURNING last`
  const { rows } = await client.query<{ last: number }>(text, [series, year])
  const [row] = rows
  assert(row !== undefined, 'a series has a last number')
  return row.last
}

interface NewDocument extends Omit<BillingDocument, 'number' | 'invoice'>, DocumentPlace {
  readonly number: string
  /** Position of the order's effect, or null for an invoice. */
  readonly position: number | null
  /** First day of an invoice's month. */
  readonly month: string | null
}

export async function insertDocument(client: PoolClient, document: NewDocument): Promise<void> {
  const text = `INSERT INTO billing_documents (id, series, year, serial, number, kind, wallet_id, top_up_id, position, month, currency,
      total_minor, total_nano, snapshot, sha256, issued_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, to_timestamp($16::float8 / 1000))`
  await client.query(text, [
    document.id,
    document.series,
    document.year,
    document.serial,
    document.number,
    document.kind,
    document.walletId,
    document.topUpId,
    document.position,
    document.month,
    document.currency,
    document.total,
    document.totalUsd,
    document.snapshot,
    document.sha256,
    document.issuedAtMs,
  ])
}

interface EffectRow {
  position: number
  kind: EffectKind
  sum_minor: string
  number: string | null
  is_due: boolean
}

/** An effect of an order, the number of its document, and whether it may have a document. */
interface DocumentedEffect extends BookedEffect {
  readonly number: string | null
  readonly isDue: boolean
}

/** Requires the lock of the order. */
export async function listEffects(client: PoolClient, topUpId: Uuid): Promise<DocumentedEffect[]> {
  const text = `SELECT e.position, e.kind, e.sum_minor, d.number, e.booked_at >= s.started_at AS is_due
    FROM top_up_effects e CROSS JOIN billing_start s
    LEFT JOIN billing_documents d ON d.top_up_id = e.top_up_id AND d.position = e.position
    WHERE e.top_up_id = $1 ORDER BY e.position`
  const { rows } = await client.query<EffectRow>(text, [topUpId])
  return rows.map((row) => ({
    position: row.position,
    kind: row.kind,
    sum: minor(BigInt(row.sum_minor)),
    number: row.number,
    isDue: row.is_due,
  }))
}
