import { readUser } from '#control/operators/read-user.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { KeyAccount, KeyRecord } from '#ports/key-book.ts'
import { findOrganization } from '#store/postgres/organizations/find-organization.sql.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { formatTable } from './format-table.ts'
import { type Session, withSession } from './session.ts'

export const keyList: Command = {
  words: 'key list',
  summary: 'List the keys of a user or of an organization, without their secrets.',
  positionals: ['user…'],
  options: { organization: { type: 'string', value: '<id|slug>', description: 'In place of a user.' } },
  async run(input) {
    if ((input.rest(0).length === 1) === (input.text('organization') !== undefined))
      throw new UsageError('Name one user, or an organization with --organization.')
    return withSession(async (session) => {
      const account = await findAccount(session, input)
      const keys = await session.keys.list({ account, withRevoked: true, nowMs: Date.now() })
      const listings = keys.map(describe)
      const rows = listings.map((key) => [key.id, key.hint, key.name, key.type, key.state, key.spent, key.limit ?? ''])
      return { lines: formatTable(['ID', 'KEY', 'NAME', 'TYPE', 'STATE', 'SPENT', 'LIMIT'], rows), data: listings }
    })
  },
}

async function findAccount({ pool, users }: Session, input: CommandInput): Promise<KeyAccount> {
  const reference = input.text('organization')
  if (reference === undefined) return { kind: 'user', userId: (await readUser(users, input.argument(0))).id }
  const organization = await findOrganization(pool, reference)
  if (organization === null) throw new GatewayError('notFound', { message: `There is no organization ${reference}.` })
  return { kind: 'organization', organizationId: organization.id }
}

function describe(key: KeyRecord) {
  const limit = key.limit === null ? null : `${formatUsd(key.limit)}${key.period === null ? '' : ` per ${key.period}`}`
  return {
    id: key.id,
    hint: `${key.prefix}…${key.suffix}`,
    name: key.name,
    type: key.type,
    state: key.revoked ? 'revoked' : key.enabled ? 'enabled' : 'disabled',
    spent: formatUsd(key.total.spent),
    requests: key.total.requests,
    limit,
    allowedCidrs: [...key.allowedCidrs],
    expiresAt: momentText(key.expiresAtMs),
    createdAt: momentText(key.createdAtMs),
    lastUsedAt: momentText(key.lastUsedAtMs),
  }
}

function momentText(momentMs: number | null): string | null {
  return momentMs === null ? null : new Date(momentMs).toISOString()
}
