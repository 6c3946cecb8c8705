import '../../../runtime/plainTable.css'
import '../../../runtime/report/report.css'
import { Button, Flex, Typography } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Line } from '../../../runtime/report/charts/Line'
import { useTokenStyle } from '../../../runtime/tokens'
import { toolTexts } from '../texts'

/** What a call of a tool answers, in the reader's language. */
export interface ToolAnswer {
  columns: readonly { id: string; title: string }[]
  rows: readonly Readonly<Record<string, string | null>>[]
  notes: readonly string[]
  line?: { label: string; points: readonly { name: string; value: number; text: string }[] }
}

/** A text for the clipboard that spreadsheets take as a table. */
const tableText = ({ columns, rows }: ToolAnswer): string =>
  [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ id }) => row[id] ?? ''))]
    .map((cells) => cells.map((cell) => cell.replace(/[\t\n\r]+/g, ' ')).join('\t'))
    .join('\n')

/** The answer of a tool: what has to be said, the line, the table. */
export const Results = ({ answer }: { answer: ToolAnswer }) => {
  const host = useHost()
  const texts = toolTexts[host.locale]
  const style = useTokenStyle()
  const { columns, rows, notes, line } = answer
  return (
    <Flex vertical gap={8} style={style}>
      {notes.map((note) => (
        <Typography.Text key={note} type="secondary">
          {note}
        </Typography.Text>
      ))}
      {line && (
        <section>
          <Typography.Text strong>{line.label}</Typography.Text>
          <Line label={line.label} points={line.points} spread />
        </section>
      )}
      {rows.length === 0 ? (
        <Typography.Text role="status">{texts.none}</Typography.Text>
      ) : (
        <>
          <Flex gap={8} align="center">
            <Typography.Text role="status">{texts.rows(rows.length)}</Typography.Text>
            <Button size="small" onClick={() => void host.copy(tableText(answer))}>
              {texts.copy}
            </Button>
          </Flex>
          <div className="sb-report-scroll" tabIndex={0} role="region" aria-label={texts.rows(rows.length)}>
            <table className="sb-plain">
              <thead>
                <tr>
                  {columns.map(({ id, title }) => (
                    <th key={id} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <tr key={index}>
                    {columns.map(({ id }) => (
                      <td key={id} data-faulty={row.tone === 'error' && row[id] ? '' : undefined}>
                        {row[id]}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Flex>
  )
}
