import { ListFilter, X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { ChoiceList } from './choice-list.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { chipWords, type FilterField, type Search, searchOf, setFilters } from './filter-field.ts'
import { Popover } from './popover.tsx'
import { useSearchState } from './use-search-state.ts'

/** The filters of a list as chips, and a button that adds one. Their values are search parameters. */
export function FilterBar({ fields }: { readonly fields: readonly FilterField[] }) {
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
      {set.map(({ field, value }) => (
        <FilterChip
          key={field.name}
          field={field}
          value={value}
          onChange={(next) => change(searchOf(field, next))}
          onRemove={() => remove(searchOf(field, undefined))}
        />
      ))}
      <AddFilter fields={fields} search={search} onAdd={change} button={adding} />
      {set.length === 0 ? null : (
        <Button kind="quiet" size="small" onClick={() => remove(withoutFilters(fields))}>
          Clear filters
        </Button>
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
      className="min-w-0 rounded-l-md py-1.5 pl-2.5 text-left [overflow-wrap:anywhere] hover:bg-raised"
    >
      {words}
    </button>
  )
  return (
    <span
      data-chip={field.name}
      className="inline-flex min-h-9 max-w-full items-stretch rounded-md border border-accent bg-accent-soft text-sm"
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
  const set = setFilters(fields, search)
  const free = fields.filter((field) => !set.some((one) => one.field === field))
  const field = free.find(({ name }) => name === chosen) ?? (free.length === 1 ? free[0] : undefined)
  const add = (to: FilterField, value: string) => {
    setOpen(false)
    onAdd(searchOf(to, value))
  }
  const choose = (name: string) => {
    const next = free.find((one) => one.name === name)
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
        <Button ref={button} disabled={free.length === 0} icon={<ListFilter size={15} aria-hidden="true" />}>
          Filter
        </Button>
      }
    >
      {field === undefined || field.type === 'flag' ? (
        <ChoiceList
          key="fields"
          label="Filter by"
          choices={free.map(({ name, label }) => ({ value: name, label }))}
          onChoose={choose}
        />
      ) : (
        <FilterEditor key={field.name} field={field} value={undefined} onApply={(value) => add(field, value)} />
      )}
    </Popover>
  )
}
