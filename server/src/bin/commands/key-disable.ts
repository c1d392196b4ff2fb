import { changeKey } from '#control/keys/change-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const keyDisable: Command = {
  words: 'key disable',
  summary: 'Refuse a key until it is enabled again.',
  positionals: ['key-id'],
  run: (input) =>
    withSession(async (session) => {
      const id = input.argument(0)
      await changeKey(session, { keyId: id, account: null }, { enabled: false }, operatorAuthor(Date.now()))
      return { lines: [`key ${id} is disabled`], data: { id, state: 'disabled' } }
    }),
}
