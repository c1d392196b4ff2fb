import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { modelKindOf } from '../../api/inference-call.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ChoiceList } from '../../ui/choice-list.tsx'
import { Popover } from '../../ui/popover.tsx'
import { modelsQuery } from '../../api/models.ts'
import { priceInShort } from '../models/price-rows.ts'
import { TestModelSheet } from './test-model-sheet.tsx'

export const chatModelsMax = 4

interface PickerProps {
  readonly models: readonly string[]
  readonly onChange: (models: readonly string[]) => void
}

/** Selects up to four models from the available ones with their prices. Any ID can be typed: `test/error-418`. */
export function ModelPicker({ models, onChange }: PickerProps) {
  const [isListOpen, setListOpen] = useState(false)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { data } = useQuery(modelsQuery)
  const proposed = (data?.data ?? []).filter(
    ({ available, architecture }) => available && modelKindOf(architecture.output_modalities) === 'chat',
  )
  const isFull = models.length >= chatModelsMax
  const add = (id: string) => {
    setListOpen(false)
    if (!isFull && !models.includes(id)) onChange([...models, id])
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
      <Popover
        label="Add a model"
        isOpen={isListOpen}
        onOpen={setListOpen}
        trigger={
          <Button icon={<Plus size={16} aria-hidden="true" />} disabled={isFull}>
            {isFull ? 'Up to 4 models' : 'Add a model'}
          </Button>
        }
      >
        <ChoiceList
          label="Search models"
          isOpen
          choices={proposed
            .filter(({ id }) => !models.includes(id))
            .map((model) => ({ value: model.id, label: model.id, detail: priceInShort(model) }))}
          onChoose={add}
        />
      </Popover>
      <Button kind="quiet" icon={<FlaskConical size={16} aria-hidden="true" />} onClick={() => setSheetOpen(true)}>
        Test models
      </Button>
      {isSheetOpen ? (
        <TestModelSheet models={models} isFull={isFull} onAdd={add} onClose={() => setSheetOpen(false)} />
      ) : null}
    </div>
  )
}
