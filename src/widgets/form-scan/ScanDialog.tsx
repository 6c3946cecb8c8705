import { Alert, Button, Flex, Input, Modal, Progress, Typography, type InputRef } from 'antd'
import { useRef, useState, type ClipboardEvent, type SyntheticEvent } from 'react'
import { useHost } from '../../runtime/hostContext'
import { type Expected, type Pieces, type Refused } from './pieces'
import './scan.css'
import { readFile } from './sheet'
import { TEXTS } from './texts'
import { useScan } from './useScan'
import { onEnter } from '../../runtime/typing'

interface ScanDialogProps {
  pieces: Pieces
  /** The quantity that is wanted; '' for none. */
  wanted: string
  expected: Expected
  path: string
  products: string
  onText(text: string): void
  onClose(): void
}

/** Rows of each list that are drawn; the others are counted. */
const SHOWN = 50
const WIDTH = 560

/** The table behind this dialog would take its keys, clicks and focus for its own. */
const own = (event: SyntheticEvent): void => event.stopPropagation()

/** One field for a scanner that types and ends with Enter; lists and files come in beside it. */
export const ScanDialog = ({ pieces, wanted, expected, path, products, onText, onClose }: ScanDialogProps) => {
  const host = useHost()
  const texts = TEXTS[host.locale]
  const scan = useScan({ pieces, expected, path, products, onText })
  const [typed, setTyped] = useState('')
  const input = useRef<InputRef>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const phone = host.device === 'Mobile'
  const close = (): void => {
    scan.flush()
    onClose()
  }
  const enter = (): void => {
    const line = typed.trim()
    setTyped('')
    if (line !== '') void scan.take(line)
  }
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    if (!/[\r\n;]/.test(text.trim())) return
    event.preventDefault()
    void scan.take(text)
  }
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const text = await readFile(file).catch(() => null)
    if (text === null) scan.fail(texts.unreadable)
    else await scan.take(text)
    input.current?.focus()
  }
  const over = wanted !== '' && pieces.size > Number(wanted)
  return (
    <Modal
      open
      title={texts.title}
      width={phone ? '100%' : WIDTH}
      style={phone ? { top: 0, maxWidth: '100vw', margin: 0 } : { top: 48 }}
      onCancel={close}
      afterOpenChange={(open) => open && input.current?.focus()}
      modalRender={(node) => (
        <div onBlur={own} onFocus={own} onKeyDown={own} onMouseDown={own} onPaste={own} onCopy={own}>
          {node}
        </div>
      )}
      footer={
        <Flex gap={8} justify="space-between">
          <Button disabled={pieces.size === 0 || scan.checking !== null} onClick={scan.undo}>
            {texts.undo}
          </Button>
          <Button type="primary" disabled={scan.checking !== null} onClick={close}>
            {texts.done}
          </Button>
        </Flex>
      }
    >
      <Flex vertical gap={12}>
        <Flex gap={8} align="center">
          <Input
            ref={input}
            size="large"
            aria-label={texts.scan}
            placeholder={texts.scan}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={onEnter((event) => {
              event.preventDefault()
              enter()
            })}
            onPaste={paste}
          />
          <Typography.Text strong type={over ? 'danger' : undefined} className="sb-number sb-scan-count" aria-live="polite">
            {texts.count(pieces.size, wanted)}
          </Typography.Text>
        </Flex>
        <Typography.Text type="secondary">{texts.hint}</Typography.Text>
        <div>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label={texts.file}
            accept=".csv,.txt,.xlsx"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              void read(file)
              target.value = ''
            }}
          />
          <Button onClick={() => chooser.current?.click()}>{texts.file}</Button>
        </div>
        {scan.checking !== null && (
          <Progress percent={Math.round(scan.checking * 100)} aria-label={texts.checking(Math.round(scan.checking * 100))} />
        )}
        <Alert
          key={scan.said?.count ?? 0}
          className="sb-scan-said"
          showIcon
          type={scan.said === null ? 'info' : scan.said.good ? 'success' : 'error'}
          message={scan.said?.sentence ?? texts.ready}
        />
        <RefusedList refused={scan.refused} />
        <LastList pieces={pieces} onRemove={scan.remove} disabled={scan.checking !== null} />
      </Flex>
    </Modal>
  )
}

const RefusedList = ({ refused }: { refused: readonly Refused[] }) => {
  const host = useHost()
  const texts = TEXTS[host.locale]
  if (refused.length === 0) return null
  const sentence = ({ fault, text, line, with: other = '' }: Refused): string =>
    `${line === undefined ? '' : `${texts.line} ${line} · `}${texts.faults[fault](text, other)}`
  return (
    <section>
      <Flex justify="space-between" align="center">
        <Typography.Text strong>
          {texts.refused} ({refused.length})
        </Typography.Text>
        <Button type="link" size="small" onClick={() => void host.copy(refused.map(sentence).join('\n'))}>
          {texts.copy}
        </Button>
      </Flex>
      <ul className="sb-scan-list">
        {refused.slice(0, SHOWN).map((one, index) => (
          <li key={refused.length - index} className="sb-scan-bad">
            {sentence(one)}
          </li>
        ))}
      </ul>
      {refused.length > SHOWN && <Typography.Text type="secondary">{texts.more(refused.length - SHOWN)}</Typography.Text>}
    </section>
  )
}

const LastList = ({
  pieces,
  disabled,
  onRemove,
}: {
  pieces: Pieces
  disabled: boolean
  onRemove: ReturnType<typeof useScan>['remove']
}) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  if (pieces.size === 0) return null
  return (
    <section>
      <Typography.Text strong>{texts.latest}</Typography.Text>
      <ul className="sb-scan-list">
        {pieces.last(SHOWN).map((unit) => (
          <li key={unit.serialNo}>
            <span className="sb-number">
              {unit.serialNo} {unit.mac}
            </span>
            <Button
              type="link"
              size="small"
              disabled={disabled}
              aria-label={`${texts.remove} ${unit.serialNo}`}
              onClick={() => onRemove(unit)}
            >
              {texts.remove}
            </Button>
          </li>
        ))}
      </ul>
      {pieces.size > SHOWN && <Typography.Text type="secondary">{texts.more(pieces.size - SHOWN)}</Typography.Text>}
    </section>
  )
}
