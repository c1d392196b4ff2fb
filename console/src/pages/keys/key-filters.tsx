import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { keySorts } from './search.ts'

const route = getRouteApi('/app/keys')

const sorts = [
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
  { value: 'name', label: 'Name (A–Z)' },
  { value: '-name', label: 'Name (Z–A)' },
]

// Long enough to type a word without a search in between, short enough to feel instant.
const typingMs = 250

/** Search and sort order, kept in the URL. */
export function KeyFilters() {
  const { q = '', sort = '-created' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useState(q)
  useEffect(() => {
    if (text === q) return
    const timer = setTimeout(() => {
      void navigate({
        search: ({ q: _old, ...others }) => (text === '' ? others : { ...others, q: text }),
        replace: true,
      })
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text, q, navigate])
  return (
    <>
      <div className="w-full sm:w-64">
        <TextField
          label="Search keys"
          isLabelHidden
          type="search"
          placeholder="Search keys"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="w-40">
        <SelectField
          label="Sort by"
          isLabelHidden
          choices={sorts}
          value={sort}
          onChange={(event) => {
            const chosen = keySorts.find((one) => one === event.target.value) ?? '-created'
            void navigate({ search: (old) => ({ ...old, sort: chosen }), replace: true })
          }}
        />
      </div>
    </>
  )
}
