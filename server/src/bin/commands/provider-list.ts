import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const providerList: Command = {
  words: 'provider list',
  summary: 'List provider accounts.',
  run: () =>
    withSession(async ({ operators }) => {
      const accounts = await operators.listAccounts()
      const rows = accounts.map((account) => [
        account.name,
        account.vendor,
        account.baseUrl ?? '(its own)',
        account.hasCredential ? 'sealed' : 'none',
        account.enabled ? 'enabled' : 'disabled',
        String(account.weight),
        account.keepsPrompts === null ? 'as the vendor' : account.keepsPrompts ? 'kept' : 'not kept',
        account.variant,
      ])
      const data = accounts.map((account) => ({ ...account }))
      const titles = ['NAME', 'VENDOR', 'BASE URL', 'KEY', 'STATE', 'WEIGHT', 'PROMPTS', 'VARIANT']
      return { lines: formatTable(titles, rows), data }
    }),
}
