import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useKeyHolder } from '../../app/key-holder.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { changeKey } from './change-key.ts'
import type { Key } from '../../api/keys.ts'

/** Disables or enables a key. */
export function useKeySwitch(key: Key) {
  const holder = useKeyHolder()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => changeKey(holder, key.id, { enabled: !key.enabled }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      toast(
        key.enabled ? `${key.name} disabled. Its requests are rejected until you enable it.` : `${key.name} enabled.`,
      )
    },
    onError: toastError,
  })
}
