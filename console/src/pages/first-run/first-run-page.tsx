import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { consoleStateQuery } from '../../api/console-state.ts'
import { EntryFrame } from '../sign-in/entry-frame.tsx'
import { FirstAccountForm } from './first-account-form.tsx'
import { FirstToken } from './first-token.tsx'

/** Two steps: the first account, and the first streamed answer. */
export function FirstRunPage() {
  const [isMade, setMade] = useState(false)
  const state = useQuery(consoleStateQuery)
  if (isMade) {
    return (
      <EntryFrame title="It works">
        <FirstToken hasTestModels={state.data?.test_models === true} />
      </EntryFrame>
    )
  }
  if (state.data?.first_run === false) return <Navigate to="/sign-in" />
  return (
    <EntryFrame title="Set up Weir">
      <p className="mb-4 text-muted text-sm">
        This installation has no account yet. The first one belongs to the person it runs for: you.
      </p>
      <FirstAccountForm onMade={() => setMade(true)} />
    </EntryFrame>
  )
}
