import { Select } from 'antd'
import type { SelectProps } from 'antd'
import type { DefaultOptionType } from 'antd/es/select'
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { QueryWhere } from '../../schema/model'
import { toFailure } from '../../headless/failure'
import { RequestError, type Host } from '../../headless/host'
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

const rankOf = (option: SearchOption | DefaultOptionType, typed: string): number =>
  option.typed === true ? LAST : (bestRank(textsOf(option), typed) ?? LAST)

/**
 * In a list of several, Tab takes the best match of what is typed; with nothing typed it leaves. antd's own list takes one more entry
 * with every Tab and never lets the keyboard go.
 */
const leaveByTab = (event: KeyboardEvent<HTMLElement>): void => {
  const typed = event.target instanceof HTMLInputElement && event.target.value !== ''
  if (event.key === 'Tab' && !typed) event.stopPropagation()
}

interface SearchSelectProps<Value> extends Omit<SelectProps<Value>, 'filterSort' | 'optionFilterProp' | 'options'> {
  options?: readonly SearchOption[]
  /** The options are the answer to what is typed: they are ordered here, and found elsewhere. */
  found?: boolean
}

/**
 * A list to choose from that is searched while one types. The best match stands first and is the one that Enter and Tab take;
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
      {...(single ? {} : { onKeyDownCapture: leaveByTab })}
      // antd's type forgets that yes and no can be values
      options={options as DefaultOptionType[] | undefined}
      // with a value, null too, the list would begin at an option whose code, not its label, begins with what is typed
      value={single && (typed !== '' || value === null || value === undefined) ? (NONE as Value) : value}
      filterOption={found ? false : (input, option) => option !== undefined && bestRank(textsOf(option), input) !== null}
      filterSort={(a, b, { searchValue }) => rankOf(a, searchValue) - rankOf(b, searchValue)}
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

const TEXTS = {
  zh: {
    placeholder: '输入名称搜索',
    failed: (reason: string) => `搜索失败：${reason}`,
    none: (keyword: string) => (keyword ? `没有找到“${keyword}”` : '没有可选的内容'),
  },
  en: {
    placeholder: 'Type a name to search',
    failed: (reason: string) => `The search failed: ${reason}`,
    none: (keyword: string) => (keyword ? `Nothing found for "${keyword}"` : 'There is nothing to choose'),
  },
}
const PAUSE = 250
const PAGE = 20

/** One record as the calls `select` answer it. */
export interface FoundRow {
  id: string
  title: string
}

interface Found<Row> {
  rows: readonly Row[]
  /** The answer to what is typed now is not there yet. */
  busy: boolean
  /** Why there is none. */
  failure?: unknown
}

/** Rows that the server finds for what is typed, a moment after the last key. Until an answer is there, the one before stands. */
export function useFound<Row = FoundRow>(
  host: Host,
  path: string | null,
  typed: string,
  where: readonly QueryWhere[] = [],
): Found<Row> {
  const keyword = typed.trim()
  const asked = JSON.stringify({ keyword, pageSize: PAGE, ...(where.length > 0 ? { where } : {}) })
  const [answer, setAnswer] = useState<{ asked: string; path: string | null; rows: readonly Row[]; failure?: unknown }>({
    asked: '',
    path,
    rows: [],
  })
  const busy = path !== null && (answer.asked !== asked || answer.path !== path)
  useEffect(() => {
    if (!busy) return
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        host
          .request<readonly Row[] | { records: readonly Row[] }>({
            method: 'POST',
            path,
            body: JSON.parse(asked) as unknown,
            signal: abort.signal,
          })
          .then((found) => setAnswer({ asked, path, rows: 'records' in found ? found.records : found }))
          .catch((failure: unknown) => {
            if (abort.signal.aborted) return
            setAnswer({ asked, path, rows: [], failure })
            if (!(failure instanceof RequestError)) host.report(failure, { select: path })
          })
      },
      keyword ? PAUSE : 0,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, path, asked, keyword, busy])
  return { rows: answer.rows, busy, failure: busy ? undefined : answer.failure }
}

type Looks = Pick<
  SelectProps,
  | 'id'
  | 'className'
  | 'style'
  | 'autoFocus'
  | 'maxCount'
  | 'maxTagCount'
  | 'disabled'
  | 'placeholder'
  | 'variant'
  | 'allowClear'
  | 'getPopupContainer'
  | 'aria-label'
  | 'aria-describedby'
>

interface RemoteSelectProps extends Looks {
  host: Host
  /** Base path of the calls of the entity. */
  path: string
  /** Conditions, worked out while the list is open; a text says why they cannot be known. */
  where?(): readonly QueryWhere[] | string
  multiple?: boolean
  value: readonly string[]
  /** Title of a record that was chosen before. */
  titleOf?(id: string): string | undefined
  onChange(ids: string[], titles: ReadonlyMap<string, string>): void
  /** Asks before the list is opened. */
  eager?: boolean
  opened?: boolean
  /** One that cannot be chosen. */
  without?: string
  /** What stands under the list. */
  below?(keyword: string, close: () => void): ReactNode
}

/**
 * Chooses records that the server finds while one types. What stood there before is no answer to what is typed: Enter takes the best
 * match of the answer, or nothing.
 */
export const RemoteSelect = ({
  host,
  path,
  where,
  multiple = false,
  value,
  titleOf,
  onChange,
  eager = false,
  opened = false,
  without,
  below,
  placeholder,
  ...looks
}: RemoteSelectProps) => {
  const texts = TEXTS[host.locale]
  const [open, setOpen] = useState(opened && !looks.disabled)
  const [keyword, setKeyword] = useState('')
  const conditions = ((open || eager) && where?.()) || []
  const wrong = typeof conditions === 'string' ? conditions : undefined
  const asks = (open || eager) && wrong === undefined
  const { rows, busy, failure } = useFound(
    host,
    asks ? `${path}/select` : null,
    keyword,
    wrong === undefined ? (conditions as readonly QueryWhere[]) : [],
  )
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  const found = [...titles].filter(([id]) => id !== without).map(([id, title]) => ({ value: id, label: title }))
  const missing = value.filter((id) => !titles.has(id)).map((id) => ({ value: id, label: titleOf?.(id) ?? id }))
  const close = (): void => {
    setOpen(false)
    setKeyword('')
  }
  const reason = wrong ?? (failure === undefined ? undefined : toFailure(failure, host.locale).message)
  return (
    <SearchSelect<string | readonly string[] | null>
      found
      {...looks}
      mode={multiple ? 'multiple' : undefined}
      value={multiple ? value : (value[0] ?? null)}
      options={keyword === '' ? [...found, ...missing] : busy ? [] : found}
      placeholder={placeholder ?? texts.placeholder}
      loading={busy}
      open={open}
      searchValue={keyword}
      onSearch={setKeyword}
      onOpenChange={(next) => (next && !looks.disabled ? setOpen(true) : close())}
      onChange={(next) => {
        setKeyword('')
        onChange([next ?? []].flat(), titles)
      }}
      notFoundContent={reason ? texts.failed(reason) : busy ? '…' : texts.none(keyword)}
      popupRender={
        below &&
        ((menu) => (
          <>
            {menu}
            {below(keyword, close)}
          </>
        ))
      }
    />
  )
}
