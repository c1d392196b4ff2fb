import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOwnerId } from '../../api/books.ts'
import { modelPath } from '../../api/models.ts'
import { type AnnouncedModel, dismissNotice, type Notice, noticesQuery } from '../../api/notices.ts'
import { useWallet } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { noticeTitle, priceLine, retirementLine } from './notice-words.ts'

const noticesMax = 3
const modelsMax = 3

/** Changed prices and retirement dates of models that the wallet uses, until the person dismisses them. */
export function NoticesCard({ hasNotices }: { readonly hasNotices: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const ownerId = useOwnerId(useWallet())
  // Most wallets have none, and the first page is painted from few answers.
  const notices = useQuery({ ...noticesQuery(ownerId), enabled: ownerId !== undefined && hasNotices })
  if (notices.error !== null) return <ErrorNote error={notices.error} onRetry={() => void notices.refetch()} />
  const shown = notices.data?.filter(({ dismissed }) => !dismissed) ?? []
  if (ownerId === undefined || shown.length === 0) return null
  const older = shown.length - noticesMax
  return (
    <Card title="Notices">
      <ul className="-my-4 divide-y divide-line">
        {(isOpen ? shown : shown.slice(0, noticesMax)).map((notice) => (
          <NoticeRow key={notice.id} notice={notice} ownerId={ownerId} />
        ))}
      </ul>
      {isOpen || older <= 0 ? null : (
        <div className="mt-4 border-line border-t pt-4">
          <Button size="small" onClick={() => setOpen(true)}>
            Show {plural(older, 'older notice')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function NoticeRow({ notice, ownerId }: { readonly notice: Notice; readonly ownerId: string }) {
  const [isOpen, setOpen] = useState(false)
  const client = useQueryClient()
  const dismissing = useMutation({
    mutationFn: () => dismissNotice(ownerId, notice.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['notices', ownerId] }),
  })
  const { models } = notice
  const more = Number(notice.model_count) - models.length
  return (
    <li className="flex flex-col gap-3 py-4 text-sm">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-medium">{noticeTitle(notice)}</h3>
          <p className="text-muted text-xs">
            <Time iso={notice.announced_at} />
          </p>
        </div>
        <Button size="small" isBusy={dismissing.isPending} onClick={() => dismissing.mutate()}>
          Dismiss
        </Button>
      </div>
      {dismissing.error === null ? null : <ErrorNote error={dismissing.error} />}
      <ul className="flex flex-col gap-3">
        {(isOpen ? models : models.slice(0, modelsMax)).map((model) => (
          <ModelChange key={model.id} model={model} />
        ))}
      </ul>
      {isOpen && more > 0 ? <p className="text-muted">and {plural(more, 'more model')}</p> : null}
      {isOpen || models.length <= modelsMax ? null : (
        <div>
          <Button size="small" onClick={() => setOpen(true)}>
            Show all {Number(notice.model_count)} models
          </Button>
        </div>
      )}
    </li>
  )
}

function ModelChange({ model }: { readonly model: AnnouncedModel }) {
  return (
    <li className="min-w-0">
      <Link
        to="/models/$author/$name"
        params={modelPath(model.id)}
        className="break-words rounded font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {model.id}
      </Link>
      <ul className="mt-1 text-muted">
        {model.prices.map((price) => {
          const line = priceLine(price)
          return (
            <li key={line} className="break-words">
              {line}
            </li>
          )
        })}
        {model.retirement === null ? null : <li>{retirementLine(model.retirement)}</li>}
      </ul>
    </li>
  )
}
