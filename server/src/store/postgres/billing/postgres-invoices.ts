import type { Pool, PoolClient } from 'pg'
import { type AuditEntry, systemActor } from '#domain/audit/audit-entry.ts'
import { draftInvoice, type InvoiceDraft, type MonthFigures } from '#domain/billing/draft-invoice.ts'
import { taxPercentFor } from '#domain/billing/tax-rates.ts'
import { formatUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { InvoiceTerms, Invoices } from '#ports/billing.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { queueDocument } from '../mail/queue-document.ts'
import { inTransaction } from '../with-client.ts'
import { readDocument } from './documents.sql.ts'
import {
  closeMonth,
  type DueMonth,
  findDueMonths,
  findInvoice,
  insertInvoice,
  type OverdueInvoice,
  readFigures,
  takeMonth,
  takeOverdue,
} from './invoices.sql.ts'
import { issueDocument } from './issue-documents.ts'
import { readBuyer } from './profiles.sql.ts'

const dayMs = 86_400_000
const batchMax = 100

/** Monthly invoices, on Postgres. Any number of workers can run this concurrently. */
export function createInvoices(pool: Pool): Invoices {
  return {
    find: (number) => refuseWhenAway(findInvoice(pool, number)),
    issueDue: async (terms, nowMs) => {
      const months = await findDueMonths(pool, { nowMs, atMost: batchMax })
      const issued: string[] = []
      for (const month of months) {
        const number = await inTransaction(pool, 'READ COMMITTED', (client) =>
          issueMonth(client, month, { terms, nowMs }),
        )
        if (number !== null) issued.push(number)
      }
      return { issued, isFull: months.length > 0 }
    },
    remindDue: ({ creditsUrl }, nowMs) =>
      inTransaction(pool, 'READ COMMITTED', (client) => tellOverdue(client, 'reminded', { creditsUrl, nowMs })),
    suspendOverdue: ({ creditsUrl }, nowMs) =>
      inTransaction(pool, 'READ COMMITTED', (client) => tellOverdue(client, 'suspended', { creditsUrl, nowMs })),
  }
}

/**
 * Locks the wallet, then takes a number: settles and payments of the wallet are either in the figures or come after
 * them.
 */
async function issueMonth(
  client: PoolClient,
  due: DueMonth,
  { terms, nowMs }: { terms: InvoiceTerms; nowMs: number },
): Promise<string | null> {
  if (!(await takeMonth(client, due))) return null
  const { walletId } = due
  const figures = await readFigures(client, due)
  const buyer = await readBuyer(client, walletId)
  const taxPercent = taxPercentFor(buyer, { rates: terms.taxes, channel: 'usd', localPercent: 0 })
  const draft = draftInvoice(figures, taxPercent)
  const { lines, credit, tax, carried } = draft
  if (lines.length === 0) {
    await closeMonth(client, due, { documentId: null, carried })
    return null
  }
  const dueAtMs = nowMs + terms.dueDays * dayMs
  const { id: documentId, number } = await issueDocument(client, {
    walletId,
    topUpId: null,
    position: null,
    month: due.month,
    issuer: terms,
    facts: {
      kind: 'invoice',
      issuedAtMs: nowMs,
      isTest: false,
      currency: 'usd',
      rate: null,
      lines,
      about: aboutOf(due, { figures, draft, dueAtMs }),
    },
  })
  const suspendsAtMs = terms.suspendDays === 0 ? null : dueAtMs + terms.suspendDays * dayMs
  await insertInvoice(client, { documentId, number, walletId, credit, tax, taxPercent, dueAtMs, suspendsAtMs })
  await closeMonth(client, due, { documentId, carried })
  const details = { number, month: due.month.slice(0, 7), total: usdJson(credit), tax: usdJson(tax) }
  await appendAudit(client, [entryOf(due, 'invoice.issue', details)], nowMs)
  return number
}

/** The exact figures behind the lines: usage plus balance equals the total without tax plus the carried amount. */
function aboutOf(
  { month }: DueMonth,
  { figures, draft, dueAtMs }: { figures: MonthFigures; draft: InvoiceDraft; dueAtMs: number },
) {
  const carried = formatUsd(draft.carried)
  return {
    month: month.slice(0, 7),
    due_at: new Date(dueAtMs).toISOString(),
    usage: figures.usage.map(({ costCenter, amount }) => ({ cost_center: costCenter, usd: formatUsd(amount) })),
    balance_usd: formatUsd(draft.balance),
    carried_usd: carried,
    note: `Lines are rounded to cents. ${carried} USD of usage beyond the total is carried over to the next month.`,
  }
}

async function tellOverdue(
  client: PoolClient,
  what: 'reminded' | 'suspended',
  { creditsUrl, nowMs }: { creditsUrl: string; nowMs: number },
): Promise<readonly string[]> {
  const overdue = await takeOverdue(client, what, { nowMs, atMost: batchMax })
  for (const { documentId, walletId } of overdue) {
    const { email: recipient } = await readBuyer(client, walletId)
    const kind = what === 'reminded' ? 'reminder' : 'suspended'
    await queueDocument(client, {
      kind,
      document: await readDocument(client, documentId),
      walletId,
      recipient,
      creditsUrl,
      nowMs,
    })
  }
  const entries = overdue.map((invoice) =>
    entryOf(invoice, `invoice.${what === 'reminded' ? 'remind' : 'suspend'}`, { number: invoice.number }),
  )
  await appendAudit(client, entries, nowMs)
  return overdue.map(({ number }) => number)
}

function entryOf(
  { walletId, organizationId }: Pick<OverdueInvoice, 'walletId' | 'organizationId'>,
  action: 'invoice.issue' | 'invoice.remind' | 'invoice.suspend',
  details: NonNullable<AuditEntry['details']>,
): AuditEntry {
  const target = { kind: 'wallet', id: walletId }
  return { chainId: organizationId, actor: systemActor, requestId: null, action, target, details }
}
