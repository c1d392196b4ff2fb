import { ErrorNote } from '../ui/error-note.tsx'
import { Page } from '../ui/page.tsx'

/** A page that the person's role can't view. */
export function HiddenPage({ title, granter }: { readonly title: string; readonly granter: string }) {
  return (
    <Page title={title}>
      <ErrorNote error={new Error(`Your role can't view this page. Ask ${granter} for access.`)} />
    </Page>
  )
}
