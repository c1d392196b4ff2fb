import { Link } from '@tanstack/react-router'
import type { FilterRule, FilterTemplate } from '../../api/filters.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { actionWords, kindWords, matcherInWords } from './filter-words.ts'

export function filterColumns(templates: readonly FilterTemplate[]): readonly Column<FilterRule>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ id, name }) => (
        <Link to="/filters/$ruleId" params={{ ruleId: id }} className="rounded font-medium hover:underline">
          {name}
        </Link>
      ),
      csv: ({ name }) => name,
      onPhone: 'title',
    },
    {
      id: 'match',
      header: 'Matches',
      cell: ({ matcher }) => {
        const words = matcherInWords(matcher, templates)
        return (
          <span title={words} className={matcher.kind === 'regex' ? 'font-mono text-xs' : undefined}>
            {words}
          </span>
        )
      },
      csv: ({ matcher }) => matcherInWords(matcher, templates),
    },
    {
      id: 'kind',
      header: 'Type',
      cell: ({ matcher }) => kindWords[matcher.kind],
      csv: ({ matcher }) => kindWords[matcher.kind],
      width: 150,
    },
    {
      id: 'action',
      header: 'Action',
      cell: ({ action }) => <Badge tone={actionWords[action].tone}>{actionWords[action].label}</Badge>,
      csv: ({ action }) => actionWords[action].label,
      width: 100,
      onPhone: 'figure',
    },
    {
      id: 'state',
      header: 'Status',
      cell: ({ enabled }) => (enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>),
      csv: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
      width: 110,
      onPhone: 'figure',
    },
    {
      id: 'changed',
      header: 'Last changed',
      cell: ({ updatedAt }) => <Time iso={updatedAt} />,
      csv: ({ updatedAt }) => updatedAt,
      width: 130,
    },
    { id: 'menu', header: 'Actions', cell: (rule) => <FilterMenu of={rule} />, align: 'right', width: 90 },
  ]
}
