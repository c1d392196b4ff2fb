import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { consoleStateQuery } from '../../api/console-state.ts'

/** Says where invitations are not mailed, because the installation sends no email. */
export function NoMailNote() {
  const { data } = useQuery(consoleStateQuery)
  if (data === undefined || data.sign_in.confirms_address) return null
  return (
    <p role="status" className="flex items-start gap-2 rounded-md bg-warn-soft px-4 py-3 text-sm">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      No mail server is configured, so no email is sent. Copy the link of each person and send it yourself.
    </p>
  )
}
