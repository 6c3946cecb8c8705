import { Select, Tag, Tooltip } from 'antd'
import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react'
import { isAborted } from '../../../headless/failure'
import { asciiAddress, isMailAddress, needsUtf8, parseAddresses, type MailAddress } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { isEnter, isSend } from '../../../runtime/typing'
import { MAILBOX, type Suggestion } from './calls'
import { composeTexts } from './texts'

const PAUSE = 200
const MOST = 8
const ENDS = /[,;，；\n\t]\s*$/u

interface RecipientsProps {
  id: string
  label: string
  value: readonly MailAddress[]
  /** By address: what speaks against it. */
  warnings: ReadonlyMap<string, string>
  customerId?: string | undefined
  autoFocus?: boolean
  onChange(list: MailAddress[]): void
  /** A suggestion was taken: whose address it is. */
  onKnown(suggestion: Suggestion): void
  extra?: ReactNode
}

const keyOf = (email: string): string => (isMailAddress(email) ? asciiAddress(email) : email)

/** Those that are new of what was typed or pasted, each address once. */
const added = (list: readonly MailAddress[], more: readonly MailAddress[]): MailAddress[] => {
  const all = [...list]
  for (const one of more) if (!all.some(({ email }) => keyOf(email) === keyOf(one.email))) all.push(one)
  return all
}

/** People who may be meant, best first: contacts of customers and suppliers, the address book, colleagues. */
const useSuggestions = (typed: string, customerId: string | undefined): readonly Suggestion[] => {
  const host = useHost()
  const [found, setFound] = useState<readonly Suggestion[]>([])
  const keyword = typed.trim()
  useEffect(() => {
    if (keyword === '' && customerId === undefined) return setFound([])
    const abort = new AbortController()
    const timer = setTimeout(() => {
      const call = (path: string, body: object) =>
        host.request<readonly Suggestion[]>({ method: 'POST', path: `${MAILBOX}/${path}`, body, signal: abort.signal })
      Promise.all([
        call('email/customer/contact', { keyword, limit: MOST, ...(keyword === '' ? { customerId } : {}) }),
        keyword === '' ? [] : call('email/book/contact', { keyword, limit: MOST }),
      ]).then(
        (lists) => {
          const once = new Map(lists.flat().map((one) => [one.email.toLowerCase(), one]))
          setFound([...once.values()].slice(0, 2 * MOST))
        },
        (error: unknown) => {
          // one can type on without suggestions
          if (!isAborted(error)) setFound([])
        },
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, keyword, customerId])
  return found
}

/** Addresses as chips: typed, pasted from wherever, or chosen of those that one knows. A wrong one goes back into the box at a click. */
export const Recipients = ({ id, label, value, warnings, customerId, autoFocus, onChange, onKnown, extra }: RecipientsProps) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const found = useSuggestions(typed, customerId)
  const free = found.filter(({ email }) => !value.some((one) => keyOf(one.email) === keyOf(email)))

  const take = (text: string): void => {
    const list = parseAddresses(text)
    if (list.length > 0) onChange(added(value, list))
    setTyped('')
  }
  const search = (text: string): void => {
    const list = ENDS.test(text) ? parseAddresses(text) : []
    if (list.length > 0 && list.every(({ email }) => isMailAddress(email))) take(text)
    else setTyped(text)
  }
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (!text.includes('@')) return
    event.preventDefault()
    take(typed + text)
  }
  const keys = (event: KeyboardEvent): void => {
    if (isEnter(event) && !isSend(event) && typed.includes('@') && isMailAddress(parseAddresses(typed)[0]?.email ?? '')) {
      event.preventDefault()
      event.stopPropagation()
      take(typed)
    }
  }
  return (
    <div className="sb-mail-line">
      <label htmlFor={id}>{label}</label>
      <div ref={box} className="sb-write-people" onPaste={paste} onKeyDownCapture={keys}>
        <Select<string[]>
          id={id}
          mode="multiple"
          variant="borderless"
          style={{ width: '100%' }}
          aria-label={label}
          autoFocus={autoFocus ?? false}
          suffixIcon={null}
          value={value.map(({ email }) => email)}
          searchValue={typed}
          filterOption={false}
          autoClearSearchValue={false}
          open={isOpen && free.length > 0}
          onOpenChange={setOpen}
          notFoundContent={null}
          options={free.map((one) => ({ value: one.email, label: one.name, one }))}
          optionRender={({ data }) => {
            const { one } = data as { one: Suggestion }
            return (
              <div className="sb-mail-suggested">
                <bdi>{one.name || one.email}</bdi>
                <span>
                  {one.email}
                  {one.company ? ` · ${one.company}` : ''} · {texts.sources[one.source] ?? one.source}
                </span>
              </div>
            )
          }}
          onSearch={search}
          onBlur={() => typed.trim() !== '' && take(typed)}
          onSelect={(email) => {
            const one = free.find((each) => each.email === email)
            if (!one) return
            onKnown(one)
            onChange(added(value, [one.name ? { email, name: one.name } : { email }]))
            setTyped('')
          }}
          onChange={(emails) => {
            const kept = value.filter(({ email }) => emails.includes(email))
            if (kept.length < value.length) onChange(kept)
          }}
          tagRender={({ value: given, label: rest, onClose }) => {
            const email: unknown = given
            // those that have no room are told by their number
            if (typeof email !== 'string') return <Tag>{rest}</Tag>
            const one = value.find((each) => each.email === email)
            const isWrong = !isMailAddress(email)
            const warning = isWrong
              ? texts.wrongAddress
              : (warnings.get(email.toLowerCase()) ?? (needsUtf8(email) ? texts.needsUtf8 : ''))
            return (
              <Tooltip title={warning || (one?.name ? email : '')}>
                <Tag
                  className="sb-mail-chip"
                  color={isWrong ? 'error' : warning ? 'warning' : 'default'}
                  closable
                  onClose={onClose}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => {
                    if (!isWrong) return
                    onChange(value.filter((each) => each.email !== email))
                    setTyped(email)
                  }}
                >
                  <bdi>{one?.name || email}</bdi>
                </Tag>
              </Tooltip>
            )
          }}
        />
      </div>
      {extra}
    </div>
  )
}
