import { hash } from 'node:crypto'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { type Currency, decimalOf } from '../payments/currency.ts'
import { type ExchangeRate, formatRate } from '../payments/exchange-rate.ts'
import type { DocumentKind, DocumentLine } from './billing-document.ts'
import { totalsOf } from './order-documents.ts'
import type { Buyer, Seller } from './parties.ts'

export interface SnapshotFacts {
  readonly number: string
  readonly kind: DocumentKind
  readonly issuedAtMs: number
  /** Whether the document is from a provider's test mode. */
  readonly isTest: boolean
  readonly seller: Seller
  readonly buyer: Buyer
  readonly currency: Currency
  /** Null for US dollars. */
  readonly rate: ExchangeRate | null
  readonly lines: readonly DocumentLine[]
  /** The object of the document, by kind. */
  readonly about: JsonObject
}

interface Snapshot {
  readonly text: string
  readonly sha256: string
}

/**
 * Everything that a document shows, as text that is stored and hashed. Amounts are decimal strings, so that no reader
 * rounds them.
 */
export function snapshotOf(facts: SnapshotFacts): Snapshot {
  const { seller, buyer, currency, rate, lines } = facts
  const { total, totalUsd } = totalsOf(lines)
  const text = JSON.stringify({
    version: 1,
    number: facts.number,
    kind: facts.kind,
    issued_at: new Date(facts.issuedAtMs).toISOString(),
    test: facts.isTest,
    seller: { name: seller.name, address: seller.address, tax_id: seller.taxId },
    buyer: {
      name: buyer.name,
      address: buyer.address,
      country: buyer.country,
      tax_id_kind: buyer.taxId?.kind ?? null,
      tax_id: buyer.taxId?.id ?? null,
      email: buyer.email,
    },
    currency,
    rate: rate === null ? null : formatRate(rate),
    lines: lines.map((line) => ({
      item: line.item,
      label: line.label,
      percent: line.percent === null ? null : String(line.percent),
      amount: decimalOf(line.amount, currency),
      amount_usd: formatUsd(line.amountUsd),
    })),
    total: decimalOf(total, currency),
    total_usd: formatUsd(totalUsd),
    ...facts.about,
  })
  return { text, sha256: hash('sha256', text) }
}
