import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { EarningsSums } from '#ports/earnings.ts'
import type { JournalAccountId } from '#domain/accounting/accounts.ts'
import { type AccountChange, accountChanges, type JournalEntry } from '#domain/accounting/journal.ts'

/** What a month brought in and cost, by account, from the journal alone. */
export interface RevenueSums {
  readonly usage: NanoUsd
  readonly fees: NanoUsd
  readonly providerCost: NanoUsd
  readonly promotions: NanoUsd
  readonly badDebts: NanoUsd
  readonly processing: NanoUsd
  /** Money that came in from customers, less what went back, and less the processor's fees. */
  readonly received: NanoUsd
  readonly tax: NanoUsd
  readonly result: NanoUsd
}

/** The parts of a month's result. Income is credits less debits of its account, an expense the reverse. */
export function splitRevenue(entries: readonly JournalEntry[]): RevenueSums {
  const changes = accountChanges(entries)
  const parts = {
    usage: creditsOf(changes, 'usage'),
    fees: creditsOf(changes, 'fees'),
    providerCost: debitsOf(changes, 'provider_cost'),
    promotions: debitsOf(changes, 'grants'),
    badDebts: debitsOf(changes, 'losses'),
    processing: debitsOf(changes, 'processor'),
  }
  const { usage, fees, providerCost, promotions, badDebts, processing } = parts
  return {
    ...parts,
    received: nanoUsd(debitsOf(changes, 'cash') + debitsOf(changes, 'disputed')),
    tax: creditsOf(changes, 'tax'),
    result: nanoUsd(usage + fees - providerCost - promotions - badDebts - processing),
  }
}

/** What the shown groups lack of a month's sums. */
export interface RevenueRest {
  /** Groups beyond the limit. */
  readonly others: EarningsSums
  /** Usage of the ledger that no group has yet: the sums of requests are some seconds behind. */
  readonly unattributed: NanoUsd
}

/** So that groups, others and the unattributed part sum to the ledger exactly. */
export function restOf(
  usage: NanoUsd,
  groups: { readonly total: EarningsSums; readonly rows: readonly EarningsSums[] },
): RevenueRest {
  const { total, rows } = groups
  const shown = rows.reduce(add, nothing)
  return {
    others: {
      requests: total.requests - shown.requests,
      charged: nanoUsd(total.charged - shown.charged),
      absorbed: nanoUsd(total.absorbed - shown.absorbed),
      providerCost: nanoUsd(total.providerCost - shown.providerCost),
    },
    unattributed: nanoUsd(usage - total.charged),
  }
}

const nothing: EarningsSums = { requests: 0, charged: zeroUsd, absorbed: zeroUsd, providerCost: zeroUsd }

function add(sum: EarningsSums, one: EarningsSums): EarningsSums {
  return {
    requests: sum.requests + one.requests,
    charged: nanoUsd(sum.charged + one.charged),
    absorbed: nanoUsd(sum.absorbed + one.absorbed),
    providerCost: nanoUsd(sum.providerCost + one.providerCost),
  }
}

function creditsOf(changes: readonly AccountChange[], wanted: JournalAccountId): NanoUsd {
  return nanoUsd(-debitsOf(changes, wanted))
}

function debitsOf(changes: readonly AccountChange[], wanted: JournalAccountId): NanoUsd {
  const found = changes.find(({ account }) => account === wanted)
  return found === undefined ? zeroUsd : nanoUsd(found.debits - found.credits)
}
