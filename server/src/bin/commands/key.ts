import { changeKey } from '#control/keys/change-key.ts'
import { createKey } from '#control/keys/create-key.ts'
import { placeOrganizationKey } from '#control/keys/place-organization-key.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { readUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { parseSpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyAccount, KeyOwner, KeyRecord, KeyTerms } from '#ports/keys.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { findOrganization } from '#store/postgres/organizations/organizations.sql.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { keyState } from '../command-line/key-state.ts'
import { parseOptionalAmount, readMoment } from '../command-line/read-values.ts'
import { type Session, withSession } from '../command-line/session.ts'

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    summary: 'Create a key of a user or of an organization. Its secret is shown this once.',
    positionals: ['user…'],
    options: {
      name: { type: 'string', value: '<name>', description: 'What to call it. Required.' },
      organization: { type: 'string', value: '<id|slug>', description: 'In place of a user: who pays for it.' },
      member: { type: 'string', value: '<member-id>', description: 'Who uses it, or whom a management key acts for.' },
      team: { type: 'string', value: '<team-id>', description: 'It stops working with the team.' },
      management: { type: 'boolean', description: 'A key that manages keys and cannot call models.' },
      limit: { type: 'string', value: '<usd>', description: 'Most that it may spend.' },
      period: { type: 'string', value: '<day|week|month>', description: 'In which time; its whole life if not given.' },
      expires: { type: 'string', value: '<moment>', description: 'Until when it works, such as 2027-01-31T00:00:00Z.' },
      cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'From where it may be used.' },
    },
    async run(input) {
      const terms = readTerms(input)
      return withSession(async (session) => {
        const owner = await findKeyOwner(session, input, terms.type)
        const key = await createKey(session.keys, { owner, terms, author: operatorAuthor(Date.now()) })
        return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
      })
    },
  },
  {
    words: 'key list',
    summary: 'List the keys of a user or of an organization, without their secrets.',
    positionals: ['user…'],
    options: { organization: { type: 'string', value: '<id|slug>', description: 'In place of a user.' } },
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
    summary: 'Refuse a key until it is enabled again.',
    positionals: ['key-id'],
    run: (input) => switchKey(input.argument(0), { enabled: false }),
  },
  {
    words: 'key enable',
    summary: 'Let a disabled key work again.',
    positionals: ['key-id'],
    run: (input) => switchKey(input.argument(0), { enabled: true }),
  },
  {
    words: 'key revoke',
    summary: 'Refuse a key for ever.',
    positionals: ['key-id'],
    run: (input) =>
      withSession(async (session) => {
        const id = input.argument(0)
        await revokeKey(session, { keyId: id, account: null }, operatorAuthor(Date.now()))
        return { lines: [`key ${id} is revoked`], data: { id, state: 'revoked' } }
      }),
  },
  {
    words: 'key cidrs',
    summary: 'Set from where a key may be used: IPv4 addresses, IPv4 ranges and IPv6 addresses.',
    positionals: ['key-id', 'cidr…'],
    options: { clear: { type: 'boolean', description: 'From everywhere.' } },
    async run(input) {
      const cidrs = input.rest(1)
      // An empty list allows every address, which must not happen by forgetting an argument.
      if ((cidrs.length === 0) !== input.flag('clear')) throw new UsageError('Name addresses, or say --clear.')
      return withSession(async (session) => {
        const id = input.argument(0)
        await changeKey(session, { keyId: id, account: null }, { allowedCidrs: cidrs }, operatorAuthor(Date.now()))
        const where = cidrs.length === 0 ? 'everywhere' : cidrs.join(', ')
        return { lines: [`key ${id} may be used from ${where}`], data: { id, allowedCidrs: cidrs } }
      })
    },
  },
]

function readTerms(input: CommandInput): KeyTerms {
  const name = input.text('name')
  if (name === undefined) throw new UsageError('--name is missing.')
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
    throw new UsageError('Name one user, or an organization with --organization.')
}

function readPeriod(text: string | undefined) {
  if (text === undefined) return null
  const period = parseSpendPeriod(text)
  if (period === undefined) throw new UsageError(`The period is one of ${spendPeriods.join(', ')}.`)
  return period
}

/** Whose key is to be made: a user's, or an organization's with the member and team that are named. */
async function findKeyOwner(session: Session, input: CommandInput, type: KeyType): Promise<KeyOwner> {
  const reference = input.text('organization')
  const [memberId = null, teamId = null] = [input.text('member'), input.text('team')]
  if (reference === undefined) {
    if (memberId !== null || teamId !== null) throw new UsageError('--member and --team need --organization.')
    return { kind: 'user', userId: (await readUser(session.users, input.argument(0))).id }
  }
  const organizationId = await readOrganizationId(session, reference)
  const memberships = createMemberships(session.pool)
  const grant = { reach: 'organization' } as const
  if (type === 'standard') {
    return placeOrganizationKey(memberships, { organizationId, grant, manager: null }, { type, memberId, teamId })
  }
  if (memberId === null) throw new UsageError('Say with --member whom the management key acts for.')
  const member = isUuid(memberId) ? await memberships.findMember({ organizationId, memberId }) : null
  if (member === null) throw new GatewayError('notFound', { message: `There is no member ${memberId} there.` })
  const manager = { memberId: member.id, userId: member.userId }
  return placeOrganizationKey(memberships, { organizationId, grant, manager }, { type, memberId: null, teamId })
}

async function readOrganizationId({ pool }: Session, reference: string): Promise<Uuid> {
  const organization = await findOrganization(pool, reference)
  if (organization === null) throw new GatewayError('notFound', { message: `There is no organization ${reference}.` })
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
    await changeKey(session, { keyId: id, account: null }, { enabled }, operatorAuthor(Date.now()))
    const state = enabled ? 'enabled' : 'disabled'
    return { lines: [`key ${id} is ${state}`], data: { id, state } }
  })
}
