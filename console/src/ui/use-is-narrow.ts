import { useSyncExternalStore } from 'react'

// Tailwind's breakpoint `sm`.
const narrow = matchMedia('(width < 40rem)')

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
