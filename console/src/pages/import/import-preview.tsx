import type { ImportedRow, ImportResult } from '../../api/import-members.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { importColumns } from './import-columns.tsx'
import { CostSummary } from './cost-summary.tsx'

interface Commit {
  readonly data: ImportResult | null | undefined
  readonly error: Error | null
  readonly mutate: () => void
}

/** What the file does, row by row, and what it did once it is imported. */
export function ImportPreview({
  checked,
  commit,
  progress,
  isBusy,
}: {
  readonly checked: ImportResult
  readonly commit: Commit
  readonly progress: number | null
  readonly isBusy: boolean
}) {
  const imported = commit.data ?? null
  const { rows, counts, newTeams, maximumCost } = imported ?? checked
  const changing = Number(counts.invite) + Number(counts.change)
  return (
    <Card title={imported === null ? 'Check' : 'Imported'} description={countsInWords(counts)}>
      <div className="flex flex-col gap-4">
        {commit.error === null ? null : <ErrorNote error={commit.error} />}
        <CostSummary of={maximumCost} />
        {newTeams.length === 0 ? null : (
          <p className="text-sm">
            {imported === null ? 'New teams' : 'Created teams'}: {newTeams.join(', ')}.
          </p>
        )}
        {imported === null ? (
          <div className="flex flex-wrap items-center justify-end gap-3">
            {progress === null ? null : (
              <span role="status" className="flex min-w-40 flex-1 flex-col gap-1 text-muted text-xs">
                {Math.round(progress * 100)}% imported
                <ShareBar percent={Math.round(progress * 100)} label="Import" />
              </span>
            )}
            <Button kind="primary" isBusy={isBusy} disabled={changing === 0} onClick={() => commit.mutate()}>
              Import {plural(changing, 'person', 'people')}
            </Button>
          </div>
        ) : null}
        <ImportTable rows={rows} />
      </div>
    </Card>
  )
}

function ImportTable({ rows }: { readonly rows: readonly ImportedRow[] }) {
  return (
    <DataTable
      name="import"
      label="Rows of the file"
      columns={importColumns}
      rows={rows}
      rowId={({ row }) => String(row)}
      empty={<EmptyState title="The file has no rows">Add one line for each person.</EmptyState>}
    />
  )
}

function countsInWords(counts: ImportResult['counts']): string {
  const words = [
    [counts.invite, 'invited'],
    [counts.change, 'changed'],
    [counts.unchanged, 'unchanged'],
  ] as const
  const errors = Number(counts.error)
  const said = words
    .filter(([count]) => Number(count) > 0)
    .map(([count, word]) => `${Number(count).toLocaleString('en')} ${word}`)
  return [...said, ...(errors === 0 ? [] : [plural(errors, 'error')])].join(', ')
}
