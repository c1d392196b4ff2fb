import { createOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const operatorKeyList: Command = {
  words: 'operator key list',
  summary: "List the keys of the operators' API, without their secrets.",
  run: () =>
    withSession(async ({ pool }) => {
      const keys = (await createOperatorKeys(pool).list()).map((key) => ({
        id: key.id,
        hint: `${key.prefix}…${key.suffix}`,
        name: key.name,
        state: key.revoked ? 'revoked' : key.enabled ? 'enabled' : 'disabled',
        expiresAt: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
        allowedCidrs: [...key.allowedCidrs],
      }))
      const rows = keys.map((key) => [key.id, key.hint, key.name, key.state, key.expiresAt ?? ''])
      return { lines: formatTable(['ID', 'KEY', 'NAME', 'STATE', 'EXPIRES'], rows), data: keys }
    }),
}
