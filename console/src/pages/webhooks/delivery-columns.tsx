import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../api/webhooks.ts'
import type { Wallet } from '../../app/wallet.ts'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { ResendButton } from './resend-button.tsx'
import { answerInWords, DeliveryMoment, DeliveryState, deliveryStateInWords } from './delivery-state.tsx'

export function deliveryColumns(wallet: Wallet): readonly Column<Delivery>[] {
  return [
    ...facts,
    {
      id: 'act',
      header: 'Actions',
      cell: (delivery) => <ResendButton wallet={wallet} delivery={delivery} />,
      align: 'right',
      width: 120,
    },
  ]
}

const facts: readonly Column<Delivery>[] = [
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at }) => <Time iso={created_at} />,
    csv: ({ created_at }) => created_at,
    width: 95,
    onPhone: 'figure',
  },
  {
    id: 'state',
    header: 'Status',
    cell: (delivery) => <DeliveryState delivery={delivery} />,
    csv: deliveryStateInWords,
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'video',
    header: 'Event',
    cell: ({ video_id }) =>
      video_id === null ? (
        'Alert'
      ) : (
        <Link
          to="/videos/$jobId"
          params={{ jobId: video_id }}
          className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {video_id}
        </Link>
      ),
    csv: ({ video_id }) => video_id ?? 'Alert',
    width: 170,
    onPhone: 'title',
  },
  {
    id: 'url',
    header: 'URL',
    cell: ({ url }) => (
      <code title={url} className="font-mono text-xs">
        {url}
      </code>
    ),
    csv: ({ url }) => url,
    width: 175,
  },
  {
    id: 'answer',
    header: 'Last response',
    cell: (delivery) => <span title={delivery.last_error ?? undefined}>{answerInWords(delivery)}</span>,
    csv: answerInWords,
    width: 215,
    onPhone: 'figure',
  },
  {
    id: 'when',
    header: 'Delivery time',
    cell: (delivery) => <DeliveryMoment delivery={delivery} />,
    csv: ({ delivered_at, next_try_at }) => delivered_at ?? next_try_at ?? '',
    width: 185,
  },
  {
    id: 'id',
    header: 'Delivery ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    width: 300,
    isHidden: true,
  },
]
