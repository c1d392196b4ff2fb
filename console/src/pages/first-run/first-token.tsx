import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { buttonClass } from '../../ui/button.tsx'
import { StreamTrial } from '../../ui/stream-trial.tsx'

/** The last step: streams a response through the gateway with a key that expires within an hour. */
export function FirstToken({ hasTestModels }: { readonly hasTestModels: boolean }) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm">You're signed in and your account is ready.</p>
      {hasTestModels ? <StreamTrial readKey={readKey} label="Stream a test response" /> : null}
      <Link to="/" className={buttonClass('primary')}>
        Open console
      </Link>
    </div>
  )
}

async function readKey(): Promise<string> {
  return (await dataOf(api.POST('/api/playground-keys', { body: {} }))).key
}
