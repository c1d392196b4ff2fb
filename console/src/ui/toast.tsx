import { CircleAlert, CircleCheck } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { errorWords } from './error-note.tsx'

interface ToastNote {
  readonly id: number
  readonly text: string
  readonly isError: boolean
}

const shownMs = 6_000

let notes: readonly ToastNote[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Announces what has just happened. An error that the page can show in place belongs there instead. */
export function toast(text: string): void {
  show(text, false)
}

export function toastError(error: unknown): void {
  show(errorWords(error), true)
}

function show(text: string, isError: boolean): void {
  lastId += 1
  const id = lastId
  change([...notes, { id, text, isError }].slice(-3))
  setTimeout(() => change(notes.filter((note) => note.id !== id)), shownMs)
}

function change(next: readonly ToastNote[]): void {
  notes = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Rendered once, in the providers. On a phone, a dialog has its actions at the bottom and its head at the top, so notes
 * are shown below the head while one is open.
 */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => notes)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-60 flex flex-col items-center gap-2 px-4 md:bottom-6 max-md:in-[body:has([role=dialog])]:top-20 max-md:in-[body:has([role=dialog])]:bottom-auto"
    >
      {shown.map(({ id, text, isError }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-lg items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-float"
        >
          {isError ? (
            <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-label="Error" />
          ) : (
            <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-label="Done" />
          )}
          <span className="min-w-0 break-words">{text}</span>
        </div>
      ))}
    </div>
  )
}
