import { createUser } from '#control/operators/create-user.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userCreate: Command = {
  words: 'user create',
  summary: 'Create a user with a personal wallet.',
  positionals: ['email'],
  options: { name: { type: 'string', value: '<name>', description: 'The name of the person.' } },
  run: (input) =>
    withSession(async ({ users }) => {
      const user = await createUser(users, { email: input.argument(0), name: input.text('name') ?? '' }, Date.now())
      return { lines: [`user    ${user.id}`, `wallet  ${user.walletId}`], data: user }
    }),
}
