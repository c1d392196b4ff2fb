import { changeKey } from '#control/keys/change-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { type Command, UsageError } from './command.ts'
import { withSession } from './session.ts'

export const keyCidrs: Command = {
  words: 'key cidrs',
  summary: 'Set from where a key may be used: IPv4 addresses, IPv4 ranges and IPv6 addresses.',
  positionals: ['key-id', 'cidr…'],
  options: { clear: { type: 'boolean', description: 'From everywhere.' } },
  async run(input) {
    const cidrs = input.rest(1)
    // An empty list allows everybody, which nobody should do by forgetting an argument.
    if ((cidrs.length === 0) !== input.flag('clear')) throw new UsageError('Name addresses, or say --clear.')
    return withSession(async (session) => {
      const id = input.argument(0)
      await changeKey(session, { keyId: id, account: null }, { allowedCidrs: cidrs }, operatorAuthor(Date.now()))
      const where = cidrs.length === 0 ? 'everywhere' : cidrs.join(', ')
      return { lines: [`key ${id} may be used from ${where}`], data: { id, allowedCidrs: cidrs } }
    })
  },
}
