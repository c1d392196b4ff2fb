import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { findInPalette } from './find-in-palette.ts'
import {
  type PaletteEntry,
  useKeyEntries,
  useMemberEntries,
  usePaletteEntries,
  useRequestEntry,
} from './use-palette-entries.ts'

/** The command palette: finds pages, actions, models, keys and members, and opens the receipt of a request ID. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const request = useRequestEntry(text)
  const members = useMemberEntries(text)
  const keys = useKeyEntries(text)
  const found = [...request, ...findInPalette([...usePaletteEntries(), ...keys], text), ...members]
  const index = Math.min(chosen, found.length - 1)
  useEffect(() => {
    document.getElementById(`palette-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [index])
  const open = (at: number) => {
    const entry = found[at]
    if (entry === undefined) return
    onClose()
    entry.open()
  }
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setChosen(Math.max(0, Math.min(found.length - 1, index + step)))
    } else if (event.key === 'Enter') open(index)
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-slate-950/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-float">
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <input
            role="combobox"
            aria-label="Search pages, actions, models, keys, and request IDs"
            aria-expanded={found.length > 0}
            aria-controls="palette-results"
            aria-activedescendant={found.length > 0 ? `palette-${index}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="Search, or paste a request ID…"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(0)
            }}
            onKeyDown={steer}
            className="h-12 w-full border-line border-b bg-transparent px-4 text-sm outline-none"
          />
          <Results found={found} index={index} onPoint={setChosen} onOpen={open} />
          {found.length === 0 ? <p className="px-4 pb-4 text-muted text-sm">No matches.</p> : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ResultsProps {
  readonly found: readonly PaletteEntry[]
  readonly index: number
  readonly onPoint: (at: number) => void
  readonly onOpen: (at: number) => void
}

/** Focus stays in the input, which names the selected entry. */
function Results({ found, index, onPoint, onOpen }: ResultsProps) {
  return (
    <ul id="palette-results" role="listbox" aria-label="Results" className="max-h-80 overflow-y-auto p-1.5">
      {found.map(({ id, kind, label, icon: Icon }, at) => (
        <li
          key={id}
          id={`palette-${at}`}
          role="option"
          aria-selected={at === index}
          onPointerMove={() => onPoint(at)}
          onClick={() => onOpen(at)}
          className={classNames(
            'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm',
            at === index && 'bg-raised',
          )}
        >
          <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <span className="shrink-0 text-muted text-xs">{kind}</span>
        </li>
      ))}
    </ul>
  )
}
