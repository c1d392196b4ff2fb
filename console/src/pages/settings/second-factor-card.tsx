import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const SecondFactorDialog = lazy(() => import('./second-factor-dialog.tsx'))

export function SecondFactorCard() {
  const { data } = useQuery(sessionQuery)
  const [isOpen, setOpen] = useState(false)
  const isOn = data?.user.twoFactorEnabled === true
  return (
    <Card title="Two-factor authentication" aside={isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 text-muted text-sm">
          {isOn
            ? 'Sign-in requires your password and a code from your authenticator app.'
            : "Require a code from an authenticator app at sign-in, so a stolen password isn't enough."}
        </p>
        <Button onClick={() => setOpen(true)}>{isOn ? 'Turn off' : 'Turn on'}</Button>
      </div>
      <Suspense fallback={null}>
        {isOpen ? <SecondFactorDialog isOn={isOn} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </Card>
  )
}
