import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { parseRequestId } from '../../lib/request-id.ts'
import { type Choice, TextField } from '../../ui/field.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { TimeRange } from '../../ui/time-range.tsx'
import { requestStatuses } from './search.ts'
import { statusInWords } from './words.ts'

const presets: readonly Choice[] = [
  { value: '1d', label: 'Today (UTC)' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]

const statuses = requestStatuses.map((value) => ({ value, label: statusInWords(value) }))

/** The filter chips of the list. The choices are those of the period; any other value can be typed. */
export function requestFields({
  models,
  keys,
  providers,
}: {
  readonly models: readonly string[]
  readonly keys: readonly Choice[]
  readonly providers: readonly string[]
}): readonly FilterField[] {
  return [
    { name: 'model', label: 'Model', type: 'choice', choices: asChoices(models), isOpen: true },
    { name: 'key', label: 'API key', type: 'choice', choices: keys, isOpen: true },
    { name: 'provider', label: 'Provider', type: 'choice', choices: asChoices(providers), isOpen: true },
    { name: 'app', label: 'Application', type: 'text', hint: 'The exact name that the app sends as X-Title.' },
    { name: 'customer', label: 'Customer', type: 'text', hint: 'Your own ID of the customer.' },
    {
      name: 'user',
      label: 'End user',
      type: 'text',
      hint: 'Your own ID of the user, from the request body.',
    },
    {
      name: 'run',
      label: 'Run',
      type: 'text',
      hint: 'Your own ID of the run. Excludes its child runs.',
    },
    { name: 'tag', label: 'Tag', type: 'text', hint: 'A name and a value, such as team=search.' },
    { name: 'status', label: 'Result', type: 'choice', choices: statuses },
  ]
}

/** The time range of the list, and the way to one receipt. */
export function RequestFilters() {
  return (
    <>
      <TimeRange presets={presets} usual="7d" reset={{ from: undefined, to: undefined }} />
      <FindById />
    </>
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
    <form onSubmit={submit} className="min-w-36 flex-1 sm:max-w-56">
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
