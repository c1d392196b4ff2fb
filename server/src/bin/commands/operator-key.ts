import { createOperatorKey } from '#control/operators/create-operator-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import { type Command, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { keyState } from '../command-line/key-state.ts'
import { readMoment } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const operatorKeyCommands: readonly Command[] = [
  {
    words: 'operator key create',
    summary: "Create a key for the operators' API. Its secret is shown this once; `weir key revoke` ends it.",
    options: {
      name: { type: 'string', value: '<name>', description: 'Who or what uses it, for the audit log. Required.' },
      expires: { type: 'string', value: '<moment>', description: 'Until when it works, such as 2027-01-31T00:00:00Z.' },
      cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'From where it may be used.' },
    },
    async run(input) {
      const name = input.text('name')
      if (name === undefined) throw new UsageError('--name is missing.')
      const terms = { name, expiresAtMs: readMoment(input.text('expires')), allowedCidrs: input.list('cidr') }
      return withSession(async ({ pool }) => {
        const key = await createOperatorKey(createOperatorKeys(pool), terms, operatorAuthor(Date.now()))
        return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
      })
    },
  },
  {
    words: 'operator key list',
    summary: "List the keys of the operators' API, without their secrets.",
    run: () =>
      withSession(async ({ pool }) => {
        const keys = (await createOperatorKeys(pool).list()).map((key) => ({
          id: key.id,
          hint: `${key.prefix}…${key.suffix}`,
          name: key.name,
          state: keyState(key),
          expiresAt: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
          allowedCidrs: [...key.allowedCidrs],
        }))
        const rows = keys.map((key) => [key.id, key.hint, key.name, key.state, key.expiresAt ?? ''])
        return { lines: formatTable(['ID', 'KEY', 'NAME', 'STATE', 'EXPIRES'], rows), data: keys }
      }),
  },
]
