import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { consoleStateQuery } from '../../api/console-state.ts'

/** Warns where people can't receive a code, because the installation sends no email. */
export function NoMailNote() {
  const { data } = useQuery(consoleStateQuery)
  if (data === undefined || data.sign_in.confirms_address) return null
  return (
    <p role="alert" className="mb-4 flex items-start gap-2 rounded-md bg-warn-soft px-4 py-3 text-sm">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      No mail server is configured, so people can't receive codes. Ask your operator to set one up.
    </p>
  )
}
