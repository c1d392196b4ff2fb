import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

/** The patterns of a list, which can be removed and added if `onChange` is given. */
export function PatternList({
  patterns,
  modelIds,
  onChange,
}: {
  readonly patterns: readonly string[]
  readonly modelIds: readonly string[]
  readonly onChange: ((patterns: string[]) => void) | undefined
}) {
  return (
    <div className="flex flex-col gap-3">
      {patterns.length === 0 ? (
        <p className="text-muted text-sm">No entries. Every model is allowed here.</p>
      ) : (
        <ul aria-label="Entries of the list" className="flex flex-wrap gap-2">
          {patterns.map((pattern) => (
            <li
              key={pattern}
              className="inline-flex items-center gap-1 rounded-md border border-line bg-raised py-1 pr-1 pl-2 font-mono text-xs"
            >
              {pattern}
              {onChange === undefined ? null : (
                <button
                  type="button"
                  aria-label={`Remove ${pattern}`}
                  onClick={() => onChange(patterns.filter((one) => one !== pattern))}
                  className="inline-flex size-5 items-center justify-center rounded text-muted hover:text-ink"
                >
                  <X size={12} aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {onChange === undefined ? null : (
        <AddPattern
          modelIds={modelIds}
          onAdd={(pattern) => onChange([...patterns.filter((one) => one !== pattern), pattern])}
        />
      )}
    </div>
  )
}

// The API checks the rest when the list is saved.
const form = /^[^\s/]+\/\S+$/

function AddPattern({
  modelIds,
  onAdd,
}: {
  readonly modelIds: readonly string[]
  readonly onAdd: (pattern: string) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const providers = [...new Set(modelIds.map((modelId) => `${modelId.split('/')[0]}/*`))]
  const add = (event: FormEvent) => {
    event.preventDefault()
    const pattern = text.trim().toLowerCase()
    if (!form.test(pattern)) {
      setError('Enter a model such as openai/gpt-5.2, or a provider such as openai/*.')
      return
    }
    onAdd(pattern)
    setText('')
    setError(undefined)
  }
  return (
    <form onSubmit={add} className="flex flex-wrap items-start gap-2" noValidate>
      <div className="w-full sm:w-80">
        <TextField
          label="Model or provider"
          isLabelHidden
          placeholder="openai/gpt-5.2 or openai/*"
          list={id}
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id={id}>
          {[...providers, ...modelIds].map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      </div>
      <Button type="submit">Add entry</Button>
    </form>
  )
}
