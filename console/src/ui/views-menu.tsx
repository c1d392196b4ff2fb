import { useNavigate, useRouter } from '@tanstack/react-router'
import { Bookmark, Check, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { TextField } from './field.tsx'
import { Popover } from './popover.tsx'
import { isSameView, type SavedView, viewSearch } from './saved-views.ts'
import { useSavedViews } from './use-saved-views.ts'
import { useSearchState } from './use-search-state.ts'

/** The saved views of a table: opens, saves and deletes them. */
export function ViewsMenu({ table }: { readonly table: string }) {
  const [isOpen, setOpen] = useState(false)
  const [search] = useSearchState()
  const navigate = useNavigate()
  const router = useRouter()
  const { views, save, remove } = useSavedViews()
  const own = views.filter((view) => view.table === table)
  const open = (view: SavedView) => {
    setOpen(false)
    // A view is stored text, so the router cannot know its parameters. The page parses them.
    void navigate({ to: view.path, search: view.search } as never)
  }
  return (
    <Popover
      label="Saved views"
      align="end"
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <IconButton label="Saved views">
          <Bookmark size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      {own.length === 0 ? <p className="px-2 py-1 text-muted">Save filters and sort order under a name.</p> : null}
      <ul>
        {own.map((view) => (
          <li key={view.name} className="flex items-center rounded hover:bg-raised">
            <button
              type="button"
              onClick={() => open(view)}
              className="flex min-w-0 flex-1 items-center gap-2 px-2 py-1.5 text-left"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{view.name}</span>
              {isSameView(view, search) ? <Check size={14} aria-label="Current view" /> : null}
            </button>
            <IconButton label={`Delete view ${view.name}`} onClick={() => remove(view)}>
              <Trash2 size={14} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      <SaveView
        onSave={(name) => {
          save({ table, path: router.state.location.pathname, name, search: viewSearch(search) })
          setOpen(false)
        }}
      />
    </Popover>
  )
}

const nameMax = 60

function SaveView({ onSave }: { readonly onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <form onSubmit={submit} className="mt-1 flex items-end gap-2 border-line border-t p-1 pt-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="View name"
          isLabelHidden
          placeholder="View name"
          maxLength={nameMax}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" kind="primary">
        Save view
      </Button>
    </form>
  )
}
