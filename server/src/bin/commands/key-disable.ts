import { changeKey } from '#control/keys/change-key.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const keyDisable: Command = {
  words: 'key disable',
  summary: 'Refuse a key until it is enabled again.',
  positionals: ['key-id'],
  run: (input) =>
    withSession(async (session) => {
      const id = input.argument(0)
      await changeKey(session, id, { kind: 'disable' })
      return { lines: [`key ${id} is disabled`], data: { id, state: 'disabled' } }
    }),
}
