import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { consoleStateQuery } from '../api/console-state.ts'

/** A link to a page of the documentation, such as `api#models`. It is absent where the gateway does not serve it. */
export function DocsLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const { data } = useQuery(consoleStateQuery)
  if (data?.documentation !== true) return null
  return (
    <a
      href={`/docs/${to}`}
      target="_blank"
      rel="noreferrer"
      className="text-accent-strong underline underline-offset-2"
    >
      {children}
    </a>
  )
}
