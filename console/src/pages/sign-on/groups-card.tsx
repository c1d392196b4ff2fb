import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type GroupMapping, groupsQuery, replaceGroups } from '../../api/sign-on.ts'
import { teamsQuery } from '../../api/teams.ts'
import { roleLabel } from '../../app/role-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

const roles = ['member', 'team_admin', 'billing_viewer'] as const

/** The team and role that each group of the identity provider gives. */
export function GroupsCard({ organizationId }: { readonly organizationId: string }) {
  const groups = useQuery(groupsQuery(organizationId))
  const { data, error } = groups
  return (
    <Card
      title="Group mappings"
      description="Applied at each sign-in and SCIM group change. The first mapping that matches decides. No mapping makes administrators."
    >
      {error === null ? null : <ErrorNote error={error} onRetry={() => void groups.refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-16 w-full" />
        ) : null
      ) : (
        <GroupsForm key={JSON.stringify(data)} organizationId={organizationId} saved={data} />
      )}
    </Card>
  )
}

function GroupsForm({
  organizationId,
  saved,
}: {
  readonly organizationId: string
  readonly saved: readonly GroupMapping[]
}) {
  const client = useQueryClient()
  const [rows, setRows] = useState(saved)
  const saving = useMutation({
    mutationFn: () => replaceGroups(organizationId, rows),
    onSuccess: (replaced) => {
      toast('Group mappings saved.')
      client.setQueryData(groupsQuery(organizationId).queryKey, replaced)
    },
  })
  const change = (at: number, row: GroupMapping) => setRows(rows.with(at, row))
  const isChanged = JSON.stringify(rows) !== JSON.stringify(saved)
  const add = () => setRows([...rows, { group: '', teamId: null, role: 'member' }])
  return (
    <div className="flex flex-col gap-3">
      {saving.error === null ? null : <ErrorNote error={saving.error} />}
      {rows.map((row, at) => (
        <GroupRow
          // Rows have no id of their own and keep their place while they are edited.
          key={at}
          organizationId={organizationId}
          row={row}
          onChange={(changed) => change(at, changed)}
          onRaise={
            at === 0 ? null : () => setRows([...rows.slice(0, at - 1), row, ...rows.slice(at - 1).toSpliced(1, 1)])
          }
          onDelete={() => setRows(rows.toSpliced(at, 1))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Plus size={14} aria-hidden="true" />} onClick={add}>
          Add mapping
        </Button>
        {isChanged ? (
          <Button size="small" kind="primary" isBusy={saving.isPending} onClick={() => saving.mutate()}>
            Save mappings
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function GroupRow({
  organizationId,
  row,
  onChange,
  onRaise,
  onDelete,
}: {
  readonly organizationId: string
  readonly row: GroupMapping
  readonly onChange: (row: GroupMapping) => void
  readonly onRaise: (() => void) | null
  readonly onDelete: () => void
}) {
  const teams = useQuery(teamsQuery(organizationId))
  const teamChoices = (teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <fieldset aria-label={`Mapping ${row.group}`} className="grid gap-2 sm:grid-cols-[2fr_1fr_1fr_auto] sm:items-end">
      <TextField
        label="Group"
        placeholder="Name or ID at the provider"
        maxLength={256}
        value={row.group}
        onChange={({ target }) => onChange({ ...row, group: target.value })}
      />
      <SelectField
        label="Team"
        choices={[{ value: '', label: 'None' }, ...teamChoices]}
        value={row.teamId ?? ''}
        onChange={({ target }) => onChange({ ...row, teamId: target.value === '' ? null : target.value })}
      />
      <SelectField
        label="Role"
        choices={roles.map((role) => ({ value: role, label: roleLabel(role) }))}
        value={row.role}
        onChange={({ target }) => onChange({ ...row, role: roles.find((role) => role === target.value) ?? 'member' })}
      />
      <div className="flex">
        <IconButton label="Move up" disabled={onRaise === null} onClick={() => onRaise?.()}>
          <ArrowUp size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label="Delete mapping" onClick={onDelete}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </fieldset>
  )
}
