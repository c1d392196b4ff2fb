import { useEffect, useState } from 'react'

// Long enough to type a word without a search in between, short enough to feel instant.
const typingMs = 250

/** Returns the text once it has stopped changing for `typingMs`. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
