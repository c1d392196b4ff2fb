import { useEffect } from 'react'

/** The name of the modifier key on this platform. */
export const modifierName = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Ctrl-K (or Command-K) opens the palette, Ctrl-/ opens the API drawer. */
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
