import type { Pool } from 'pg'
import type { LedgerAccount, TransferKind } from '#domain/ledger/transfer.ts'
import { firstUuidAt, type Uuid } from '#lib/uuid.ts'
import type { BookedTransfer, TransferQuery } from '#ports/ledger.ts'
import { readNano, readNullableNano } from '../column-values.ts'

interface Row {
  id: string
  leg: number
  kind: TransferKind
  debit: LedgerAccount
  credit: LedgerAccount
  amount_nano: string
  balance_after_nano: string | null
  created_at: Date
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Transfers in id order, which the index has, so that no more rows are read than shown. */
export async function listTransfers(pool: Pool, query: TransferQuery): Promise<BookedTransfer[]> {
  const { text, values } = transferStatement(query)
  const { rows } = await pool.query<Row>(text, [...values])
  return rows.map(transferOf)
}

/** All legs with one transaction's id. The id of a charge is that of its request. */
export async function listTransfersOf(
  pool: Pool,
  { id, walletId }: { readonly id: Uuid; readonly walletId: Uuid },
): Promise<BookedTransfer[]> {
  const text = `SELECT id, leg, kind, debit, credit, amount_nano, balance_after_nano, created_at FROM ledger_transfers
    WHERE id = $1 AND wallet_id = $2 ORDER BY leg`
  const { rows } = await pool.query<Row>(text, [id, walletId])
  return rows.map(transferOf)
}

function transferOf(row: Row): BookedTransfer {
  return {
    id: row.id,
    leg: row.leg,
    kind: row.kind,
    debit: row.debit,
    credit: row.credit,
    amount: readNano(row.amount_nano),
    balanceAfter: readNullableNano(row.balance_after_nano),
    bookedAtMs: row.created_at.getTime(),
  }
}

/** Not a named statement: partitions are pruned only if the values are known when it is planned. */
export function transferStatement(query: TransferQuery): { text: string; values: readonly unknown[] } {
  const { walletId, kind, fromMs, toMs, after, limit } = query
  // Nearly all of a wallet's transfers are charges. The others have their own index.
  const ofKind =
    kind === null
      ? ` AND kind <> 'processor_fee'`
      : kind === 'charge'
        ? ' AND kind = $7'
        : ` AND kind <> 'charge' AND kind = $7`
  const text = `SELECT id, leg, kind, debit, credit, amount_nano, balance_after_nano, created_at FROM ledger_transfers
    WHERE wallet_id = $1 AND id >= $2 AND id < $3 AND id <= $4 AND (id, leg) < ($4, $5::smallint)${ofKind}
    ORDER BY id DESC, leg DESC LIMIT $6`
  const end: Uuid = toMs === null ? lastId : firstUuidAt(toMs)
  const values = [walletId, firstUuidAt(fromMs ?? 0), end, after?.id ?? lastId, after?.leg ?? 0, limit]
  return { text, values: kind === null ? values : [...values, kind] }
}
