import { useQuery } from '@tanstack/react-query'
import { FlaskConical, X } from 'lucide-react'
import { useId, useState } from 'react'
import { modelKindOf } from '../../api/inference-call.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { modelsQuery } from '../../api/models.ts'
import { TestModelSheet } from './test-model-sheet.tsx'

export const chatModelsMax = 4

interface PickerProps {
  readonly models: readonly string[]
  readonly onChange: (models: readonly string[]) => void
}

/** Selects up to four models. Any id can be typed, such as `test/error-418`; the list suggests available models. */
export function ModelPicker({ models, onChange }: PickerProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { data } = useQuery(modelsQuery)
  const proposed = (data?.data ?? []).filter(
    ({ available, architecture }) => available && modelKindOf(architecture.output_modalities) === 'chat',
  )
  const isFull = models.length >= chatModelsMax
  const add = (id: string) => {
    if (id.trim() === '' || isFull || models.includes(id.trim())) return
    onChange([...models, id.trim()])
    setTyped('')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {models.map((id) => (
        <span
          key={id}
          className="inline-flex h-9 items-center gap-1 rounded-md border border-line bg-surface pr-1 pl-3"
        >
          <span className="max-w-56 truncate font-mono text-xs">{id}</span>
          <IconButton
            label={`Remove ${id}`}
            className="size-6"
            onClick={() => onChange(models.filter((other) => other !== id))}
          >
            <X size={13} aria-hidden="true" />
          </IconButton>
        </span>
      ))}
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          add(typed)
        }}
      >
        <div className="w-56">
          <TextField
            label="Add a model"
            isLabelHidden
            list={listId}
            placeholder={isFull ? 'Up to 4 models' : 'Add a model'}
            disabled={isFull}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <datalist id={listId}>
          {proposed.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </datalist>
        <Button type="submit" disabled={isFull || typed.trim() === ''}>
          Add
        </Button>
      </form>
      <Button kind="quiet" icon={<FlaskConical size={16} aria-hidden="true" />} onClick={() => setSheetOpen(true)}>
        Test models
      </Button>
      {isSheetOpen ? (
        <TestModelSheet models={models} isFull={isFull} onAdd={add} onClose={() => setSheetOpen(false)} />
      ) : null}
    </div>
  )
}
