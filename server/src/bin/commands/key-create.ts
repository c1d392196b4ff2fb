import { createKey } from '#control/keys/create-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { parseSpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import type { KeyTerms } from '#ports/key-book.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { findKeyOwner } from './find-key-owner.ts'
import { parseOptionalAmount } from './parse-amount.ts'
import { readMoment } from './read-moment.ts'
import { withSession } from './session.ts'

export const keyCreate: Command = {
  words: 'key create',
  summary: 'Create a key of a user or of an organization. Its secret is shown this once.',
  positionals: ['user…'],
  options: {
    name: { type: 'string', value: '<name>', description: 'What to call it. Required.' },
    organization: { type: 'string', value: '<id|slug>', description: 'In place of a user: who pays for it.' },
    member: { type: 'string', value: '<member-id>', description: 'Who uses it, or whom a management key acts for.' },
    team: { type: 'string', value: '<team-id>', description: 'It stops working with the team.' },
    management: { type: 'boolean', description: 'A key that manages keys and can not call models.' },
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
}

function readTerms(input: CommandInput): KeyTerms {
  const name = input.text('name')
  if (name === undefined) throw new UsageError('--name is missing.')
  if ((input.rest(0).length === 1) === (input.text('organization') !== undefined))
    throw new UsageError('Name one user, or an organization with --organization.')
  return {
    name,
    type: input.flag('management') ? 'management' : 'standard',
    limit: parseOptionalAmount(input.text('limit')),
    period: readPeriod(input.text('period')),
    expiresAtMs: readMoment(input.text('expires')),
    allowedCidrs: input.list('cidr'),
  }
}

function readPeriod(text: string | undefined) {
  if (text === undefined) return null
  const period = parseSpendPeriod(text)
  if (period === undefined) throw new UsageError(`The period is one of ${spendPeriods.join(', ')}.`)
  return period
}
