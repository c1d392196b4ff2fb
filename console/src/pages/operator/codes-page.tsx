import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, TicketPercent } from 'lucide-react'
import { useState } from 'react'
import { type Campaign, campaignsQuery, switchCampaign } from '../../api/operator.ts'
import { useMayOperate } from '../../app/use-operator.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { CreateCampaignDialog } from './create-campaign-dialog.tsx'

/** Campaigns of redemption codes. */
export function CodesPage() {
  const [isCreating, setCreating] = useState(false)
  const campaigns = usePagedRows(useInfiniteQuery(campaignsQuery))
  const mayChange = useMayOperate()('operators.codes')
  const create = mayChange ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create codes
    </Button>
  ) : null
  return (
    <Page
      title="Codes"
      description="Each campaign issues codes worth the same amount. Codes are shown only once."
      actions={create}
    >
      <DataTable
        name="campaigns"
        label="Campaigns"
        columns={mayChange ? [...columns, actions] : columns}
        {...campaigns}
        rowId={({ id }) => id}
        empty={
          <EmptyState
            icon={<TicketPercent size={24} aria-hidden="true" />}
            title="No redemption codes yet"
            action={create}
          >
            A code adds credit to the account it's redeemed for. Each person can redeem it once.
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
      toast(
        enabled
          ? `${name} disabled. Its codes can't be redeemed.`
          : `${name} enabled. Its codes can be redeemed again.`,
      )
      await client.invalidateQueries({ queryKey: campaignsQuery.queryKey })
    },
    onError: toastError,
  })
  return (
    <Button size="small" isBusy={change.isPending} onClick={() => change.mutate()}>
      {enabled ? 'Disable' : 'Enable'}
    </Button>
  )
}

const columns: readonly Column<Campaign>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'state',
    header: 'Status',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>,
    csv: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
    width: 80,
  },
  {
    id: 'amount',
    header: 'Credit (USD)',
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
    header: 'Expires',
    cell: ({ endsAt }) => <Time iso={endsAt} />,
    csv: ({ endsAt }) => endsAt ?? '',
    width: 120,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 120,
  },
]

const actions: Column<Campaign> = {
  id: 'switch',
  header: 'Actions',
  cell: (campaign) => <Switch of={campaign} />,
  align: 'right',
  width: 120,
}
