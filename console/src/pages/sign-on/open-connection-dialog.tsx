import { type ComponentProps, lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./connection-dialog.tsx')).ConnectionDialog }))

/** The dialog with all fields of an identity provider, loaded when it opens. */
export function OpenConnectionDialog(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}
