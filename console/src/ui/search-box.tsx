import { useEffect, useState } from 'react'
import { useSettled } from '../lib/use-settled.ts'
import { TextField } from './field.tsx'
import { useSearchState } from './use-search-state.ts'

/** A search box of a list. Its text is the search parameter `q`. */
export function SearchBox({ label, hint }: { readonly label: string; readonly hint?: string | undefined }) {
  const [{ q }, change] = useSearchState()
  const shown = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const [text, setText] = useState(shown)
  const [known, setKnown] = useState(shown)
  // Another place, such as "Clear filters" or a saved view, has changed the search.
  if (known !== shown) {
    setKnown(shown)
    setText(shown)
  }
  const settled = useSettled(text)
  useEffect(() => {
    if (settled === text && settled !== shown) change({ q: settled === '' ? undefined : settled })
  }, [settled, text, shown, change])
  return (
    <div className="w-full sm:w-64">
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={hint ?? label}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  )
}
