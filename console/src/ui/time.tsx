import { formatRelative, formatUtc } from '../lib/time.ts'

/** A timestamp: relative in lists, absolute UTC on hover. `absolute` shows UTC. */
export function Time({ iso, absolute = false }: { readonly iso: string | null; readonly absolute?: boolean }) {
  if (iso === null) return <span className="text-muted">Never</span>
  return (
    <time dateTime={iso} title={formatUtc(iso)} className={absolute ? 'figures' : 'figures whitespace-nowrap'}>
      {absolute ? formatUtc(iso) : formatRelative(iso, Date.now())}
    </time>
  )
}
