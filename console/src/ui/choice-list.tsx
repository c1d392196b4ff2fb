import { Check } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import type { Choice } from './field.tsx'
import { type FindChoices, useFoundChoices } from './use-found-choices.ts'

/** A list with a search box. Focus stays in the box, which names the highlighted choice. */
export function ChoiceList({
  label,
  choices,
  value,
  isOpen = false,
  find,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly value?: string | undefined
  /** Whether the typed text itself can be chosen. */
  readonly isOpen?: boolean
  /** Finds further choices on the server. */
  readonly find?: FindChoices | undefined
  readonly onChoose: (value: string) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(() => placeOf(choices, value))
  const remote = useFoundChoices(find, text)
  const found = find === undefined ? findChoices(choices, text, isOpen) : remote
  const index = Math.min(chosen, found.length - 1)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, index])
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    const at = found[index]
    if (step !== 0) setChosen(Math.max(0, Math.min(found.length - 1, index + step)))
    else if (at !== undefined) onChoose(at.value)
  }
  return (
    <>
      <input
        ref={box}
        role="combobox"
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${index}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={`${label}…`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
        }}
        onKeyDown={steer}
        className="mb-1 h-8 w-full rounded border border-line-strong bg-surface px-2 text-sm"
      />
      <Options
        id={id}
        label={label}
        found={found}
        index={index}
        value={value}
        onPoint={setChosen}
        onChoose={onChoose}
      />
      {found.length === 0 ? <p className="px-2 py-1.5 text-muted">No matches.</p> : null}
    </>
  )
}

function Options(props: {
  readonly id: string
  readonly label: string
  readonly found: readonly Choice[]
  readonly index: number
  readonly value: string | undefined
  readonly onPoint: (at: number) => void
  readonly onChoose: (value: string) => void
}) {
  const { id, label, found, index, value, onPoint, onChoose } = props
  return (
    <ul id={`${id}-list`} role="listbox" aria-label={label} className="max-h-72 overflow-y-auto">
      {found.map((choice, at) => (
        <li
          key={choice.value}
          id={`${id}-${at}`}
          role="option"
          aria-selected={choice.value === value}
          onPointerMove={() => onPoint(at)}
          onClick={() => onChoose(choice.value)}
          className={classNames(
            'flex cursor-pointer items-center gap-2 rounded px-2 py-1.5',
            at === index && 'bg-raised',
          )}
        >
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{choice.label}</span>
          {choice.detail === undefined ? null : (
            <span className="figures shrink-0 text-muted text-xs">{choice.detail}</span>
          )}
          {choice.value === value ? <Check size={14} aria-hidden="true" /> : null}
        </li>
      ))}
    </ul>
  )
}

function placeOf(choices: readonly Choice[], value: string | undefined): number {
  const place = choices.findIndex((choice) => choice.value === value)
  return Math.max(place, 0)
}

function findChoices(choices: readonly Choice[], text: string, isOpen: boolean): readonly Choice[] {
  const typed = text.trim()
  const found = choices.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const isListed = typed === '' || choices.some(({ value }) => value === typed)
  return isOpen && !isListed ? [...found, { value: typed, label: `Use “${typed}”` }] : found
}
