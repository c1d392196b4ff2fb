import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { balanceChangeOf } from '#domain/ledger/transfer.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { type CalendarMonth, rangeOfMonth } from '#lib/utc-calendar.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { BookedTransfer, OpenHold, WalletTotals, WalletStatement } from '#ports/ledger.ts'

export function renderWallet(wallet: WalletTotals): JsonObject {
  const { balance, held, creditLine } = wallet
  return {
    id: wallet.id,
    owner: { kind: wallet.ownerKind, id: wallet.ownerId },
    balance: usdJson(balance),
    held: usdJson(held),
    in_customer_balances: usdJson(wallet.inCustomerBalances),
    available: usdJson(nanoUsd(balance + creditLine - held)),
    credit_line: usdJson(creditLine),
    paid: usdJson(wallet.paid),
    granted: usdJson(wallet.granted),
    redeemed: usdJson(wallet.redeemed),
    expired: usdJson(wallet.expired),
    corrected: usdJson(wallet.corrected),
    refunded: usdJson(wallet.refunded),
    disputed: usdJson(wallet.disputed),
    written_off: usdJson(wallet.writtenOff),
    charged: usdJson(wallet.charged),
    expiring: wallet.expiring.map(({ grant, left }) => ({
      id: grant.id,
      granted: usdJson(grant.amount),
      left: usdJson(left),
      expires_at: new Date(grant.expiresAtMs).toISOString(),
    })),
    has_notices: wallet.hasNotices,
  }
}

/** The operator's note on a credit is not shown. */
export function renderTransfer(transfer: BookedTransfer): JsonObject {
  const { id, kind, balanceAfter } = transfer
  return {
    id,
    kind,
    amount: usdJson(balanceChangeOf(transfer)),
    moved: usdJson(transfer.amount),
    debit: transfer.debit,
    credit: transfer.credit,
    balance_after: balanceAfter === null ? null : usdJson(balanceAfter),
    generation_id: kind === 'charge' ? publicGenerationId(id) : null,
    at: new Date(uuidTimeMs(id)).toISOString(),
    booked_at: new Date(transfer.bookedAtMs).toISOString(),
  }
}

export function renderHold(hold: OpenHold): JsonObject {
  return {
    generation_id: publicGenerationId(hold.id),
    api_key_id: hold.keyId,
    amount: usdJson(hold.amount),
    placed_at: new Date(hold.placedAtMs).toISOString(),
    age_ms: hold.ageMs,
    lease_until: new Date(hold.leaseUntilMs).toISOString(),
  }
}

export function renderStatement(
  { walletId, month }: { walletId: Uuid; month: CalendarMonth },
  { opening, lines, closing }: WalletStatement,
): JsonObject {
  const { startMs, endMs } = rangeOfMonth(month)
  return {
    wallet_id: walletId,
    month: `${month.year}-${String(month.month).padStart(2, '0')}`,
    from: new Date(startMs).toISOString(),
    to: new Date(endMs).toISOString(),
    opening_balance: usdJson(opening),
    lines: lines.map(({ kind, change, moved }) => ({
      kind,
      amount: usdJson(change),
      moved: usdJson(moved),
    })),
    closing_balance: usdJson(closing),
  }
}
