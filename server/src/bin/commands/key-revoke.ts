import { changeKey } from '#control/keys/change-key.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const keyRevoke: Command = {
  words: 'key revoke',
  summary: 'Refuse a key for ever.',
  positionals: ['key-id'],
  run: (input) =>
    withSession(async (session) => {
      const id = input.argument(0)
      await changeKey(session, id, { kind: 'revoke' })
      return { lines: [`key ${id} is revoked`], data: { id, state: 'revoked' } }
    }),
}
