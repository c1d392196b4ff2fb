import { Check } from 'lucide-react'
import { type Reach, type Role, roles, roleTable } from '../../app/role-table.ts'
import { roleWords } from '../../app/role-words.ts'
import { useOrganization } from '../../app/wallet.ts'
import type { RoleAction } from '../../app/wallet-rights.ts'
import { classNames } from '../../lib/class-names.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { roleSummaries } from './role-summaries.ts'

/** What each role may do, from the access table of the gateway. */
export function RolesPage() {
  const { role: own } = useOrganization()
  return (
    <Page
      title="Roles"
      description="What each role can do here. The API enforces the same table. With a management key, only an organization admin can do these."
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {roles.map((role) => (
            <Card key={role}>
              <h2 className="flex items-center gap-2 font-semibold text-sm">
                {roleWords[role].label}
                {role === own ? <Badge tone="accent">Your role</Badge> : null}
              </h2>
              <p className="mt-1 text-muted text-sm">{roleWords[role].description}</p>
            </Card>
          ))}
        </div>
        <Matrix own={own} />
      </div>
    </Page>
  )
}

// The keys of the table are its actions.
const actions = Object.keys(roleTable) as RoleAction[]

function Matrix({ own }: { readonly own: string | null }) {
  return (
    <div
      role="region"
      aria-label="Rights by role"
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full min-w-[44rem] border-collapse text-sm">
        <thead>
          <tr className="border-line border-b text-left text-muted text-xs">
            <th scope="col" className="px-4 py-2.5 font-medium">
              Action
            </th>
            {roles.map((role) => (
              <th
                key={role}
                scope="col"
                className={classNames('w-36 px-4 py-2.5 font-medium', role === own && 'bg-accent-soft text-ink')}
              >
                {roleWords[role].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {actions.map((action) => (
            <tr key={action} className="border-line border-b last:border-b-0">
              <th scope="row" className="px-4 py-2.5 text-left font-normal">
                {roleSummaries[action]}
              </th>
              {roles.map((role) => (
                <td key={role} className={classNames('px-4 py-2.5', role === own && 'bg-accent-soft')}>
                  <ReachCell reach={reachIn(action, role)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function reachIn(action: RoleAction, role: Role): Reach | undefined {
  const reaches: Readonly<Partial<Record<Role, Reach>>> = roleTable[action]
  return reaches[role]
}

function ReachCell({ reach }: { readonly reach: Reach | undefined }) {
  if (reach === undefined) return <span className="text-muted">No</span>
  return (
    <span className="inline-flex items-center gap-1">
      <Check size={14} aria-hidden="true" className="text-good" />
      {reach === 'organization' ? 'Yes' : 'Own team'}
    </span>
  )
}
