import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { parseRequestId } from '../../lib/request-id.ts'
import { Button } from '../../ui/button.tsx'
import { type Choice, SelectField, TextField } from '../../ui/field.tsx'
import type { RequestsSearch } from './search.ts'

export type SearchChange = { readonly [Name in keyof RequestsSearch]?: RequestsSearch[Name] | undefined }

const statuses: readonly Choice[] = [
  { value: '', label: 'All results' },
  { value: 'charged', label: 'Charged' },
  { value: 'refunded', label: 'Not charged' },
]

const periodChoices: readonly Choice[] = [
  { value: '1d', label: 'Today (UTC)' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]

/** The filters of the list. Each is a URL parameter. */
export function RequestFilters({
  search,
  models,
  keys,
  providers,
  onChange,
}: {
  readonly search: RequestsSearch
  readonly models: readonly string[]
  readonly keys: readonly Choice[]
  readonly providers: readonly string[]
  readonly onChange: (change: SearchChange) => void
}) {
  const isNarrowed = ['model', 'key', 'provider', 'status', 'from'].some((name) => name in search)
  return (
    <>
      <Select
        label="Model"
        value={search.model}
        choices={choicesOf('All models', asChoices(models), search.model)}
        onChange={(model) => onChange({ model })}
      />
      <Select
        label="API key"
        value={search.key}
        choices={choicesOf('All API keys', keys, search.key)}
        onChange={(key) => onChange({ key })}
      />
      <Select
        label="Provider"
        value={search.provider}
        choices={choicesOf('All providers', asChoices(providers), search.provider)}
        onChange={(provider) => onChange({ provider })}
      />
      <Select
        label="Result"
        value={search.status}
        choices={statuses}
        onChange={(status) => onChange({ status: status as RequestsSearch['status'] })}
      />
      <Select
        label="Time range"
        value={search.period ?? '7d'}
        choices={periodChoices}
        onChange={(period) => onChange({ period: period as RequestsSearch['period'], from: undefined, to: undefined })}
      />
      <FindById />
      {isNarrowed ? (
        <Button
          kind="quiet"
          size="small"
          icon={<X size={14} aria-hidden="true" />}
          onClick={() =>
            onChange({
              model: undefined,
              key: undefined,
              provider: undefined,
              status: undefined,
              from: undefined,
              to: undefined,
            })
          }
        >
          Clear filters
        </Button>
      ) : null}
    </>
  )
}

function Select(props: {
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly Choice[]
  readonly onChange: (value: string | undefined) => void
}) {
  const { label, value = '', choices, onChange } = props
  return (
    <div className="w-[calc(50%-4px)] sm:w-36">
      <SelectField
        label={label}
        isLabelHidden
        value={value}
        choices={choices}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
    </div>
  )
}

/** Opens the receipt of a pasted id. */
function FindById() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const requestId = parseRequestId(text)
    if (requestId === undefined) return setWrong(true)
    setText('')
    void navigate({ to: '/requests/$requestId', params: { requestId }, search: true })
  }
  return (
    <form onSubmit={submit} className="w-[calc(50%-4px)] sm:w-44">
      <TextField
        label="Request ID"
        isLabelHidden
        placeholder="Request ID"
        value={text}
        spellCheck={false}
        error={isWrong ? 'Enter a full request ID: gen- or req_ plus 32 characters.' : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
    </form>
  )
}

function asChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }))
}

/** Keeps the selected value as an option even if no listed row has it. */
function choicesOf(anything: string, choices: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen)
  return [{ value: '', label: anything }, ...choices, ...(isKnown ? [] : [{ value: chosen, label: chosen }])]
}
