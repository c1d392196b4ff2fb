import type { Run } from '../../api/runs.ts'
import { Badge } from '../../ui/badge.tsx'

const words = { running: 'Running', spent: 'Budget spent', stopped: 'Stopped' } as const
const tones = { running: 'good', spent: 'warn', stopped: 'bad' } as const

export function stateInWords({ status }: Pick<Run, 'status'>): string {
  return words[status]
}

export function RunState({ of: run }: { readonly of: Pick<Run, 'status'> }) {
  return <Badge tone={tones[run.status]}>{stateInWords(run)}</Badge>
}
