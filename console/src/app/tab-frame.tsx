import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { currentMarks } from '../ui/current-marks.ts'
import { Page } from '../ui/page.tsx'
import { billingTabs, peopleTabs } from './navigation.ts'
import { orderTabs, revenueTabs } from './operator-navigation.ts'

const groups = { Members: peopleTabs, Billing: billingTabs, Revenue: revenueTabs, Orders: orderTabs } as const

type Title = keyof typeof groups

/** The common frame of pages that share a title, with a tab for each of them. */
export function TabFrame<Shared extends Title>({
  title,
  tab,
  description,
  actions,
  children,
}: {
  readonly title: Shared
  readonly tab: (typeof groups)[Shared][number]['label']
  readonly description: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Page
      title={title}
      tabs={{ current: tab, links: <Tabs title={title} tab={tab} /> }}
      description={description}
      actions={actions}
    >
      {children}
    </Page>
  )
}

function Tabs({ title, tab }: { readonly title: Title; readonly tab: string }) {
  return (
    <nav aria-label={title} className="mt-3 flex gap-5 overflow-x-auto border-line border-b">
      {groups[title].map(({ path, label }) => (
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
