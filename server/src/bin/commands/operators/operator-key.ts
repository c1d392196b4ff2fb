import { createOperatorKey } from '#control/operators/create-operator-key.ts'
import { operatorRoles } from '#domain/access/operator-roles.ts'
import { createOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import { commandAuthor } from '../../command-line/command-author.ts'
import { type Command, UsageError } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { readOperatorRole } from '../../command-line/read-operator-role.ts'
import { keyState } from '../../command-line/key-state.ts'
import { readMoment } from '../../command-line/read-values.ts'
import { withSession } from '../../command-line/session.ts'

export const operatorKeyCommands: readonly Command[] = [
  {
    words: 'operator key create',
    summary: 'Create a key for the operator API. The secret is shown once. Revoke it with `weir key revoke`.',
    options: {
      name: {
        type: 'string',
        value: '<name>',
        description: 'Who or what uses the key, shown in the audit log. Required.',
      },
      role: {
        type: 'string',
        value: '<role>',
        description: `What the key may do: ${operatorRoles.join(', ')}. Default owner.`,
      },
      expires: { type: 'string', value: '<timestamp>', description: 'Expiry, such as 2027-01-31T00:00:00Z.' },
      cidr: { type: 'string', multiple: true, value: '<cidr>', description: 'Allowed address or CIDR range.' },
    },
    async run(input) {
      const name = input.text('name')
      if (name === undefined) throw new UsageError('--name is required.')
      const terms = {
        name,
        role: readOperatorRole(input.text('role') ?? 'owner'),
        expiresAtMs: readMoment(input.text('expires')),
        allowedCidrs: input.list('cidr'),
      }
      return withSession(async ({ pool }) => {
        const key = await createOperatorKey(createOperatorKeys(pool), terms, commandAuthor(Date.now()))
        return { lines: [`key     ${key.id}`, `secret  ${key.secret}`], data: { ...key } }
      })
    },
  },
  {
    words: 'operator key list',
    summary: 'List operator API keys, without secrets. `weir key disable` and `weir key revoke` take their IDs.',
    run: () =>
      withSession(async ({ pool }) => {
        const keys = (await createOperatorKeys(pool).list()).map((key) => ({
          id: key.id,
          hint: `${key.prefix}…${key.suffix}`,
          name: key.name,
          role: key.role,
          state: keyState(key),
          expiresAt: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
          allowedCidrs: [...key.allowedCidrs],
        }))
        const rows = keys.map((key) => [key.id, key.hint, key.name, key.role, key.state, key.expiresAt ?? ''])
        return { lines: formatTable(['ID', 'KEY', 'NAME', 'ROLE', 'STATE', 'EXPIRES'], rows), data: keys }
      }),
  },
]
