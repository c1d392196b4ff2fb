import { suspendUser } from '#control/operators/suspend-user.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userUnsuspend: Command = {
  words: 'user unsuspend',
  summary: 'Lift the suspension of a user.',
  positionals: ['user'],
  run: (input) =>
    withSession(async (session) => {
      const user = await suspendUser(session, { reference: input.argument(0), suspended: false })
      return { lines: [`${user.email} is no longer suspended`], data: { id: user.id, suspended: user.suspended } }
    }),
}
