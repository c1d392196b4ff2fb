import { vouchForAddress } from '#control/operators/vouch-for-address.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const userVerify: Command = {
  words: 'user verify',
  summary: "Vouch that a user's mail address is the user's own.",
  positionals: ['user'],
  run: (input) =>
    withSession(async ({ users, pool }) => {
      const accounts = createPersonAccounts(pool, Date.now)
      const user = await vouchForAddress({ users, accounts }, input.argument(0))
      return { lines: [`${user.email} counts as verified`], data: { id: user.id } }
    }),
}
