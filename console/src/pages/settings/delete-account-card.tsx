import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

export function DeleteAccountCard() {
  const [isAsked, setAsked] = useState(false)
  return (
    <Card title="Delete account">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 text-muted text-sm">
          Your account is deleted immediately and can't be restored. Download your data first.
        </p>
        <Button onClick={() => setAsked(true)}>Delete account…</Button>
      </div>
      {isAsked ? <DeleteAccountDialog onClose={() => setAsked(false)} /> : null}
    </Card>
  )
}
