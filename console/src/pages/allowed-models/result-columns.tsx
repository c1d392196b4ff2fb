import { Link } from '@tanstack/react-router'
import { modelPath } from '../../api/models.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import type { ModelLayer, ModelVerdict } from './judge-layers.ts'

export interface JudgedModel {
  readonly id: string
  readonly verdict: ModelVerdict
}

const layerNames: Readonly<Record<ModelLayer, string>> = {
  organization: 'organization',
  team: 'team',
  member: 'member',
}
const list = new Intl.ListFormat('en')

/** Why a model is excluded: `Not in the list of the organization and team`. */
function reasonOf({ verdict }: JudgedModel): string {
  if (verdict.isAllowed) return 'Every layer allows it'
  return `Not in the list of the ${list.format(verdict.excludedBy.map((layer) => layerNames[layer]))}`
}

export const resultColumns: readonly Column<JudgedModel>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: ({ id }) => (
      <Link to="/models/$author/$name" params={modelPath(id)} className="rounded font-mono text-xs hover:underline">
        {id}
      </Link>
    ),
    csv: ({ id }) => id,
    sort: (one, other) => (one.id < other.id ? -1 : 1),
    onPhone: 'title',
  },
  {
    id: 'result',
    header: 'Result',
    cell: ({ verdict }) =>
      verdict.isAllowed ? <Badge tone="good">Allowed</Badge> : <Badge tone="bad">Excluded</Badge>,
    csv: ({ verdict }) => (verdict.isAllowed ? 'Allowed' : 'Excluded'),
    width: 120,
    onPhone: 'figure',
  },
  { id: 'reason', header: 'Why', cell: reasonOf, csv: reasonOf, onPhone: 'figure' },
]
