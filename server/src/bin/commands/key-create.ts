import { createKey } from '#control/keys/create-key.ts'
import { readUser } from '#control/operators/read-user.ts'
import { parseSpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import type { KeyTerms } from '#ports/key-book.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { parseOptionalAmount } from './parse-amount.ts'
import { withSession } from './session.ts'

export const keyCreate: Command = {
  words: 'key create',
  summary: 'Create a key of a user. Its secret is shown this once.',
  positionals: ['user'],
  options: {
    name: { type: 'string', value: '<name>', description: 'What to call it. Required.' },
    management: { type: 'boolean', description: 'A key that manages keys and can not call models.' },
    limit: { type: 'string', value: '<usd>', description: 'Most that it may spend.' },
    period: { type: 'string', value: '<day|week|month>', description: 'In which time; its whole life if not given.' },
    expires: { type: 'string', value: '<moment>', description: 'Until when it works, such as 2027-01-31T00:00:00Z.' },
    cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'From where it may be used.' },
  },
  async run(input) {
    const terms = readTerms(input)
    return withSession(async ({ keys, users }) => {
      const user = await readUser(users, input.argument(0))
      const key = await createKey(keys, { userId: user.id, terms }, Date.now())
      return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
    })
  },
}

function readTerms(input: CommandInput): KeyTerms {
  const name = input.text('name')
  if (name === undefined) throw new UsageError('--name is missing.')
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

function readMoment(text: string | undefined): number | null {
  if (text === undefined) return null
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) throw new UsageError(`${text} is not a date and time.`)
  return moment
}
