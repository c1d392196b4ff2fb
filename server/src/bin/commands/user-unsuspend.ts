import { suspendUser } from '#control/operators/suspend-user.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userUnsuspend: Command = {
  words: 'user unsuspend',
  summary: 'Lift the suspension of a user.',
  positionals: ['user'],
  run: (input) =>
    withSession(async (session) => {
      const change = { reference: input.argument(0), suspended: false }
      const user = await suspendUser(session, change, operatorAuthor(Date.now()))
      return { lines: [`${user.email} is no longer suspended`], data: { id: user.id, suspended: user.suspended } }
    }),
}
