import { Select } from 'antd'
import type { SelectProps } from 'antd'
import type { DefaultOptionType } from 'antd/es/select'
import { useState } from 'react'
import { bestRank } from './rank'

/** No value, as antd takes it. */
const NONE: unknown = []

/** Behind everything that fits. */
const LAST = Number.MAX_SAFE_INTEGER

export interface SearchOption extends Omit<DefaultOptionType, 'value'> {
  value?: string | number | boolean | null
  /** What it is found by besides its label, e.g. a code and the name in the other language. */
  words?: readonly string[]
  /** What was typed itself: it stands behind what is known, though it is the same text. */
  typed?: boolean
}

const textsOf = ({ label, value, words }: SearchOption | DefaultOptionType): string[] => [
  typeof label === 'string' ? label : String(value ?? ''),
  ...((words as readonly string[] | undefined) ?? []),
]

const placeOf = (option: SearchOption | DefaultOptionType, typed: string): number =>
  option.typed === true ? LAST : (bestRank(textsOf(option), typed) ?? LAST)

interface SearchSelectProps<Value> extends Omit<SelectProps<Value>, 'filterSort' | 'optionFilterProp' | 'options'> {
  options?: readonly SearchOption[]
  /** The options are the answer to what is typed: they are ordered here, and found elsewhere. */
  found?: boolean
}

/**
 * A list to choose from that is searched while one types. The best match stands first and is the one that Enter takes;
 * where nothing matches, Enter takes nothing.
 */
export const SearchSelect = <Value,>({
  found = false,
  value,
  options,
  onSearch,
  onOpenChange,
  ...rest
}: SearchSelectProps<Value>) => {
  const [typed, setTyped] = useState('')
  const single = rest.mode === undefined
  return (
    <Select<Value, DefaultOptionType>
      showSearch
      {...rest}
      // antd's type forgets that yes and no can be values
      options={options as DefaultOptionType[] | undefined}
      // with a value, null too, the list would begin at an option whose code, not its label, begins with what is typed
      value={single && (typed !== '' || value === null || value === undefined) ? (NONE as Value) : value}
      filterOption={found ? false : (input, option) => option !== undefined && bestRank(textsOf(option), input) !== null}
      filterSort={(a, b, { searchValue }) => placeOf(a, searchValue) - placeOf(b, searchValue)}
      onSearch={(text) => {
        setTyped(text)
        onSearch?.(text)
      }}
      onOpenChange={(open) => {
        if (!open) setTyped('')
        onOpenChange?.(open)
      }}
    />
  )
}
