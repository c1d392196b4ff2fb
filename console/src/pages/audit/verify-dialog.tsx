import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { readChain } from '../../api/audit.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { type ChainVerdict, verifyChain } from './verify-chain.ts'

/** Verifies the audit log in the browser, so that the result does not depend on the gateway's word. */
export function VerifyDialog({
  organizationId,
  onClose,
}: {
  readonly organizationId: string
  readonly onClose: () => void
}) {
  const [savedHash, setSavedHash] = useState('')
  const [count, setCount] = useState(0)
  const saved = savedHash.trim().toLowerCase()
  const verification = useMutation({
    mutationFn: () => {
      // Browsers compute hashes only on pages that arrived over an encrypted connection, or from this machine.
      if (!isSecureContext) throw new Error('Your browser can verify the log only over HTTPS.')
      return verifyChain({
        readPage: (after) => readChain(organizationId, after),
        onProgress: setCount,
        savedHash: saved,
      })
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Verify audit log"
      description="Each entry has a hash of its content and of the entry before it. Your browser recomputes all of them."
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" isBusy={verification.isPending} onClick={() => verification.mutate()}>
            Verify
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <TextField
          label="Saved hash (optional)"
          hint="A hash from an earlier verification. It proves that no later entries were removed."
          className="font-mono"
          value={savedHash}
          onChange={({ target }) => setSavedHash(target.value)}
        />
        {verification.error === null ? null : <ErrorNote error={verification.error} />}
        {verification.isPending ? <p role="status">{plural(count, 'entry', 'entries')} verified so far…</p> : null}
        {verification.data === undefined ? null : <Verdict verdict={verification.data} hasSaved={saved !== ''} />}
      </div>
    </Dialog>
  )
}

function Verdict({ verdict, hasSaved }: { readonly verdict: ChainVerdict; readonly hasSaved: boolean }) {
  if (verdict.kind === 'broken') {
    return (
      <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-4 py-3">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
        <span>
          Verification failed at entry {verdict.sequence.toLocaleString('en')}. {verdict.problem} Contact your operator.
        </span>
      </p>
    )
  }
  const isMissing = hasSaved && !verdict.isSavedFound
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className="flex items-start gap-2 rounded-md bg-good-soft px-4 py-3">
        <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-hidden="true" />
        {plural(verdict.count, 'entry', 'entries')} verified
      </p>
      {isMissing ? (
        <p className="flex items-start gap-2 rounded-md bg-bad-soft px-4 py-3">
          <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
          The saved hash isn't in the log. Check that you copied all of it, then contact your operator.
        </p>
      ) : null}
      {verdict.hash === '' ? null : (
        <div>
          <h3 className="text-muted text-xs">Latest hash: keep it for the next verification</h3>
          <p className="flex items-start gap-1">
            <code className="min-w-0 break-all font-mono text-xs leading-6">{verdict.hash}</code>
            <CopyButton text={verdict.hash} label="Copy hash" />
          </p>
        </div>
      )}
    </div>
  )
}
