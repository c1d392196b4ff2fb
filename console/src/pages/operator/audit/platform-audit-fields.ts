import type { PlatformAuditEntry } from '../../../api/platform-audit.ts'
import type { FilterField } from '../../../ui/filter-field.ts'
import { actorInWords } from '../../audit/audit-words.ts'
import { platformGroups } from './search.ts'

const groupWords = {
  'catalogue.': 'Models and prices',
  'provider.': 'Provider accounts',
  'route.': 'Routes',
  'org.': 'Organizations',
  'user.': 'Users',
  'key.': 'API keys',
  'wallet.': 'Wallets',
  'top_up.': 'Payments',
  'invoice.': 'Invoices',
  'campaign.': 'Redemption codes',
  'month.': 'Months',
  'operator.': 'Operators',
  'brake.': 'Emergency brake',
  'evidence.': 'Blocked prompts',
  'customer.note.': 'Notes',
  'webhook.': 'Webhooks',
  'mail.': 'Emails',
  'sink.': 'Event sinks',
} as const satisfies Record<(typeof platformGroups)[number], string>

/** The filter chips of the log. The actors of the loaded entries are offered; any other can be typed. */
export function platformAuditFields(entries: readonly PlatformAuditEntry[] | undefined): readonly FilterField[] {
  const actors = new Map(
    entries?.flatMap(({ actor }) => {
      const value = actor.id ?? actor.name
      return value === null ? [] : [[value, actorInWords(actor)] as const]
    }),
  )
  return [
    {
      name: 'target',
      label: 'Object',
      type: 'text',
      hint: 'Customer, model, provider account, or ID: an email, a slug, or openai/gpt-5.2.',
    },
    {
      name: 'actor',
      label: 'Actor',
      type: 'choice',
      choices: [...actors].map(([value, label]) => ({ value, label })),
      isOpen: true,
    },
    {
      name: 'action',
      label: 'Action',
      type: 'choice',
      choices: platformGroups.map((value) => ({ value, label: groupWords[value] })),
    },
  ]
}
