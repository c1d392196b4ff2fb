import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import type { NavigationEntry } from './navigation.ts'
import { rankEntries } from './rank-entries.ts'
import { useNavigation } from './use-navigation.ts'

/** The command palette: finds pages by a few letters of their names. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const navigate = useNavigate()
  const { groups } = useNavigation()
  const pages = groups.flatMap(({ entries }) => entries.flatMap(pagesOf))
  const found = rankEntries([...pages, settings], text)
  const index = Math.min(chosen, found.length - 1)
  const open = (at: number) => {
    const entry = found[at]
    if (entry === undefined) return
    onClose()
    void navigate({ to: entry.path, ...(entry.path === settings.path ? { search: { scope: undefined } } : {}) })
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
            aria-label="Search pages"
            aria-expanded={found.length > 0}
            aria-controls="palette-results"
            aria-activedescendant={found.length > 0 ? `palette-${index}` : undefined}
            autoComplete="off"
            placeholder="Search pages…"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(0)
            }}
            onKeyDown={steer}
            className="h-12 w-full border-line border-b bg-transparent px-4 text-sm outline-none"
          />
          <ul id="palette-results" role="listbox" aria-label="Pages" className="max-h-80 overflow-y-auto p-1.5">
            {found.map(({ path, label, icon: Icon }, at) => (
              // Focus stays in the input, which names the selected entry.
              <li
                key={path}
                id={`palette-${at}`}
                role="option"
                aria-selected={at === index}
                onPointerMove={() => setChosen(at)}
                onClick={() => open(at)}
                className={classNames(
                  'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm',
                  at === index && 'bg-raised',
                )}
              >
                <Icon size={16} aria-hidden="true" className="text-muted" />
                {label}
              </li>
            ))}
          </ul>
          {found.length === 0 ? <p className="px-4 pb-4 text-muted text-sm">No matching pages.</p> : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Settings belong to the person, so no workspace has them. */
const settings = {
  path: '/settings',
  label: 'Settings',
  icon: Settings,
  words: 'profile sessions passkeys two-factor second factor password export data delete account',
}

function pagesOf({ icon, tabs, ...entry }: NavigationEntry) {
  return (tabs ?? [entry]).map(({ path, label, words }) => ({ path, label, words, icon }))
}
