import { DownloadOutlined, DownOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { Suspense, useMemo, type MouseEvent } from 'react'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { Block, BlockOf, UnderstoodPart } from '../chat/wire'
import { isPlace } from '../chat/wire'
import { useAnswerHost } from '../markdown/Answer'

const Chart = lazyPart(() => import('./AnswerChart'))

/** What stands beside the words of an answer: a table, a chart, a place of the portal. */
export const AnswerParts = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) => {
    switch (block.kind) {
      case 'table':
        return <Table key={index} block={block} />
      case 'chart':
        return (
          <Suspense key={index} fallback={<div className="sb-assistant-chart" />}>
            <Chart block={block} />
          </Suspense>
        )
      case 'link':
        return <Place key={index} {...block} />
      case 'understood':
        return null
    }
  })

const Place = ({ path, label }: { path: string; label: string }) => {
  const { go } = useAnswerHost()
  return (
    <a className="sb-assistant-place" href={path} onClick={(event) => follow(event, path, go)}>
      {label} <RightOutlined aria-hidden />
    </a>
  )
}

const Table = ({ block: { columns, rows, links, more, caption } }: { block: BlockOf<'table'> }) => {
  const { texts, go, saveTable } = useAnswerHost()
  return (
    <figure className="sb-answer-table">
      {caption !== '' && <figcaption>{caption}</figcaption>}
      <div className="sb-table-frame" tabIndex={0} role="group" aria-label={caption || texts.table}>
        <table>
          <thead>
            <tr>
              {columns.map(({ id, title, align }) => (
                <th key={id} style={{ textAlign: align }}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map(({ id, align }, column) => (
                  <td key={id} style={{ textAlign: align }}>
                    <Linked text={row[column] ?? ''} path={column === 0 ? (links[index] ?? null) : null} go={go} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="sb-table-foot">
        {more && <span>{texts.moreRows}</span>}
        <Button
          size="small"
          type="text"
          icon={<DownloadOutlined />}
          onClick={() => saveTable([columns.map(({ title }) => title), ...rows])}
        >
          {texts.csv}
        </Button>
      </div>
    </figure>
  )
}

const Linked = ({ text, path, go }: { text: string; path: string | null; go: (path: string) => void }) =>
  path === null || !isPlace(path) ? (
    text
  ) : (
    <a href={path} onClick={(event) => follow(event, path, go)}>
      {text}
    </a>
  )

/** Another tab is the browser's own matter. */
function follow(event: MouseEvent, path: string, go: (path: string) => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  go(path)
}

interface UnderstoodProps {
  parts: readonly UnderstoodPart[]
  disabled: boolean
  onAsk: (question: string) => void
}

/** "How I understood this": each part says what it was taken for; one with others asks anew with the chosen one. */
export const Understood = ({ parts, disabled, onAsk }: UnderstoodProps) => {
  const { texts } = useAnswerHost()
  return (
    <div className="sb-understood" role="group" aria-label={texts.understood}>
      <span>{texts.understood}</span>
      {parts.map((part, index) => (
        <Part key={index} part={part} disabled={disabled} onAsk={onAsk} />
      ))}
    </div>
  )
}

const Part = ({ part: { label, text, choices }, disabled, onAsk }: { part: UnderstoodPart } & Omit<UnderstoodProps, 'parts'>) => {
  const items = useMemo(() => choices.map((choice, index) => ({ key: String(index), label: choice.label })), [choices])
  const words = label === '' ? text : `${label}: ${text}`
  if (choices.length === 0) return <span className="sb-understood-part">{words}</span>
  return (
    <Dropdown
      trigger={['click']}
      disabled={disabled}
      menu={{ items, onClick: ({ key }) => onAsk(choices[Number(key)]?.question ?? '') }}
    >
      <Button size="small" className="sb-understood-part">
        {words} <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}
