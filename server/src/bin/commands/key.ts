import type { KeyAccount } from '#domain/access/key-account.ts'
import { changeKey } from '#control/keys/change-key.ts'
import { createKey } from '#control/keys/create-key.ts'
import { placeOrganizationKey } from '#control/keys/place-organization-key.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { readUser } from '#control/operators/create-user.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { parseSpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyOwner, KeyRecord, KeyTerms } from '#ports/keys.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { findOrganization } from '#store/postgres/organizations/organizations.sql.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { keyState } from '../command-line/key-state.ts'
import { parseOptionalAmount, readMoment } from '../command-line/read-values.ts'
import { type Session, withSession } from '../command-line/session.ts'

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    summary: 'Create an API key for a user or an organization. The secret is shown once.',
    positionals: ['user…'],
    options: {
      name: { type: 'string', value: '<name>', description: 'Name of the key. Required.' },
      organization: {
        type: 'string',
        value: '<id|slug>',
        description: 'Organization that pays for the key, instead of a user.',
      },
      member: {
        type: 'string',
        value: '<member-id>',
        description: 'Member who uses the key, or for whom a management key acts.',
      },
      team: {
        type: 'string',
        value: '<team-id>',
        description: 'Team of the key. The key stops working when the team is deleted.',
      },
      management: {
        type: 'boolean',
        description: "Create a management key, which manages keys and can't call models.",
      },
      limit: { type: 'string', value: '<usd>', description: 'Spend limit in USD.' },
      period: {
        type: 'string',
        value: `<${spendPeriods.join('|')}>`,
        description: 'Period of the spend limit. Default: lifetime.',
      },
      expires: { type: 'string', value: '<timestamp>', description: 'Expiry, such as 2027-01-31T00:00:00Z.' },
      cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'Allowed address or CIDR range.' },
    },
    async run(input) {
      const terms = readTerms(input)
      return withSession(async (session) => {
        const owner = await findKeyOwner(session, input, terms.type)
        const key = await createKey(session.keys, { owner, terms, author: commandAuthor(Date.now()) })
        return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
      })
    },
  },
  {
    words: 'key list',
    summary: 'List the API keys of a user or an organization, without secrets.',
    positionals: ['user…'],
    options: { organization: { type: 'string', value: '<id|slug>', description: 'Organization, instead of a user.' } },
    async run(input) {
      assertOwner(input)
      return withSession(async (session) => {
        const account = await findAccount(session, input)
        const keys = await session.keys.list({ account, withRevoked: true, nowMs: Date.now() })
        const listings = keys.map(describe)
        const rows = listings.map((key) => [
          key.id,
          key.hint,
          key.name,
          key.type,
          key.state,
          key.spent,
          key.limit ?? '',
        ])
        return { lines: formatTable(['ID', 'KEY', 'NAME', 'TYPE', 'STATE', 'SPENT', 'LIMIT'], rows), data: listings }
      })
    },
  },
  {
    words: 'key disable',
    summary: 'Disable an API key, or a key of `weir operator key list`.',
    positionals: ['key-id'],
    run: (input) => switchKey(input.argument(0), { enabled: false }),
  },
  {
    words: 'key enable',
    summary: 'Enable a disabled API key or operator key.',
    positionals: ['key-id'],
    run: (input) => switchKey(input.argument(0), { enabled: true }),
  },
  {
    words: 'key revoke',
    summary: 'Revoke an API key permanently, or a key of `weir operator key list`.',
    positionals: ['key-id'],
    run: (input) =>
      withSession(async (session) => {
        const id = input.argument(0)
        await revokeKey(session, { keyId: id, account: null }, commandAuthor(Date.now()))
        return { lines: [`key ${id} is revoked`], data: { id, state: 'revoked' } }
      }),
  },
  {
    words: 'key cidrs',
    summary: 'Set the addresses an API key may be used from: IPv4 addresses, IPv4 CIDR ranges and IPv6 addresses.',
    positionals: ['key-id', 'cidr…'],
    options: { clear: { type: 'boolean', description: 'Allow all addresses.' } },
    async run(input) {
      const cidrs = input.rest(1)
      // An empty list allows every address, so it must not result from a forgotten argument.
      if ((cidrs.length === 0) !== input.flag('clear')) throw new UsageError('Specify addresses or --clear.')
      return withSession(async (session) => {
        const id = input.argument(0)
        await changeKey(session, { keyId: id, account: null }, { allowedCidrs: cidrs }, commandAuthor(Date.now()))
        const where = cidrs.length === 0 ? 'everywhere' : cidrs.join(', ')
        return { lines: [`key ${id} may be used from ${where}`], data: { id, allowedCidrs: cidrs } }
      })
    },
  },
]

