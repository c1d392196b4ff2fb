import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { membersQuery } from '../../api/members.ts'
import { useOrganization } from '../../app/wallet.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { nameOf } from '../members/member-columns.tsx'

const shownMax = 5

/** Members who spent nothing this month: the first to have joined. */
export function IdlePeople() {
  const { organizationId } = useOrganization()
  const members = useInfiniteQuery(membersQuery(organizationId, { idle: true }))
  const rows = members.data?.pages[0]?.data
  return (
    <Card
      title="People without spend this month"
      aside={
        rows === undefined || rows.length === 0 ? undefined : (
          <Link to="/members" search={{ idle: true }} className="text-accent-strong text-sm hover:underline">
            View all
          </Link>
        )
      }
    >
      {members.error === null ? null : <ErrorNote error={members.error} onRetry={() => void members.refetch()} />}
      {rows === undefined ? (
        members.error === null ? (
          <Skeleton className="h-40 w-full" />
        ) : null
      ) : rows.length === 0 ? (
        <p className="text-muted text-sm">Every member has spent something this month.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line text-sm">
          {rows.slice(0, shownMax).map((member) => (
            <li key={member.id} className="flex items-baseline gap-3 py-2">
              <Link
                to="/members/$memberId"
                params={{ memberId: member.id }}
                className="min-w-0 flex-1 truncate rounded hover:underline"
              >
                {nameOf(member)}
              </Link>
              <span className="shrink-0 text-muted text-xs">
                joined <Time iso={member.joinedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
