import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { changeOwnKey, type OwnKey, ownKeysQuery } from '../../api/own-keys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'

/** Which of our models the key serves, under which names at the provider. */
export function ModelMappings({ organizationId, of: key }: { readonly organizationId: string; readonly of: OwnKey }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Parameters<typeof changeOwnKey>[2]) => changeOwnKey(organizationId, key.id, body),
    onSuccess: () => client.invalidateQueries({ queryKey: ownKeysQuery(organizationId).queryKey }),
  })
  const { modelMappings: mappings } = key
  return (
    <section aria-labelledby="own-key-models">
      <h3 id="own-key-models" className="mb-2 font-semibold text-sm">
        Models
      </h3>
      {change.error === null ? null : (
        <div className="mb-2">
          <ErrorNote error={change.error} />
        </div>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line empty:hidden">
        {mappings.map((mapping) => (
          <li key={mapping.model} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <CheckField
                label={<code className="break-all font-mono text-xs">{mapping.model}</code>}
                hint={mapping.upstreamModel}
                checked={mapping.enabled}
                disabled={change.isPending}
                onChange={({ target }) => change.mutate({ modelToggles: { [mapping.model]: target.checked } })}
              />
            </div>
            <IconButton
              label={`Remove ${mapping.model}`}
              onClick={() => change.mutate({ modelMappings: mappings.filter((one) => one !== mapping) })}
            >
              <X size={16} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      {mappings.length === 0 ? (
        <p className="text-muted text-sm">No models yet. This key is used once it has one.</p>
      ) : null}
      <NewMapping
        // A saved mapping empties the form.
        key={mappings.length}
        isBusy={change.isPending}
        onAdd={(mapping) => change.mutate({ modelMappings: [...mappings, { ...mapping, enabled: true }] })}
      />
    </section>
  )
}

function NewMapping({
  isBusy,
  onAdd,
}: {
  readonly isBusy: boolean
  readonly onAdd: (mapping: { readonly model: string; readonly upstreamModel: string }) => void
}) {
  const [model, setModel] = useState('')
  const [upstreamModel, setUpstreamModel] = useState('')
  return (
    <form
      className="mt-3 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ model: model.trim(), upstreamModel: upstreamModel.trim() })
      }}
    >
      <div className="min-w-0 flex-1 basis-44">
        <TextField
          label="Model"
          placeholder="openai/gpt-5.2"
          className="font-mono"
          value={model}
          onChange={({ target }) => setModel(target.value)}
        />
      </div>
      <div className="min-w-0 flex-1 basis-44">
        <TextField
          label="Name at the provider"
          placeholder="gpt-5.2"
          className="font-mono"
          value={upstreamModel}
          onChange={({ target }) => setUpstreamModel(target.value)}
        />
      </div>
      <Button
        type="submit"
        icon={<Plus size={16} aria-hidden="true" />}
        isBusy={isBusy}
        disabled={model.trim() === '' || upstreamModel.trim() === ''}
      >
        Add model
      </Button>
    </form>
  )
}
