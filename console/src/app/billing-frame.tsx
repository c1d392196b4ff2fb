import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { currentMarks } from '../ui/current-marks.ts'
import { Page } from '../ui/page.tsx'
import { billingTabs } from './navigation.ts'

/** The common frame of the pages for credit, payment, invoices and the ledger. */
export function BillingFrame({
  tab,
  description,
  actions,
  children,
}: {
  readonly tab: (typeof billingTabs)[number]['label']
  readonly description: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Page
      title="Billing"
      tabs={{ current: tab, links: <Tabs tab={tab} /> }}
      description={description}
      actions={actions}
    >
      {children}
    </Page>
  )
}

function Tabs({ tab }: { readonly tab: string }) {
  return (
    <nav aria-label="Billing" className="mt-3 flex gap-5 overflow-x-auto border-line border-b">
      {billingTabs.map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          {...currentMarks(label === tab)}
          className="-mb-px whitespace-nowrap border-transparent border-b-2 py-2 text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 data-current:border-accent data-current:font-medium data-current:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
