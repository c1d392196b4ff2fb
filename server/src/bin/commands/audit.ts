import { type VerifiedChain, verifyAuditLog } from '#control/audit/verify-audit-log.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import { readChainsAtOnce } from '#store/postgres/audit/audit-log.ts'
import { findChain } from '#store/postgres/audit/audit.sql.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { type Command, UsageError } from '../command-line/command.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { readConfig } from '../read-config.ts'

/**
 * A separate exit code lets a monitor tell wrong books, or a log that was tampered with, from an unavailable database.
 */
const faultExitCode = 3

/** The most faults listed after the first, which is shown with its rows. */
const othersMax = 100

export const auditCommands: readonly Command[] = [
  {
    words: 'audit ledger',
    summary:
      'Check that balances, holds, limit windows, usage, rollups and charges match to the nano-dollar, and that payments match their provider. Prints the first discrepancy with its rows and exits with code 3.',
    options: {
      'overdue-ms': {
        type: 'string',
        value: '<milliseconds>',
        description: 'How late the hold sweeper may be. Default: two sweeps.',
      },
    },
    run: async (input) => {
      const config = await readConfig()
      const overdueText = input.text('overdue-ms') ?? String(config.money.sweepIntervalMs * 2)
      if (!/^\d{1,9}$/.test(overdueText)) throw new UsageError('--overdue-ms must be an integer.')
      const { unbilledUsd, unbilledPercent } = config.limits
      const unbilled = { allowance: parseUsd(unbilledUsd), percent: unbilledPercent }
      const { createPatientPool } = await import('#store/postgres/pools.ts')
      const pool = createPatientPool({ url: config.postgres.url, name: 'weir audit', onError: () => {} })
      const discrepancies = await auditLedger(pool, { overdueMs: Number(overdueText), unbilled }).finally(() =>
        pool.end(),
      )
      const data = discrepancies.map(({ rows, ...discrepancy }) => ({ ...discrepancy, rows: [...rows] }))
      const [first, ...others] = discrepancies
      if (first === undefined) return { lines: ['the ledger is consistent'], data }
      return { lines: [...linesOf(first), ...linesOfOthers(others)], data, exitCode: faultExitCode }
    },
  },
  {
    words: 'audit log',
    summary:
      'Verify the hash chains of the audit log and print the last hash of each. Exits with code 3 if a chain is broken.',
    options: {
      organization: {
        type: 'string',
        value: '<id|slug>',
        description: 'Verify only this chain; `platform` for the chain without an organization.',
      },
      expect: {
        type: 'string',
        multiple: true,
        value: '<hash>',
        description: 'A hash that used to end a chain. Fails if no entry has it.',
      },
    },
    run: (input) =>
      withSession(async (session) => {
        const expectedHashes = input.list('expect').map(readHash)
        const chainId = await chainOf(session, input.text('organization'))
        const { chains, missing } = await readChainsAtOnce(session.pool, (stored) =>
          verifyAuditLog(stored, { chainId, expectedHashes }),
        )
        const lines = [...chains.flatMap(describe), ...missing.map((hash) => `no entry has the expected hash ${hash}`)]
        const isWhole = missing.length === 0 && chains.every(({ fault }) => fault === null)
        const data = { chains: chains.map(dataOf), missing: [...missing] }
        return {
          lines: lines.length === 0 ? ['no entries'] : lines,
          data,
          ...(isWhole ? {} : { exitCode: faultExitCode }),
        }
      }),
  },
]

function linesOf(discrepancy: Discrepancy): string[] {
  const { walletId, what, table, month, day, subject, expected, found, rows } = discrepancy
  const facts = {
    wallet: walletId ?? 'unknown',
    table,
    month: month?.slice(0, -3) ?? null,
    day,
    subject,
    expected,
    found,
  }
  return [
    `Ledger mismatch: ${what}.`,
    ...Object.entries(facts).flatMap(([name, fact]) => (fact === null ? [] : [`  ${name.padEnd(8)}  ${fact}`])),
    ...(rows.length === 0 ? [] : ['  rows:']),
    ...rows.map((row) => `    ${Object.entries(row).flatMap(cell).join(', ')}`),
  ]
}

function cell([name, value]: [string, unknown]): string[] {
  return value === null || value === undefined ? [] : [`${name}: ${String(value)}`]
}

function linesOfOthers(others: readonly Discrepancy[]): string[] {
  if (others.length === 0) return []
  const shown = others.slice(0, othersMax).map(({ walletId, what, table, day, month, subject, expected, found }) => {
    const where = [`wallet ${walletId ?? 'unknown'}`, table, day ?? month, subject].filter((part) => part !== null)
    return `  ${where.join(', ')}: ${what}; expected ${expected}, found ${found}`
  })
  const left = others.length - shown.length
  return ['Also found, possibly with the same cause:', ...shown, ...(left > 0 ? [`  and ${left} more`] : [])]
}

function readHash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new UsageError('--expect must be a hash of 64 hexadecimal digits.')
  return text.toLowerCase()
}

async function chainOf({ pool }: Session, reference: string | undefined): Promise<string | null> {
  if (reference === undefined) return null
  if (reference === 'platform') return platformChain
  const chainId = await findChain(pool, reference)
  if (chainId === null) throw new GatewayError('notFound', { message: `Organization ${reference} not found.` })
  return chainId
}

function nameOf(chainId: string): string {
  return chainId === platformChain ? 'platform' : chainId
}

function describe({ chainId, last, fault }: VerifiedChain): string[] {
  const name = nameOf(chainId)
  if (fault === null) return [`${name}: ${last.sequence} entries, ends with ${last.hash}`]
  const place = fault.entry === null ? '' : `, entry ${fault.entry.sequence} ${fault.entry.id ?? ''}`.trimEnd()
  const good = `${name}: valid up to entry ${last.sequence} ${last.hash}`.trimEnd()
  return [good, `${name}${place}: ${fault.what}; expected ${fault.expected}, found ${fault.found}`]
}

function dataOf({ chainId, last, fault }: VerifiedChain) {
  return {
    chain: nameOf(chainId),
    entries: String(last.sequence),
    hash: last.hash,
    fault: fault === null ? null : { ...fault, entry: entryData(fault.entry) },
  }
}

function entryData(entry: { sequence: bigint; id: string | null } | null) {
  return entry === null ? null : { sequence: String(entry.sequence), id: entry.id }
}
