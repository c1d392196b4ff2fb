import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'

const route = getRouteApi('/app/institutions/$keyId')

/** Searches for the sessions of one person, by the whole address. */
export function EmailSearch() {
  const { email = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useState(email)
  const search = () =>
    void navigate({
      search: ({ email: _old, ...others }) => (text.trim() === '' ? others : { ...others, email: text.trim() }),
      replace: true,
    })
  return (
    <form
      className="w-full sm:w-64"
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      <TextField
        label="Email address"
        isLabelHidden
        type="search"
        placeholder="Email address"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={search}
      />
    </form>
  )
}
