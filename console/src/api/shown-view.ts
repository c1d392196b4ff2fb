/** An operator views the console as a customer. The id opens nothing without the operator's session. */
export interface ShownView {
  readonly id: string
  readonly endsAtMs: number
  readonly user: { readonly id: string; readonly email: string; readonly name: string }
}

const key = 'weir.view'

// A tab has storage of its own, so the operator's other tabs stay the operator's.
let shown = parseView(sessionStorage.getItem(key))

/** The view that this tab shows, or null. */
export function shownView(): ShownView | null {
  return shown
}

/** For the pages that this tab loads next. */
export function keepView(view: ShownView): void {
  sessionStorage.setItem(key, JSON.stringify(view))
}

/** Requests are the operator's again. */
export function closeView(): void {
  shown = null
  sessionStorage.removeItem(key)
}

/** The headers that make a request part of the view. */
export function viewHeaders(): Record<string, string> {
  return shown === null ? {} : { 'x-weir-view': shown.id }
}

function parseView(text: string | null): ShownView | null {
  return text === null ? null : (JSON.parse(text) as ShownView)
}
