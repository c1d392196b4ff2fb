import { createOperatorKey } from '#control/operators/create-operator-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { createOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import { type Command, UsageError } from './command.ts'
import { readMoment } from './read-moment.ts'
import { withSession } from './session.ts'

export const operatorKeyCreate: Command = {
  words: 'operator key create',
  summary: "Create a key for the operators' API. Its secret is shown this once; `weir key revoke` ends it.",
  options: {
    name: { type: 'string', value: '<name>', description: 'Who or what uses it, for the audit log. Required.' },
    expires: { type: 'string', value: '<moment>', description: 'Until when it works, such as 2027-01-31T00:00:00Z.' },
    cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'From where it may be used.' },
  },
  async run(input) {
    const name = input.text('name')
    if (name === undefined) throw new UsageError('--name is missing.')
    const terms = { name, expiresAtMs: readMoment(input.text('expires')), allowedCidrs: input.list('cidr') }
    return withSession(async ({ pool }) => {
      const key = await createOperatorKey(createOperatorKeys(pool), terms, operatorAuthor(Date.now()))
      return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
    })
  },
}
