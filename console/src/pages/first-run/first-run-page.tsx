import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { consoleStateQuery } from '../../api/console-state.ts'
import { EntryFrame } from '../sign-in/entry-frame.tsx'
import { FirstAccountForm } from './first-account-form.tsx'
import { FirstToken } from './first-token.tsx'

/** Two steps: the first account, and the first streamed response. */
export function FirstRunPage() {
  const [isMade, setMade] = useState(false)
  const state = useQuery(consoleStateQuery)
  if (isMade) {
    return (
      <EntryFrame title="You're all set">
        <FirstToken hasTestModels={state.data?.test_models === true} />
      </EntryFrame>
    )
  }
  if (state.data?.first_run === false) return <Navigate to="/sign-in" />
  return (
    <EntryFrame title="Set up Weir">
      <p className="mb-4 text-muted text-sm">Create the first account on this installation.</p>
      <FirstAccountForm onMade={() => setMade(true)} />
    </EntryFrame>
  )
}
