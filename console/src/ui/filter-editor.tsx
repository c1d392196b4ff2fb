import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { ChoiceList } from './choice-list.tsx'
import { TextField } from './field.tsx'
import { type FilterField, parseFilter } from './filter-field.ts'

/** Asks for the value of a filter: one of a list, a text, or a number. */
export function FilterEditor({
  field,
  value,
  onApply,
}: {
  readonly field: Exclude<FilterField, { readonly type: 'flag' }>
  readonly value: string | undefined
  readonly onApply: (value: string) => void
}) {
  if (field.type !== 'choice') return <TypedEditor field={field} value={value} onApply={onApply} />
  return (
    <ChoiceList
      label={field.label}
      choices={field.choices}
      value={value}
      isOpen={field.isOpen === true}
      find={field.find}
      onChoose={onApply}
    />
  )
}

/** Enter applies the text, so partial input is never sent. */
function TypedEditor({
  field,
  value,
  onApply,
}: {
  readonly field: Extract<FilterField, { readonly type: 'text' | 'number' }>
  readonly value: string | undefined
  readonly onApply: (value: string) => void
}) {
  const [text, setText] = useState(value ?? '')
  const [isWrong, setWrong] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseFilter(field, text)
    if (parsed === undefined) setWrong(true)
    else onApply(parsed)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 p-1">
      <TextField
        ref={box}
        label={field.label}
        hint={field.hint}
        spellCheck={false}
        inputMode={field.type === 'number' ? 'decimal' : 'text'}
        error={isWrong ? (field.type === 'number' ? 'Enter a number.' : 'Enter a full value.') : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
      <Button type="submit" kind="primary" size="small" className="self-end">
        Apply
      </Button>
    </form>
  )
}
