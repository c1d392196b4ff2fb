import { ListFilter, X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { ChoiceList } from './choice-list.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { chipWords, type FilterField, filterValue, type Search, searchOf, setFilters } from './filter-field.ts'
import { Popover } from './popover.tsx'
import { useSearchState } from './use-search-state.ts'

/**
 * A button that adds a filter, further inputs, and below them a chip for each filter that is set. The values are search
 * parameters.
 */
export function FilterBar({
  fields,
  children,
}: {
  readonly fields: readonly FilterField[]
  readonly children: ReactNode
}) {
  const [search, change] = useSearchState()
  const adding = useRef<HTMLButtonElement>(null)
  const set = setFilters(fields, search)
  // The removed chip had the focus, and it must go somewhere near.
  const remove = (without: Search) => {
    change(without)
    adding.current?.focus()
  }
  return (
    <>
      <AddFilter fields={fields} search={search} onAdd={change} button={adding} />
      {children}
      {set.length === 0 ? null : (
        <div role="group" aria-label="Filters" className="flex w-full flex-wrap items-center gap-2">
          {set.map(({ field, value }) => (
            <FilterChip
              key={field.name}
              field={field}
              value={value}
              onChange={(next) => change(searchOf(field, next))}
              onRemove={() => remove(searchOf(field, undefined))}
            />
          ))}
          <Button kind="quiet" size="small" onClick={() => remove(withoutFilters(fields))}>
            Clear filters
          </Button>
        </div>
      )}
    </>
  )
}

export function withoutFilters(fields: readonly FilterField[]): Search {
  return Object.assign({}, ...fields.map((field) => searchOf(field, undefined)))
}

/** A filter that is set. A click changes it; the cross, Backspace or Delete removes it. A long value wraps. */
function FilterChip({
  field,
  value,
  onChange,
  onRemove,
}: {
  readonly field: FilterField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onRemove: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const words = chipWords(field, value)
  const text = (
    <button
      type="button"
      onKeyDown={({ key }) => (key === 'Backspace' || key === 'Delete' ? onRemove() : undefined)}
      className="min-w-0 rounded-l-md py-1 pl-2.5 text-left [overflow-wrap:anywhere] hover:bg-raised"
    >
      {words}
    </button>
  )
  return (
    <span
      data-chip={field.name}
      className="inline-flex min-h-8 max-w-full items-stretch rounded-md border border-accent bg-accent-soft text-sm"
    >
      {field.type === 'flag' ? (
        text
      ) : (
        <Popover label={`Filter by ${field.label.toLowerCase()}`} isOpen={isOpen} onOpen={setOpen} trigger={text}>
          <FilterEditor
            field={field}
            value={value}
            onApply={(next) => {
              setOpen(false)
              onChange(next)
            }}
          />
        </Popover>
      )}
      <button
        type="button"
        aria-label={`Remove filter ${words}`}
        title="Remove filter"
        onClick={onRemove}
        className="inline-flex w-8 shrink-0 items-center justify-center rounded-r-md text-muted hover:bg-raised hover:text-ink"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  )
}

/** Asks for a field, then for its value. With one field it asks for the value at once. */
function AddFilter({
  fields,
  search,
  onAdd,
  button,
}: {
  readonly fields: readonly FilterField[]
  readonly search: Search
  readonly onAdd: (search: Search) => void
  readonly button: RefObject<HTMLButtonElement | null>
}) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const field = fields.find(({ name }) => name === chosen) ?? (fields.length === 1 ? fields[0] : undefined)
  const add = (to: FilterField, value: string) => {
    setOpen(false)
    onAdd(searchOf(to, value))
  }
  const choose = (name: string) => {
    const next = fields.find((one) => one.name === name)
    if (next?.type === 'flag') add(next, 'true')
    else setChosen(name)
  }
  return (
    <Popover
      label="Add a filter"
      isOpen={isOpen}
      onOpen={(open) => {
        setChosen(undefined)
        setOpen(open)
      }}
      trigger={
        <Button ref={button} icon={<ListFilter size={15} aria-hidden="true" />}>
          Filter
        </Button>
      }
    >
      {field === undefined || field.type === 'flag' ? (
        <ChoiceList
          key="fields"
          label="Filter by"
          choices={fields.map(({ name, label }) => ({ value: name, label }))}
          onChoose={choose}
        />
      ) : (
        <FilterEditor
          key={field.name}
          field={field}
          value={filterValue(field, search)}
          onApply={(value) => add(field, value)}
        />
      )}
    </Popover>
  )
}
