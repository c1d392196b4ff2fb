import { useEffect, useState } from 'react'
import { useIsNarrow } from './use-is-narrow.ts'

/**
 * Whether a list shows cards, as on phones. A dialog that a row opened would vanish with the row, so a window that is
 * resized meanwhile changes the list once the dialog is closed.
 */
export function useShowsCards(): boolean {
  const isNarrow = useIsNarrow()
  const [isCards, setCards] = useState(isNarrow)
  useEffect(() => {
    const settle = () => (document.querySelector('[role="dialog"]') === null ? setCards(isNarrow) : undefined)
    settle()
    if (isNarrow === isCards) return undefined
    const observer = new MutationObserver(settle)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [isNarrow, isCards])
  return isCards
}
