import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { membersQuery } from '../../api/members.ts'
import type { Team } from '../../api/teams.ts'
import { roleLabel } from '../../app/role-words.ts'
import { useOrganization } from '../../app/wallet.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Section } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { nameOf } from '../members/member-columns.tsx'

const shownMax = 8

/** The first members of a team, with a link to all of them. */
export function TeamMembers({ of: team }: { readonly of: Team }) {
  const { organizationId } = useOrganization()
  const members = useInfiniteQuery(membersQuery(organizationId, { team: team.id }))
  const rows = members.data?.pages[0]?.data
  return (
    <Section
      title="Members"
      aside={
        <Link to="/members" search={{ team: team.id }} className="text-accent-strong text-sm hover:underline">
          View all {Number(team.memberCount).toLocaleString('en')}
        </Link>
      }
    >
      {members.error === null ? null : <ErrorNote error={members.error} onRetry={() => void members.refetch()} />}
      {rows === undefined ? (
        members.error === null ? (
          <Skeleton className="h-24 w-full" />
        ) : null
      ) : rows.length === 0 ? (
        <p className="text-muted text-sm">No members yet. Add one from the Members page.</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line text-sm">
          {rows.slice(0, shownMax).map((member) => (
            <li key={member.id} className="flex items-center gap-3 px-3 py-2">
              <Link
                to="/members/$memberId"
                params={{ memberId: member.id }}
                className="min-w-0 flex-1 truncate rounded hover:underline"
              >
                {nameOf(member)}
              </Link>
              <span className="text-muted text-xs">{roleLabel(member.role)}</span>
              <Money usd={member.spendThisMonth} short />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
