import { type VerifiedChain, verifyAuditLog } from '#control/audit/verify-audit-log.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { readChainsAtOnce } from '#store/postgres/audit/audit-archive.ts'
import { findChain } from '#store/postgres/audit/find-chain.sql.ts'
import { type Command, UsageError } from './command.ts'
import { type Session, withSession } from './session.ts'

/** As for the ledger: a monitor can tell a log that was tampered with from a database that is away. */
const faultExitCode = 3

export const auditLog: Command = {
  words: 'audit log',
  summary: 'Recompute the hashes of the audit log and show where each chain ends. Exit code 3 if one is broken.',
  options: {
    organization: {
      type: 'string',
      value: '<id|slug>',
      description: 'Only this chain; `platform` for the one that belongs to no organization.',
    },
    expect: {
      type: 'string',
      multiple: true,
      value: '<hash>',
      description: 'A hash that was the end of a chain before. Some entry must still have it.',
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
        lines: lines.length === 0 ? ['there are no entries'] : lines,
        data,
        ...(isWhole ? {} : { exitCode: faultExitCode }),
      }
    }),
}

function readHash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new UsageError('--expect is a hash of 64 hexadecimal digits.')
  return text.toLowerCase()
}

async function chainOf({ pool }: Session, reference: string | undefined): Promise<string | null> {
  if (reference === undefined) return null
  if (reference === 'platform') return platformChain
  const chainId = await findChain(pool, reference)
  if (chainId === null) throw new GatewayError('notFound', { message: `There is no organization ${reference}.` })
  return chainId
}

function nameOf(chainId: string): string {
  return chainId === platformChain ? 'platform' : chainId
}

function describe({ chainId, last, fault }: VerifiedChain): string[] {
  const name = nameOf(chainId)
  if (fault === null) return [`${name}: ${last.sequence} entries, ends with ${last.hash}`]
  const place = fault.entry === null ? '' : `, entry ${fault.entry.sequence} ${fault.entry.id ?? ''}`.trimEnd()
  const good = `${name}: good up to entry ${last.sequence} ${last.hash}`.trimEnd()
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
