import type { FilterField } from '../../ui/filter-field.ts'
import { auditGroups } from './search.ts'

const groupWords = {
  'org.': 'Organization',
  'org_member.': 'Members',
  'team.': 'Teams',
  'key.': 'API keys',
  'byok.': 'Own keys',
  'filter.': 'Content filters',
  'institution.': 'Institutions',
  'webhook.': 'Webhooks',
  'top_up.': 'Payments',
  'invoice.': 'Invoices',
} as const satisfies Record<(typeof auditGroups)[number], string>

/** The filter chips of the log. The actors of the loaded entries are offered; the ID of any other can be typed. */
export function auditFields(actors: ReadonlyMap<string, string>): readonly FilterField[] {
  return [
    {
      name: 'action',
      label: 'Action',
      type: 'choice',
      choices: auditGroups.map((value) => ({ value, label: groupWords[value] })),
    },
    {
      name: 'actor',
      label: 'Actor',
      type: 'choice',
      choices: [...actors].map(([value, label]) => ({ value, label })),
      isOpen: true,
    },
  ]
}
