import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import type { Key } from '../../api/keys.ts'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { useMayChangeKey } from './use-may-change-key.ts'
import { useKeySwitch } from './use-key-switch.ts'

/** Actions for a key. */
export function KeyMenu({ of: key }: { readonly of: Key }) {
  const mayChange = useMayChangeKey()
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const change = useKeySwitch(key)
  const close = () => setAsked(null)
  if (!mayChange(key)) return null
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${key.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: 'Edit…', onSelect: () => setAsked('edit') },
          { label: 'Rotate…', onSelect: () => setAsked('rotate') },
          { label: key.enabled ? 'Disable' : 'Enable', onSelect: () => change.mutate() },
          { label: 'Delete…', isDanger: true, onSelect: () => setAsked('delete') },
        ]}
      />
      {asked === 'edit' ? <EditKeyDialog of={key} onClose={close} /> : null}
      {asked === 'rotate' ? <RotateKeyDialog of={key} onClose={close} /> : null}
      {asked === 'delete' ? <DeleteKeyDialog of={key} onClose={close} /> : null}
    </>
  )
}
