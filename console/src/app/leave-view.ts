import { endView } from '../api/end-view.ts'
import { shownView } from '../api/shown-view.ts'

/**
 * Ends the view of this tab, if it has one, and leads back to the operator's page of the customer. The pages are loaded
 * anew, so that nothing that was read as the customer stays in memory.
 */
export function leaveView({ hasEnded }: { readonly hasEnded: boolean }): void {
  const view = shownView()
  if (view === null) return
  void endView(view.id)
  location.assign(`/console/operator/customers/${view.user.id}${hasEnded ? '?view=ended' : ''}`)
}
