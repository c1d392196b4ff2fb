import { changeKey } from '#control/keys/change-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const keyEnable: Command = {
  words: 'key enable',
  summary: 'Let a disabled key work again.',
  positionals: ['key-id'],
  run: (input) =>
    withSession(async (session) => {
      const id = input.argument(0)
      await changeKey(session, { keyId: id, account: null }, { enabled: true }, operatorAuthor(Date.now()))
      return { lines: [`key ${id} is enabled`], data: { id, state: 'enabled' } }
    }),
}
