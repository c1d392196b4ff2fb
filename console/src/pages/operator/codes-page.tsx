import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, TicketPercent } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Campaign, campaignsQuery, switchCampaign } from '../../api/operator.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { CreateCampaignDialog } from './create-campaign-dialog.tsx'

/** Campaigns of codes that become credit. */
export function CodesPage() {
  const [isCreating, setCreating] = useState(false)
  const campaigns = useInfiniteQuery(campaignsQuery)
  const rows = useMemo(() => campaigns.data?.pages.flatMap(({ data }) => data), [campaigns.data])
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create codes
    </Button>
  )
  return (
    <Page title="Codes" description="Each campaign has codes of one amount. They are shown once." actions={create}>
      <DataTable
        name="campaigns"
        label="Campaigns"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={campaigns.error}
        onRetry={() => void campaigns.refetch()}
        hasMore={campaigns.hasNextPage && !campaigns.isFetchingNextPage}
        onMore={() => void campaigns.fetchNextPage()}
        empty={
          <EmptyState icon={<TicketPercent size={24} aria-hidden="true" />} title="No codes yet" action={create}>
            A code adds its amount to the wallet that it is redeemed for, once per person.
          </EmptyState>
        }
      />
      {isCreating ? <CreateCampaignDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function Switch({ of: { id, name, enabled } }: { readonly of: Campaign }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => switchCampaign(id, !enabled),
    onSuccess: async () => {
      toast(enabled ? `Codes of ${name} are refused from now on.` : `Codes of ${name} are taken again.`)
      await client.invalidateQueries({ queryKey: campaignsQuery.queryKey })
    },
    onError: toastError,
  })
  return (
    <Button size="small" isBusy={change.isPending} onClick={() => change.mutate()}>
      {enabled ? 'Switch off' : 'Switch on'}
    </Button>
  )
}

const columns: readonly Column<Campaign>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'state',
    header: 'State',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>,
    csv: ({ enabled }) => (enabled ? 'on' : 'off'),
    width: 80,
  },
  {
    id: 'amount',
    header: 'Credit',
    cell: ({ amountUsd }) => <Money usd={amountUsd} />,
    csv: ({ amountUsd }) => exactUsd(toNano(amountUsd)),
    align: 'right',
    width: 160,
  },
  {
    id: 'codes',
    header: 'Codes',
    cell: ({ codes }) => plural(Number(codes), 'code'),
    csv: ({ codes }) => String(codes),
    align: 'right',
    width: 120,
  },
  {
    id: 'redeemed',
    header: 'Redeemed',
    cell: ({ redemptions, redemptionsMax }) => `${redemptions} of ${redemptionsMax}`,
    csv: ({ redemptions }) => String(redemptions),
    align: 'right',
    width: 130,
  },
  {
    id: 'ends',
    header: 'Ends',
    cell: ({ endsAt }) => <Time iso={endsAt} />,
    csv: ({ endsAt }) => endsAt ?? '',
    width: 120,
  },
  {
    id: 'created',
    header: 'Made',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 120,
  },
  { id: 'switch', header: 'Actions', cell: (campaign) => <Switch of={campaign} />, align: 'right', width: 120 },
]
