import type { Pool } from 'pg'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import type { Payment } from '#test/simulators/payments/objects.ts'
import type { ProviderState } from '#test/simulators/payments/provider-state.ts'
import type { PaymentScene } from './payment-scene.ts'

const nanoPerCent = 10_000_000n
const creditOf = (cents: bigint): bigint => (cents * nanoPerCent * 10n) / 11n

/**
 * Compares the orders of some wallets with the provider's own state, without any of the code that booked them. Returns
 * the problems as text.
 */
export async function judgeOrders({ world, provider }: PaymentScene, walletIds: readonly string[]): Promise<string[]> {
  const { rows } = await world.pool.query<OrderRow>(ordersText, [walletIds])
  const faults = rows.flatMap((row) => judgeOrder(row, saidOf(provider.state, row.id)))
  const wallets = await world.pool.query<WalletRow>(walletsText, [walletIds])
  for (const { id, balance, credits } of wallets.rows) {
    const own = rows.filter((row) => row.wallet_id === id).map((row) => saidOf(provider.state, row.id))
    const due = own.reduce((sum, said) => sum + creditOf(said.paid) - creditOf(said.gone), 0n)
    const payments = own.filter(({ paid }) => paid > 0n).length
    if (BigInt(balance) !== due) faults.push(`wallet ${id} has ${balance}, and payments are worth ${due}`)
    if (credits !== payments) faults.push(`wallet ${id} has ${credits} credits of ${payments} payments`)
  }
  return [...faults, ...(await unbalanced(world.pool, walletIds)), ...(await gaps(world.pool))]
}

/** Returns each finding of `weir audit ledger` once: a problem persists in all later runs. */
export function watchAudit(pool: Pool): () => Promise<string[]> {
  const known = new Set<string>()
  return async () => {
    const found = (await auditLedger(pool, { overdueMs: 0 })).map(
      ({ what, subject, expected, found: is }) => `audit: ${what}: ${subject}: ${expected}, found ${is}`,
    )
    return found.filter((line) => known.size < known.add(line).size)
  }
}

interface OrderRow {
  id: string
  wallet_id: string
  state: string
  /** Transactions that credit the wallet with the payment. */
  credits: number
  /** The sum on the accounts that represent the provider's balance. */
  provided: string
  receipts: number
  /** Totals of receipts and of credit notes, in cents. */
  receipted: string
  noted: string
}

const ordersText = `SELECT t.id, t.wallet_id, t.state,
    (SELECT count(*)::integer FROM ledger_transfers l WHERE l.wallet_id = t.wallet_id AND l.id = t.id AND l.kind = 'top_up') AS credits,
    (SELECT coalesce(-sum(p.amount_nano), 0) FROM ledger_postings p JOIN top_up_effects e ON e.transaction_id = p.id
      WHERE e.top_up_id = t.id AND p.account IN ('cash', 'disputed')) AS provided,
    d.receipts, d.receipted, d.noted
  FROM top_ups t CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE kind = 'receipt')::integer AS receipts,
      coalesce(sum(total_minor) FILTER (WHERE kind = 'receipt'), 0) AS receipted,
      coalesce(sum(total_minor) FILTER (WHERE kind = 'credit_note'), 0) AS noted
    FROM billing_documents WHERE top_up_id = t.id) AS d
  WHERE t.wallet_id = ANY ($1) ORDER BY t.id`

interface WalletRow {
  id: string
  balance: string
  credits: number
}

const walletsText = `SELECT w.id, w.balance_nano AS balance,
    (SELECT count(*)::integer FROM ledger_transfers l WHERE l.wallet_id = w.id AND l.kind = 'top_up') AS credits
  FROM wallets w WHERE w.id = ANY ($1)`

/** The provider's state of an order, in cents. */
interface Said {
  /** More than one means that the payer was charged again. */
  readonly payments: number
  readonly paid: bigint
  /** The refunded and disputed amount, as far as it can be taken from the owner. */
  readonly gone: bigint
  readonly net: bigint
  /** The permanently returned amount, by refunds and lost disputes. */
  readonly returned: bigint
  /** Refunds by our operator. */
  readonly operated: number
}

function saidOf(state: ProviderState, orderId: string): Said {
  const payments = paymentsOf(state, orderId)
  const [payment] = payments
  if (payment === undefined) return { payments: 0, paid: 0n, gone: 0n, net: 0n, returned: 0n, operated: 0 }
  const lines = state.linesOf(payment.id)
  const paid = BigInt(payment.amount_received)
  const gone = paid - lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const refunds = [...state.refunds.values()].filter(({ payment_intent }) => payment_intent === payment.id)
  const refunded = refunds.filter(({ status }) => status === 'succeeded')
  const lost = [...state.disputes.values()].filter(
    ({ payment_intent, status }) => payment_intent === payment.id && status === 'lost',
  )
  const returned = [...refunded, ...lost].reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return {
    payments: payments.length,
    paid,
    gone: gone > paid ? paid : gone,
    net: lines.reduce((sum, { net }) => sum + BigInt(net), 0n),
    returned: returned > paid ? paid : returned,
    operated: refunds.filter(({ metadata }) => metadata['top_up_id'] === orderId).length,
  }
}

/** Received payments of an order, on its page or by a saved card. */
function paymentsOf(state: ProviderState, orderId: string): Payment[] {
  return [...state.payments.values()].filter(
    ({ metadata, status }) => metadata['top_up_id'] === orderId && status === 'succeeded',
  )
}

function judgeOrder(row: OrderRow, { payments, paid, net, returned, operated }: Said): string[] {
  const { id, state, credits, provided, receipts, receipted, noted } = row
  const faults: string[] = []
  if (paid > 0n && credits === 0) faults.push(`order ${id} was paid and is not credited (${state})`)
  if (paid === 0n && (credits > 0 || provided !== '0')) faults.push(`order ${id} was credited and not paid (${state})`)
  if (credits > 1) faults.push(`order ${id} was credited ${credits} times`)
  if (BigInt(provided) !== net * nanoPerCent)
    faults.push(`order ${id}: the provider has ${net} cents of it, our books ${provided} nano`)
  if (paid > 0n && ['open', 'expired', 'mismatch'].includes(state)) faults.push(`order ${id} was paid and is ${state}`)
  if (payments > 1) faults.push(`order ${id} was paid ${payments} times`)
  if (operated > 1) faults.push(`order ${id} was refunded ${operated} times for one request`)
  if (receipts !== credits || BigInt(receipted) !== paid)
    faults.push(`order ${id} of ${paid} cents has ${receipts} receipts over ${receipted}`)
  if (BigInt(noted) !== -returned)
    faults.push(`order ${id}: ${returned} cents went back for good, credit notes are over ${noted}`)
  return faults
}

async function unbalanced(pool: Pool, walletIds: readonly string[]): Promise<string[]> {
  const text = 'SELECT id FROM ledger_postings WHERE wallet_id = ANY ($1) GROUP BY id HAVING sum(amount_nano) <> 0'
  const { rows } = await pool.query<{ id: string }>(text, [walletIds])
  return rows.map(({ id }) => `transaction ${id} does not sum to zero`)
}

async function gaps(pool: Pool): Promise<string[]> {
  const text = `SELECT series || '-' || year AS name FROM billing_documents GROUP BY series, year
    HAVING count(*) <> max(serial) OR min(serial) <> 1`
  const { rows } = await pool.query<{ name: string }>(text)
  return rows.map(({ name }) => `numbers of documents have a gap: ${name}`)
}
