import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { shownView } from '../api/shown-view.ts'
import { toast } from '../ui/toast.tsx'
import { leaveView } from './leave-view.ts'

const tickMs = 5_000

/** Says on every page of a view whose console it is, and ends the view in time. */
export function ViewBar() {
  const view = shownView()
  const leftMs = useLeftMs(view?.endsAtMs ?? 0)
  useEffect(() => {
    document.addEventListener('click', refuseFile, { capture: true })
    return () => document.removeEventListener('click', refuseFile, { capture: true })
  }, [])
  if (view === null) return null
  return (
    <aside
      aria-label="View of a customer"
      className="sticky top-0 z-30 col-span-full flex h-(--bar) items-center gap-2 bg-warn px-4 font-medium text-surface text-xs"
    >
      <Eye size={14} aria-hidden="true" className="shrink-0" />
      <p className="flex min-w-0 flex-1 flex-col md:flex-row md:gap-1">
        <span className="truncate">
          You view the console as <span className="max-md:block max-md:truncate">{view.user.email}.</span>
        </span>
        <span className="shrink-0">Nothing can be changed. Ends in {Math.max(1, Math.ceil(leftMs / 60_000))} min.</span>
      </p>
      <button
        type="button"
        onClick={() => leaveView({ hasEnded: false })}
        className="h-7 shrink-0 rounded-md border border-current px-2 hover:underline"
      >
        End view
      </button>
    </aside>
  )
}

function useLeftMs(endsAtMs: number): number {
  const [leftMs, setLeftMs] = useState(() => endsAtMs - Date.now())
  useEffect(() => {
    const tick = () => {
      setLeftMs(endsAtMs - Date.now())
      if (endsAtMs <= Date.now()) leaveView({ hasEnded: true })
    }
    tick()
    const ticking = setInterval(tick, tickMs)
    return () => clearInterval(ticking)
  }, [endsAtMs])
  return leftMs
}

/** The browser would fetch a file with the operator's session alone, outside of the view. */
function refuseFile(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || !/^\/(?:api|v1)\//.test(link.pathname)) return
  event.preventDefault()
  event.stopPropagation()
  toast("A view of a customer can't open or download files.")
}
