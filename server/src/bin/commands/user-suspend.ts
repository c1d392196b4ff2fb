import { suspendUser } from '#control/operators/suspend-user.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userSuspend: Command = {
  words: 'user suspend',
  summary: 'Refuse all keys of a user with 403.',
  positionals: ['user'],
  run: (input) =>
    withSession(async (session) => {
      const change = { reference: input.argument(0), suspended: true }
      const user = await suspendUser(session, change, operatorAuthor(Date.now()))
      return { lines: [`${user.email} is suspended`], data: { id: user.id, suspended: user.suspended } }
    }),
}
