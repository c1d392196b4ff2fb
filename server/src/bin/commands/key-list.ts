import { readUser } from '#control/operators/read-user.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { KeyListing } from '#ports/key-book.ts'
import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const keyList: Command = {
  words: 'key list',
  summary: 'List the keys of a user, without their secrets.',
  positionals: ['user'],
  run: (input) =>
    withSession(async ({ keys, users }) => {
      const user = await readUser(users, input.argument(0))
      const listings = (await keys.list(user.id)).map(describe)
      const rows = listings.map((key) => [key.id, key.hint, key.name, key.type, key.state, key.spent, key.limit ?? ''])
      return { lines: formatTable(['ID', 'KEY', 'NAME', 'TYPE', 'STATE', 'SPENT', 'LIMIT'], rows), data: listings }
    }),
}

function describe(key: KeyListing) {
  const limit = key.limit === null ? null : `${formatUsd(key.limit)}${key.period === null ? '' : ` per ${key.period}`}`
  return {
    id: key.id,
    hint: `${key.prefix}…${key.suffix}`,
    name: key.name,
    type: key.type,
    state: key.revoked ? 'revoked' : key.enabled ? 'enabled' : 'disabled',
    spent: formatUsd(key.spent),
    requests: key.requests,
    limit,
    allowedCidrs: [...key.allowedCidrs],
    expiresAt: momentText(key.expiresAtMs),
    createdAt: momentText(key.createdAtMs),
    lastUsedAt: momentText(key.lastUsedAtMs),
  }
}

function momentText(momentMs: number | null): string | null {
  return momentMs === null ? null : new Date(momentMs).toISOString()
}
