import { revokeKey } from '#control/keys/revoke-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const keyRevoke: Command = {
  words: 'key revoke',
  summary: 'Refuse a key for ever.',
  positionals: ['key-id'],
  run: (input) =>
    withSession(async (session) => {
      const id = input.argument(0)
      await revokeKey(session, { keyId: id, account: null }, operatorAuthor(Date.now()))
      return { lines: [`key ${id} is revoked`], data: { id, state: 'revoked' } }
    }),
}
