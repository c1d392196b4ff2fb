import { type ReactNode, useEffect } from 'react'
import { WeirMark } from '../../app/weir-mark.tsx'

/** The frame of the pages before sign-in. */
export function EntryFrame({
  title,
  children,
  footer,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly footer?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Weir`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex flex-col items-center gap-3">
          <WeirMark size={36} />
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6">{children}</div>
        {footer === undefined ? null : <div className="mt-4 text-center text-muted text-sm">{footer}</div>}
      </div>
    </main>
  )
}
