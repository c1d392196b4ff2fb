import { useState } from 'react'

type Visibility = Record<string, boolean>

/** The visible columns, stored in this browser under the table's name. */
export function useColumnChoice(
  name: string,
  columns: readonly { readonly id: string; readonly isHidden?: boolean }[],
) {
  const key = `weir.columns.${name}`
  const [chosen, setChosen] = useState<Visibility>(() => ({ ...defaultsOf(columns), ...readChoice(key) }))
  const change = (update: Visibility | ((old: Visibility) => Visibility)) => {
    const next = typeof update === 'function' ? update(chosen) : update
    localStorage.setItem(key, JSON.stringify(next))
    setChosen(next)
  }
  return [chosen, change] as const
}

function defaultsOf(columns: readonly { readonly id: string; readonly isHidden?: boolean }[]): Visibility {
  return Object.fromEntries(columns.map(({ id, isHidden = false }) => [id, !isHidden]))
}

function readChoice(key: string): Visibility {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Visibility) : {}
  } catch {
    return {}
  }
}
