import { api } from './client.ts'
import { closeView } from './shown-view.ts'

/**
 * Ends a view, and this tab's part in it, also if the tab opens another page meanwhile. The gateway ends every view
 * within minutes, so an error does not matter.
 */
export async function endView(id: string): Promise<void> {
  // The gateway rejects changes of a view, this one too.
  closeView()
  await api.DELETE('/api/operator/view', { params: { query: { id } }, keepalive: true }).catch(() => {})
}
