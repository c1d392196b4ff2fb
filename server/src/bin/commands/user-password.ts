import { setPassword } from '#control/operators/set-password.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userPassword: Command = {
  words: 'user password',
  summary: 'Give a user a new password, shown once, and end all sessions.',
  positionals: ['user'],
  options: {
    'drop-second-factor': {
      type: 'boolean',
      description: 'Ask for no second factor any more, as for a person who has lost the device.',
    },
  },
  run: (input) =>
    withSession(async ({ users, pool }) => {
      const accounts = createPersonAccounts(pool, Date.now)
      const change = { reference: input.argument(0), dropSecondFactor: input.flag('drop-second-factor') }
      const { user, password } = await setPassword({ users, accounts }, change)
      return { lines: [`user      ${user.email}`, `password  ${password}`], data: { id: user.id, password } }
    }),
}
