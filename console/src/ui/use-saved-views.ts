import { useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { sessionQuery } from '../api/session.ts'
import { parseViews, type SavedView, withoutView, withView } from './saved-views.ts'
import { useSearchState } from './use-search-state.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** The saved views of the person in this scope. They are stored in this browser. */
export function useSavedViews() {
  const { data: session } = useQuery(sessionQuery)
  const [{ scope }] = useSearchState()
  const key = `weir.views.${session?.user.id ?? ''}.${typeof scope === 'string' ? scope : 'personal'}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const views = useMemo(() => parseViews(text), [text])
  const store = (next: readonly SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(next))
    for (const listener of listeners) listener()
  }
  return {
    views,
    save: (view: SavedView) => store(withView(views, view)),
    remove: (view: SavedView) => store(withoutView(views, view)),
  }
}
