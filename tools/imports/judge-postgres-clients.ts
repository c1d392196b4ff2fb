import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import { type Module, sourceFolder } from './read-modules.ts'

const poolMaker = `${sourceFolder}store/postgres/create-pool.ts`
const primaryFinder = `${sourceFolder}store/postgres/follow-primary.ts`
const clientTaker = `${sourceFolder}store/postgres/with-client.ts`
const clientFolders = new Set(['store', 'bin'])

/**
 * A Postgres client that disconnects without a listener ends the process. `create-pool.ts` gives every client a
 * listener, so no other file creates pools or clients; `with-client.ts` knows when a client must be closed, so no other
 * file takes clients from a pool. `follow-primary.ts` asks servers which of them accepts writes, before there is a
 * client.
 */
export function judgePostgresClients(modules: readonly Module[]): Finding[] {
  return modules.flatMap(({ path, folder, imports, tokens }) => [
    ...imports.flatMap(({ specifier, isTypeOnly, line }) =>
      specifier !== 'pg' || isTypeOnly || path === poolMaker || path === primaryFinder
        ? []
        : [{ rule: 'postgres-client', path, line, message: `only ${poolMaker} makes pools; import types of pg alone` }],
    ),
    ...tokens.flatMap(({ line }, at) =>
      !clientFolders.has(folder) ||
      path === clientTaker ||
      path === primaryFinder ||
      !hasSequence(tokens, at, ['.', 'connect', '('])
        ? []
        : [{ rule: 'postgres-client', path, line, message: `only ${clientTaker} takes clients from a pool` }],
    ),
  ])
}
