import { useSyncExternalStore } from 'react'

/** The system theme applies unless the person chose one in this browser. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'weir.theme'
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
