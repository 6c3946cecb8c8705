import { SearchOutlined } from '@ant-design/icons'
import { Button, Empty, Input } from 'antd'
import type { ReactNode } from 'react'

interface SearchedListProps {
  search: string
  onSearch(search: string): void
  /** What the box is for. */
  label: string
  /** What is said instead of the list; null while there is something to show. */
  nothing: string | null
  /** On the button that empties the box again. */
  clearLabel: string
  /** The list, or the tree, of what was found. */
  children: ReactNode
}

/** A search box over what it leaves of a list. */
export const SearchedList = ({ search, onSearch, label, nothing, clearLabel, children }: SearchedListProps) => (
  <>
    <Input
      prefix={<SearchOutlined aria-hidden />}
      allowClear
      placeholder={label}
      aria-label={label}
      value={search}
      onChange={(event) => onSearch(event.target.value)}
    />
    {nothing === null ? (
      children
    ) : (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={nothing}>
        {search !== '' && <Button onClick={() => onSearch('')}>{clearLabel}</Button>}
      </Empty>
    )}
  </>
)
