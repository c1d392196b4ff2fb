import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { type OperatorPerson, operatorPeopleQuery, removeOperator } from '../../../api/operator-people.ts'
import { operatorSelfQuery } from '../../../api/operator-self.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ChangeRoleDialog } from './change-role-dialog.tsx'

/** What owners do with an operator. The gateway keeps the last owner. */
export function OperatorMenu({ person }: { readonly person: OperatorPerson }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'change' | 'remove' | null>(null)
  const close = () => setAsked(null)
  const removal = useMutation({
    mutationFn: () => removeOperator(person.userId),
    onSuccess: async () => {
      close()
      toast(`${person.email} is no longer an operator.`)
      await Promise.all(
        [operatorPeopleQuery, operatorSelfQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
      )
    },
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${person.email}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: 'Change role…', onSelect: () => setAsked('change') },
          { label: 'Remove…', isDanger: true, onSelect: () => setAsked('remove') },
        ]}
      />
      {asked === 'change' ? <ChangeRoleDialog person={person} onClose={close} /> : null}
      {asked === 'remove' ? (
        <ConfirmDialog
          title={`Remove ${person.email}?`}
          text="The person can't open these pages or call the operator API from the next request on. The account stays."
          act="Remove operator"
          mutation={{ ...removal, mutate: () => removal.mutate() }}
          onClose={close}
        />
      ) : null}
    </>
  )
}