function readTerms(input: CommandInput): KeyTerms {
  const name = input.text('name')
  if (name === undefined) throw new UsageError('--name is required.')
  assertOwner(input)
  return {
    name,
    type: input.flag('management') ? 'management' : 'standard',
    limit: parseOptionalAmount(input.text('limit')),
    period: readPeriod(input.text('period')),
    expiresAtMs: readMoment(input.text('expires')),
    allowedCidrs: input.list('cidr'),
  }
}

function assertOwner(input: CommandInput): void {
  if ((input.rest(0).length === 1) === (input.text('organization') !== undefined))
    throw new UsageError('Specify one user, or an organization with --organization.')
}

function readPeriod(text: string | undefined) {
  if (text === undefined) return null
  const period = parseSpendPeriod(text)
  if (period === undefined) throw new UsageError(`The period must be one of ${spendPeriods.join(', ')}.`)
  return period
}

/** Finds the owner of the new key: a user, or an organization with the given member and team. */
async function findKeyOwner(session: Session, input: CommandInput, type: KeyType): Promise<KeyOwner> {
  const reference = input.text('organization')
  const [memberId = null, teamId = null] = [input.text('member'), input.text('team')]
  if (reference === undefined) {
    if (memberId !== null || teamId !== null) throw new UsageError('--member and --team require --organization.')
    return { kind: 'user', userId: (await readUser(session.users, input.argument(0))).id }
  }
  const organizationId = await readOrganizationId(session, reference)
  const memberships = createMemberships(session.pool)
  const grant = { reach: 'organization' } as const
  if (type === 'standard') {
    // Without a member and a team, the operator creates a shared key.
    const wish = { type, memberId, teamId, shared: memberId === null && teamId === null }
    return placeOrganizationKey(memberships, { organizationId, grant, manager: null }, wish)
  }
  if (memberId === null) throw new UsageError('A management key requires --member: the member it acts for.')
  const member = isUuid(memberId) ? await memberships.findMember({ organizationId, memberId }) : null
  if (member === null)
    throw new GatewayError('notFound', { message: `Member ${memberId} not found in this organization.` })
  const manager = { memberId: member.id, userId: member.userId }
  return placeOrganizationKey(
    memberships,
    { organizationId, grant, manager },
    { type, memberId: null, teamId, shared: false },
  )
}

async function readOrganizationId({ pool }: Session, reference: string): Promise<Uuid> {
  const organization = await findOrganization(pool, reference)
  if (organization === null) throw new GatewayError('notFound', { message: `Organization ${reference} not found.` })
  return organization.id
}

async function findAccount(session: Session, input: CommandInput): Promise<KeyAccount> {
  const reference = input.text('organization')
  if (reference === undefined) return { kind: 'user', userId: (await readUser(session.users, input.argument(0))).id }
  return { kind: 'organization', organizationId: await readOrganizationId(session, reference) }
}

function describe(key: KeyRecord) {
  const limit = key.limit === null ? null : `${formatUsd(key.limit)}${key.period === null ? '' : ` per ${key.period}`}`
  return {
    id: key.id,
    hint: `${key.prefix}…${key.suffix}`,
    name: key.name,
    type: key.type,
    state: keyState(key),
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

function switchKey(id: string, { enabled }: { enabled: boolean }): Promise<CommandOutput> {
  return withSession(async (session) => {
    await changeKey(session, { keyId: id, account: null }, { enabled }, commandAuthor(Date.now()))
    const state = enabled ? 'enabled' : 'disabled'
    return { lines: [`key ${id} is ${state}`], data: { id, state } }
  })
}
