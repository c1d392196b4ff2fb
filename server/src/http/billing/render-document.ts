import type { BillingDocument } from '#domain/billing/billing-document.ts'
import type { BillingProfile } from '#domain/billing/parties.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { decimalOf } from '#domain/payments/currency.ts'
import type { JsonObject } from '#lib/json.ts'
import { rawJsonNumber } from '#lib/raw-json.ts'

export function renderDocument(document: BillingDocument): JsonObject {
  const { currency, total } = document
  return {
    number: document.number,
    kind: document.kind,
    wallet_id: document.walletId,
    top_up_id: document.topUpId,
    currency,
    total: rawJsonNumber(decimalOf(total, currency)),
    total_usd: usdJson(document.totalUsd),
    issued_at: new Date(document.issuedAtMs).toISOString(),
    sha256: document.sha256,
    due_at: momentOf(document.invoice?.dueAtMs ?? null),
    paid_at: momentOf(document.invoice?.paidAtMs ?? null),
    suspends: document.invoice?.isSuspending ?? false,
  }
}

function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function renderProfile(profile: BillingProfile | null): JsonObject | null {
  if (profile === null) return null
  const { name, address, country, taxId, email } = profile
  return { name, address, country, tax_id_kind: taxId?.kind ?? null, tax_id: taxId?.id ?? null, email }
}
