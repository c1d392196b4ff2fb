import { ChevronsUpDown } from 'lucide-react'
import { useId, useState } from 'react'
import { ChoiceList } from './choice-list.tsx'
import type { Choice } from './field.tsx'
import { Popover } from './popover.tsx'
import type { FindChoices } from './use-found-choices.ts'

/** A form field for one entry of a list that the server searches. */
export function ChoiceField({
  label,
  placeholder,
  find,
  chosen,
  error,
  onChoose,
}: {
  readonly label: string
  readonly placeholder: string
  readonly find: FindChoices
  readonly chosen: Choice | null
  readonly error?: string | undefined
  readonly onChoose: (choice: Choice) => void
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const named: FindChoices = {
    ...find,
    // The list reports values only, so each carries its label.
    find: async (text) =>
      (await find.find(text)).map((choice) => ({ value: JSON.stringify(choice), label: choice.label })),
    key: [...find.key, 'named'],
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span id={`${id}-label`} className="font-medium text-sm">
        {label}
      </span>
      <Popover
        label={label}
        isOpen={isOpen}
        onOpen={setOpen}
        trigger={
          <button
            type="button"
            aria-labelledby={`${id}-label ${id}-value`}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-left text-sm"
          >
            <span id={`${id}-value`} className={chosen === null ? 'flex-1 text-muted' : 'min-w-0 flex-1 truncate'}>
              {chosen?.label ?? placeholder}
            </span>
            <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
          </button>
        }
      >
        <ChoiceList
          label={label}
          choices={[]}
          find={named}
          onChoose={(value) => {
            onChoose(JSON.parse(value) as Choice)
            setOpen(false)
          }}
        />
      </Popover>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}
