import { useEffect, useRef, useState } from 'react'
import { useSettled } from '../lib/use-settled.ts'
import { TextField } from './field.tsx'

/** A search box. It reports its text once the typing has paused. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const settled = useSettled(text)
  const reported = useRef(value)
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (settled === reported.current) return
    reported.current = settled
    onChange(settled)
  }, [settled, onChange])
  return (
    <TextField
      label={label}
      isLabelHidden
      type="search"
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
