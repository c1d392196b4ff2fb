import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  type InstitutionSession,
  institutionSessionsQuery,
  revokeSession,
  revokeSessionsOf,
} from '../../api/institutions.ts'
import { plural } from '../../lib/plural.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { EmailSearch } from './email-search.tsx'
import { sessionColumns } from './session-columns.tsx'

const route = getRouteApi('/app/institutions/$keyId')

const statuses = [
  { value: '', label: 'Live sessions' },
  { value: 'all', label: 'All sessions' },
]

/** The sessions of an institution key, with a search by person. */
export function SessionTable({ organizationId, keyId }: { readonly organizationId: string; readonly keyId: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const sessions = useInfiniteQuery(institutionSessionsQuery(organizationId, keyId, search))
  const rows = useMemo(() => sessions.data?.pages.flatMap(({ data }) => data), [sessions.data])
  const columns = useMemo(
    () => [
      ...sessionColumns,
      {
        id: 'menu',
        header: 'Actions',
        cell: (session: InstitutionSession) =>
          session.status === 'active' ? (
            <SessionMenu organizationId={organizationId} keyId={keyId} session={session} />
          ) : null,
        align: 'right' as const,
        width: 90,
      },
    ],
    [organizationId, keyId],
  )
  return (
    <DataTable
      name="institution-sessions"
      label="Sessions"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      error={sessions.error}
      onRetry={() => void sessions.refetch()}
      hasMore={sessions.hasNextPage && !sessions.isFetchingNextPage}
      onMore={() => void sessions.fetchNextPage()}
      filters={
        <>
          <EmailSearch />
          <div className="w-36">
            <SelectField
              label="Status"
              isLabelHidden
              choices={statuses}
              value={search.status ?? ''}
              onChange={({ target }) =>
                void navigate({
                  search: ({ status: _old, ...others }) =>
                    target.value === 'all' ? { ...others, status: 'all' } : others,
                  replace: true,
                })
              }
            />
          </div>
        </>
      }
      empty={
        search.email === undefined ? (
          <EmptyState title="No live sessions">
            A session starts when a person enters the code from the email.
          </EmptyState>
        ) : (
          <EmptyState title="No matching sessions">Enter a full email address.</EmptyState>
        )
      }
    />
  )
}

function SessionMenu({
  organizationId,
  keyId,
  session: { id, email },
}: {
  readonly organizationId: string
  readonly keyId: string
  readonly session: InstitutionSession
}) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'one' | 'all' | null>(null)
  const revocation = useMutation({
    mutationFn: async () => {
      if (asked === 'all') return revokeSessionsOf(organizationId, keyId, email)
      await revokeSession(organizationId, keyId, id)
      return 1
    },
    onSuccess: async (count) => {
      setAsked(null)
      toast(`${plural(count, 'session')} of ${email} revoked.`)
      await client.invalidateQueries({ queryKey: ['institution-keys', organizationId] })
    },
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${email}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: 'Revoke session…', isDanger: true, onSelect: () => setAsked('one') },
          { label: 'Revoke all sessions of this person…', isDanger: true, onSelect: () => setAsked('all') },
        ]}
      />
      {asked === null ? null : (
        <ConfirmDialog
          title={asked === 'one' ? 'Revoke session?' : `Revoke all sessions of ${email}?`}
          text={`Requests of ${email} are rejected until they sign in with a new code.`}
          act={asked === 'one' ? 'Revoke session' : 'Revoke sessions'}
          mutation={revocation}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
