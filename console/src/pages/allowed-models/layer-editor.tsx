import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type AllowedModels, allowedModelsQuery, type Layer, replaceAllowedModels } from '../../api/layers.ts'
import { BacktestNote } from '../../app/backtest-note.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { judgeLayers } from './judge-layers.ts'
import { PatternList } from './pattern-list.tsx'
import { type JudgedModel, resultColumns } from './result-columns.tsx'

const route = getRouteApi('/app/allowed-models')

interface EditorProps {
  readonly layer: Layer
  readonly allowed: AllowedModels
  readonly models: readonly { readonly id: string }[]
}

/** The list of one layer, and what all layers together allow. The table follows the list before it is saved. */
export function LayerEditor({ layer, allowed, models }: EditorProps) {
  const organization = useOrganization()
  const client = useQueryClient()
  const [draft, setDraft] = useState(allowed.allowedModels)
  const isChanged = draft.join(' ') !== allowed.allowedModels.join(' ')
  const mayChange = mayAct(organization, 'allowedModels.change')
  const saving = useMutation({
    mutationFn: () => replaceAllowedModels(layer, draft),
    onSuccess: async (saved) => {
      client.setQueryData(allowedModelsQuery(layer).queryKey, saved)
      setDraft(saved.allowedModels)
      toast('List saved. It applies to the next request.')
      await client.invalidateQueries({ queryKey: ['allowed-models', layer.orgId], refetchType: 'none' })
    },
  })
  const judged = useMemo(() => {
    const layers = { ...allowed.layers, [layer.kind]: draft }
    return models.map(({ id }): JudgedModel => ({ id, verdict: judgeLayers(layers, id) }))
  }, [allowed, layer, draft, models])
  const count = judged.filter(({ verdict }) => verdict.isAllowed).length
  return (
    <>
      <Card
        title={`List of the ${layer.kind}`}
        description={
          draft.length === 0
            ? `The ${layer.kind} has no list of its own, so it excludes no model.`
            : `Only models in this list are allowed for the ${layer.kind}.`
        }
      >
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <PatternList
          patterns={draft}
          modelIds={models.map(({ id }) => id)}
          onChange={mayChange ? setDraft : undefined}
        />
        {isChanged ? <BacktestNote layer={layer} draft={{ allowedModels: draft }} /> : null}
        {mayChange ? (
          <div className="mt-4 flex flex-wrap items-center justify-end gap-3">
            <p className="grow text-muted text-sm" role="status">
              {isChanged
                ? `After saving, ${count} of ${plural(models.length, 'model')} are allowed.`
                : `${count} of ${plural(models.length, 'model')} are allowed.`}
            </p>
            <Button disabled={!isChanged} onClick={() => setDraft(allowed.allowedModels)}>
              Discard
            </Button>
            <Button kind="primary" disabled={!isChanged} isBusy={saving.isPending} onClick={() => saving.mutate()}>
              Save list
            </Button>
          </div>
        ) : null}
      </Card>
      <Results judged={judged} />
    </>
  )
}

const fields: readonly FilterField[] = [
  {
    name: 'result',
    label: 'Result',
    type: 'choice',
    choices: [
      { value: 'allowed', label: 'Allowed' },
      { value: 'excluded', label: 'Excluded' },
    ],
  },
]

function Results({ judged }: { readonly judged: readonly JudgedModel[] }) {
  const { q = '', result } = route.useSearch()
  const rows = judged.filter(
    ({ id, verdict }) =>
      (result === undefined || verdict.isAllowed === (result === 'allowed')) && id.includes(q.trim().toLowerCase()),
  )
  return (
    <DataTable
      name="allowed-models"
      label="Effective result"
      rowsName="models"
      columns={resultColumns}
      rows={rows}
      rowId={({ id }) => id}
      searchBox={{ label: 'Search models', hint: 'Model ID' }}
      fields={fields}
      empty={<EmptyState title="No models">The catalog is empty.</EmptyState>}
    />
  )
}
