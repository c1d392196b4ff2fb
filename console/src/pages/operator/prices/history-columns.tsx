import type { CatalogueEntry } from '../../../api/price-plans.ts'
import type { Column } from '../../../ui/column.ts'
import { Time } from '../../../ui/time.tsx'

const actions: Readonly<Record<string, string>> = {
  'catalogue.import': 'Imported',
  'catalogue.approve': 'Applied',
  'catalogue.reject': 'Rejected',
  'catalogue.undo': 'Undone',
}

export const historyColumns: readonly Column<CatalogueEntry>[] = [
  { id: 'time', header: 'Time', cell: ({ at }) => <Time iso={at} />, csv: ({ at }) => at, width: 120 },
  {
    id: 'action',
    header: 'Change',
    cell: ({ action }) => actions[action] ?? action,
    csv: ({ action }) => action,
    width: 110,
    onPhone: 'title',
  },
  {
    id: 'actor',
    header: 'By',
    cell: ({ actor }) => actorOf(actor),
    csv: ({ actor }) => actorOf(actor),
    width: 220,
    onPhone: 'figure',
  },
  {
    id: 'changes',
    header: 'Changes',
    cell: ({ details }) => textOf(details?.['changes']),
    csv: ({ details }) => textOf(details?.['changes']),
    align: 'right',
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'models',
    header: 'Models',
    cell: ({ details }) => <span title={textOf(details?.['models'])}>{textOf(details?.['models'])}</span>,
    csv: ({ details }) => textOf(details?.['models']),
  },
  {
    id: 'source',
    header: 'Source',
    cell: ({ details }) => textOf(details?.['sources']),
    csv: ({ details }) => textOf(details?.['sources']),
    width: 180,
  },
]

function actorOf({ name }: CatalogueEntry['actor']): string {
  return name ?? 'Operator'
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
