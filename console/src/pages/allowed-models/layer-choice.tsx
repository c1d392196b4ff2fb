import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Layer } from '../../api/layers.ts'
import { memberQuery, membersQuery } from '../../api/members.ts'
import { teamsQuery } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { SelectField } from '../../ui/field.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { nameOf } from '../members/member-columns.tsx'

const route = getRouteApi('/app/allowed-models')
const foundMax = 6

/** Chooses whose list is shown: the organization's, a team's, or that of a member who is searched. */
export function LayerChoice({ layer }: { readonly layer: Layer | undefined }) {
  const navigate = route.useNavigate()
  const organization = useOrganization()
  const { organizationId } = organization
  const [sought, setSought] = useState('')
  const teams = useQuery(teamsQuery(organizationId))
  const memberId = layer?.kind === 'member' ? layer.id : ''
  const member = useQuery({ ...memberQuery(organizationId, memberId), enabled: memberId !== '' })
  const chosen = layer === undefined ? '' : layer.kind === 'organization' ? 'organization' : layer.id
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="w-full sm:w-72">
        <SelectField
          label="Show the list of"
          choices={[
            ...(mayAct(organization, 'allowedModels.organization')
              ? [{ value: 'organization', label: organization.name }]
              : []),
            ...(memberId === ''
              ? []
              : [{ value: memberId, label: `Member: ${member.data === undefined ? '…' : nameOf(member.data)}` }]),
            ...(teams.data ?? []).map(({ id, name }) => ({ value: id, label: `Team: ${name}` })),
          ]}
          value={chosen}
          onChange={({ target: { value } }) =>
            void navigate({
              search: value === 'organization' ? {} : value === memberId ? { member: value } : { team: value },
            })
          }
        />
      </div>
      <div className="w-full sm:w-72">
        <span className="mb-1 block text-sm">Or of a member</span>
        <SearchField label="Find a member" value={sought} onChange={setSought} />
        {sought === '' ? null : <Found sought={sought} onOpen={() => setSought('')} />}
      </div>
    </div>
  )
}

function Found({ sought, onOpen }: { readonly sought: string; readonly onOpen: () => void }) {
  const { organizationId } = useOrganization()
  const found = useInfiniteQuery(membersQuery(organizationId, { q: sought }))
  const rows = found.data?.pages[0]?.data
  if (rows === undefined) return null
  if (rows.length === 0) return <p className="mt-1 text-muted text-xs">No members match.</p>
  return (
    <ul aria-label="Members found" className="mt-1 rounded-md border border-line bg-surface p-1 text-sm">
      {rows.slice(0, foundMax).map((member) => (
        <li key={member.id}>
          <Link
            to="/allowed-models"
            search={{ member: member.id }}
            onClick={onOpen}
            className="block truncate rounded px-2 py-1.5 hover:bg-raised"
          >
            {nameOf(member)} <span className="text-muted text-xs">{member.user.email}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
