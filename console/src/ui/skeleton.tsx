import { classNames } from '../lib/class-names.ts'

/** A grey shape in the place of data that is on its way. Give it the size of the data, so that nothing jumps. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-pulse rounded bg-raised', className)} />
}
