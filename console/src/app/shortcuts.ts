import { useEffect } from 'react'

/** What the modifier of shortcuts is called on this machine. */
export const modifierName = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Ctrl-K (or Command-K) opens the palette, Ctrl-/ the drawer of calls. */
export function useShortcuts({
  onPalette,
  onCalls,
}: {
  readonly onPalette: () => void
  readonly onCalls: () => void
}): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      const action = event.key.toLowerCase() === 'k' ? onPalette : event.key === '/' ? onCalls : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [onPalette, onCalls])
}
