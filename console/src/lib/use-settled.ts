import { useEffect, useState } from 'react'

// Long enough that a word is typed in one go, short enough to feel at once.
const typingMs = 250

/** What was typed, once it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
