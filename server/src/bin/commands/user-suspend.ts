import { suspendUser } from '#control/operators/suspend-user.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userSuspend: Command = {
  words: 'user suspend',
  summary: 'Refuse all keys of a user with 403.',
  positionals: ['user'],
  run: (input) =>
    withSession(async (session) => {
      const user = await suspendUser(session, { reference: input.argument(0), suspended: true })
      return { lines: [`${user.email} is suspended`], data: { id: user.id, suspended: user.suspended } }
    }),
}
