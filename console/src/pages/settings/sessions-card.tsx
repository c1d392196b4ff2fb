import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { callAuth } from '../../api/auth.ts'
import { sessionQuery } from '../../api/session.ts'
import { asksForStepUp, withStepUp } from '../../api/step-up.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { nameDevice } from './name-device.ts'

interface SessionRow {
  readonly id: string
  readonly token: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

const listSessions = () => callAuth<readonly SessionRow[]>('/list-sessions')

/** The person's sessions. An old session needs step-up authentication before it lists the others. */
export function SessionsCard() {
  const client = useQueryClient()
  const own = useQuery(sessionQuery).data?.session.id
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: listSessions })
  const refresh = () => client.invalidateQueries({ queryKey: ['sessions'] })
  const end = useMutation({
    mutationFn: (token: string | null) =>
      withStepUp(() =>
        callAuth(token === null ? '/revoke-other-sessions' : '/revoke-session', token === null ? {} : { token }),
      ),
    onSuccess: async (_, token) => {
      await refresh()
      toast(token === null ? 'All other sessions signed out.' : 'Session signed out.')
    },
    onError: toastError,
  })
  const unlock = async () => {
    await withStepUp(listSessions)
    await refresh()
  }
  const others = (
    <Button size="small" disabled={(sessions.data?.length ?? 0) < 2} onClick={() => end.mutate(null)}>
      Sign out all others
    </Button>
  )
  return (
    <Card title="Sessions" aside={others}>
      {asksForStepUp(sessions.error) ? (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <span className="text-muted">Sign in again to see your other sessions.</span>
          <Button onClick={() => void unlock().catch(() => {})}>Show sessions</Button>
        </div>
      ) : sessions.error !== null ? (
        <ErrorNote error={sessions.error} onRetry={() => void refresh()} />
      ) : (
        <ul className="-my-2 flex flex-col">
          {(sessions.data ?? []).map((row) => (
            <SessionItem key={row.id} row={row} isOwn={row.id === own} onEnd={() => end.mutate(row.token)} />
          ))}
          {sessions.data === undefined ? <Skeleton className="my-3 h-8 w-full" /> : null}
        </ul>
      )}
    </Card>
  )
}

function SessionItem({
  row,
  isOwn,
  onEnd,
}: {
  readonly row: SessionRow
  readonly isOwn: boolean
  readonly onEnd: () => void
}) {
  const { label, isPhone } = nameDevice(row.userAgent)
  const Icon = isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3 border-line border-b py-2.5 last:border-b-0">
      <Icon size={18} className="shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2 truncate">
          {label}
          {isOwn ? <Badge tone="accent">This browser</Badge> : null}
        </div>
        <div className="truncate text-muted text-xs">
          {row.ipAddress === null || row.ipAddress === '' ? '' : `${row.ipAddress} · `}
          Signed in <Time iso={row.createdAt} />
        </div>
      </div>
      {isOwn ? null : (
        <Button size="small" onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
