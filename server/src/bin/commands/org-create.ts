import { createOrganization } from '#control/organizations/create-organization.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import { type Command, UsageError } from './command.ts'
import { parseAmount } from './parse-amount.ts'
import { parseSeats } from './parse-seats.ts'
import { withSession } from './session.ts'

export const orgCreate: Command = {
  words: 'org create',
  summary: 'Create an organization with a wallet and its first administrator.',
  positionals: ['name'],
  options: {
    admin: { type: 'string', value: '<user>', description: 'Who administers it, by id or mail address. Required.' },
    slug: { type: 'string', value: '<slug>', description: 'Its short name; made of the name if not given.' },
    seats: {
      type: 'string',
      value: '<count>',
      description: 'Most members it may have; as many as they like if not given.',
    },
    monthly: { type: 'boolean', description: 'Pays after each month, up to its credit line, instead of before.' },
    'credit-line': { type: 'string', value: '<usd>', description: 'How far the wallet may go below zero.' },
    plan: { type: 'string', value: '<name>', description: 'What was sold to it. Default standard.' },
  },
  async run(input) {
    const admin = input.text('admin')
    if (admin === undefined) throw new UsageError('--admin is missing.')
    const creditLine = input.text('credit-line')
    const organization = {
      name: input.argument(0),
      slug: input.text('slug') ?? null,
      admin,
      seats: parseSeats(input.text('seats')),
      plan: input.text('plan') ?? 'standard',
      billing: input.flag('monthly') ? 'monthly' : 'prepaid',
      creditLine: creditLine === undefined ? zeroUsd : parseAmount(creditLine),
    } as const
    return withSession(async ({ pool, users }) => {
      const deps = { organizations: createOrganizations(pool), users }
      const made = await createOrganization(deps, organization, Date.now())
      const lines = [
        `organization  ${made.id}`,
        `slug          ${made.slug}`,
        `wallet        ${made.walletId}`,
        `administrator ${made.memberId}`,
      ]
      return { lines, data: { ...made } }
    })
  },
}
