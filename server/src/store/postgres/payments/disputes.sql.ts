import type { Pool, PoolClient } from 'pg'
import { minor } from '#domain/payments/currency.ts'
import type { PaymentDispute } from '#domain/payments/payment-reading.ts'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName } from '#ports/customers.ts'
import type { OrderDispute } from '#ports/payments.ts'

const closed = `('won', 'lost', 'warning_closed', 'prevented')`

/** Requires the lock of the order. A reading that is older than a decision does not reopen the dispute. */
export async function putDisputes(
  client: PoolClient,
  { provider, topUpId }: { readonly provider: PaymentSource; readonly topUpId: Uuid },
  disputes: readonly PaymentDispute[],
): Promise<void> {
  const text = `INSERT INTO payment_disputes AS d
      (provider, id, top_up_id, status, reason, amount_minor, currency, evidence_due_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::float8 / 1000), to_timestamp($9::float8 / 1000))
    ON CONFLICT (provider, id) DO UPDATE SET status = excluded.status, reason = excluded.reason,
      amount_minor = excluded.amount_minor, evidence_due_at = excluded.evidence_due_at, updated_at = now()
    WHERE d.status NOT IN ${closed}`
  for (const { id, status, reason, amount, currency, evidenceDueAtMs, createdAtMs } of disputes) {
    await client.query(text, [provider, id, topUpId, status, reason, amount, currency, evidenceDueAtMs, createdAtMs])
  }
}

interface Row {
  provider: PaymentSource
  id: string
  top_up_id: string
  status: string
  reason: string
  amount_minor: string
  currency: string
  evidence_due_at: Date | null
  created_at: Date
  is_open: boolean
  owner_kind: CustomerName['kind']
  owner_id: string
  owner_name: string | null
}

/** Open disputes first, the nearest deadline first, then decided ones, the newest first. */
export async function listDisputes(
  pool: Pool,
  { topUpId, isOpen, limit }: { topUpId: Uuid | null; isOpen: boolean | null; limit: number },
): Promise<OrderDispute[]> {
  const text = `SELECT d.*, d.status NOT IN ${closed} AS is_open, w.owner_kind, w.owner_id,
      coalesce(o.name, CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END) AS owner_name
    FROM payment_disputes d JOIN top_ups t ON t.id = d.top_up_id JOIN wallets w ON w.id = t.wallet_id
    LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    WHERE ($1::uuid IS NULL OR d.top_up_id = $1) AND ($2::boolean IS NULL OR (d.status NOT IN ${closed}) = $2)
    ORDER BY d.status IN ${closed}, CASE WHEN d.status NOT IN ${closed} THEN d.evidence_due_at END,
      d.created_at DESC, d.id LIMIT $3`
  const { rows } = await pool.query<Row>(text, [topUpId, isOpen, limit])
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    topUpId: row.top_up_id,
    customer: { kind: row.owner_kind, id: row.owner_id, name: row.owner_name },
    status: row.status,
    isOpen: row.is_open,
    reason: row.reason,
    amount: minor(BigInt(row.amount_minor)),
    currency: row.currency,
    evidenceDueAtMs: row.evidence_due_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  }))
}
