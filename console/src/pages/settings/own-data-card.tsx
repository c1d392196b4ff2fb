import { Download } from 'lucide-react'
import { linkTo } from '../../api/link-to.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

/** Exports all data of the person. The browser streams it to a file. */
export function OwnDataCard() {
  return (
    <Card title="Your data">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 text-muted text-sm">
          Your profile, API keys (without secrets), requests, transactions, and audit log entries, as JSON Lines.
        </p>
        <a href={linkTo('/api/account/export')} download className={buttonClass()}>
          <Download size={16} aria-hidden="true" />
          Download data
        </a>
      </div>
    </Card>
  )
}
