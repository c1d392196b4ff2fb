import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { changeFilter, deleteFilter, type FilterRule, filtersQuery } from '../../api/filters.ts'
import { useOrganization } from '../../app/wallet.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast, toastError } from '../../ui/toast.tsx'

/** Actions for a filter. */
export function FilterMenu({ of: rule }: { readonly of: FilterRule }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { organizationId } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: filtersQuery(organizationId).queryKey })
  const change = useMutation({
    mutationFn: () => changeFilter(organizationId, rule.id, { enabled: !rule.enabled }),
    onSuccess: async () => {
      toast(rule.enabled ? `${rule.name} disabled.` : `${rule.name} enabled.`)
      await refresh()
    },
    onError: toastError,
  })
  const removal = useMutation({
    mutationFn: () => deleteFilter(organizationId, rule.id),
    onSuccess: async () => {
      setAsked(false)
      toast(`${rule.name} deleted.`)
      await refresh()
    },
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${rule.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          {
            label: 'Edit…',
            onSelect: () => void navigate({ to: '/filters/$ruleId', params: { ruleId: rule.id } }),
          },
          { label: rule.enabled ? 'Disable' : 'Enable', onSelect: () => change.mutate() },
          { label: 'Delete…', isDanger: true, onSelect: () => setAsked(true) },
        ]}
      />
      {isAsked ? (
        <ConfirmDialog
          title={`Delete ${rule.name}?`}
          text="Requests are no longer checked by this filter, starting with the next one. You can't undo this."
          act="Delete filter"
          mutation={removal}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}
