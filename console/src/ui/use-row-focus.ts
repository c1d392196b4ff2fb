import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { stepRow } from './step-row.ts'

interface RowFocus {
  readonly body: RefObject<HTMLElement | null>
  readonly count: number
  /** The indexes of the rendered rows. */
  readonly rendered: readonly number[]
  readonly scrollTo: (index: number) => void
  readonly onOpen: ((index: number) => void) | undefined
}

/**
 * One tab stop for all rows: Tab reaches the active row and the controls in it, arrow keys and j and k move to another
 * row, Enter opens it. The rows have `data-row`.
 */
export function useRowFocus({ body, count, rendered, scrollTo, onOpen }: RowFocus) {
  const [active, setActive] = useState(0)
  const isWanted = useRef(false)
  const stop = rendered.includes(active) ? active : rendered[0]
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
      const isStop = row.dataset['row'] === String(stop)
      row.tabIndex = isStop ? 0 : -1
      stopAtControls(row, isStop, onOpen !== undefined)
      if (!isStop || !isWanted.current) continue
      isWanted.current = false
      row.focus()
    }
  })
  return {
    onFocus: ({ target }: { readonly target: EventTarget }) => setActive(rowOf(target) ?? active),
    onKeyDown: (event: KeyboardEvent) => {
      const index = rowOf(event.target)
      // Controls in a row use these keys themselves.
      if (index === undefined || !(event.target instanceof HTMLElement) || event.target.dataset['row'] === undefined)
        return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Enter') return onOpen?.(index)
      const next = stepRow(event.key, index, count)
      if (next === undefined) return
      event.preventDefault()
      isWanted.current = true
      setActive(next)
      scrollTo(next)
    },
    onClick: (event: MouseEvent) => {
      const index = rowOf(event.target)
      if (index !== undefined && isOnRow(event)) onOpen?.(index)
    },
  }
}

function rowOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return row === null ? undefined : Number(row.dataset['row'])
}

/** Tab reaches the controls of the active row alone. Enter on a row that opens does what its first link does. */
function stopAtControls(row: HTMLElement, isStop: boolean, opens: boolean): void {
  const link = opens ? row.querySelector('a') : null
  for (const control of row.querySelectorAll<HTMLElement>('a, button, input, [tabindex]')) {
    control.tabIndex = isStop && control !== link ? 0 : -1
  }
}

/**
 * Links and buttons in a row handle their own clicks, and so do menus and dialogs, which React treats as children of
 * the row.
 */
function isOnRow({ target, currentTarget }: MouseEvent): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.closest('a, button, input') === null
}
