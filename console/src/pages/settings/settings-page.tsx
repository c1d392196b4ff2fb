import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { Card, Page } from '../../ui/page.tsx'

export function SettingsPage() {
  const { data } = useQuery(sessionQuery)
  return (
    <Page title="Settings" description="Who you are here, and where you are signed in.">
      <Card title="Profile">
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-2 text-sm">
          <dt className="text-muted">Name</dt>
          <dd className="truncate">{data?.user.name}</dd>
          <dt className="text-muted">Email</dt>
          <dd className="truncate">{data?.user.email}</dd>
        </dl>
      </Card>
    </Page>
  )
}
