import { classNames } from '../lib/class-names.ts'

/** A gray placeholder for loading data. Give it the size of the data, so that the layout does not shift. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-pulse rounded bg-raised', className)} />
}
