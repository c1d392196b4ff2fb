import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const providerList: Command = {
  words: 'provider list',
  summary: 'List provider accounts.',
  run: () =>
    withSession(async ({ operators }) => {
      const accounts = await operators.listAccounts()
      const rows = accounts.map(({ name, vendor, baseUrl, hasCredential, enabled }) => [
        name,
        vendor,
        baseUrl ?? '(its own)',
        hasCredential ? 'sealed' : 'none',
        enabled ? 'enabled' : 'disabled',
      ])
      const data = accounts.map((account) => ({ ...account }))
      return { lines: formatTable(['NAME', 'VENDOR', 'BASE URL', 'KEY', 'STATE'], rows), data }
    }),
}
