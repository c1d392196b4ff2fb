import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { SignOnConnection } from '../../api/sign-on.ts'
import { Time } from '../../ui/time.tsx'

/** The result of the last test sign-in, with the claims that the provider sent. */
export function ConnectionTest({ of: { test } }: { readonly of: SignOnConnection }) {
  if (test === null) return <p className="text-muted text-sm">Not tested with these settings yet.</p>
  const claims = Object.entries(test.claims)
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="flex items-start gap-2">
        {test.error === null ? (
          <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-hidden="true" />
        ) : (
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
        )}
        <span className="min-w-0 break-words">
          {test.error === null ? 'Test succeeded ' : `Test failed: ${test.error} `}
          <span className="text-muted">
            <Time iso={test.at} />
          </span>
        </span>
      </p>
      {claims.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-muted text-xs">Claims received</summary>
          <dl className="mt-2 grid gap-x-4 gap-y-1 rounded-md bg-raised p-3 sm:grid-cols-[max-content_1fr]">
            {claims.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="break-all font-mono text-muted text-xs">{name}</dt>
                <dd className="min-w-0 break-all font-mono text-xs">{claimInWords(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

function claimInWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
